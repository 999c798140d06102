import { isObject } from './guards.mts';

/** The most records on a page of campaigns or broadcasts (`campaign.getAll`, `broadcast.getAll`). */
export const maximumLimit = 1000;

/** In a list of campaigns or broadcasts, lowers a `limit` above the maximum to the maximum (switch limitAboveMaximum). */
export function clampLimit(operationId: string, query: unknown): void {
	if (operationId !== 'campaign.getAll' && operationId !== 'broadcast.getAll') return;
	if (isObject(query) && Number(query.limit) > maximumLimit) query.limit = String(maximumLimit);
}
