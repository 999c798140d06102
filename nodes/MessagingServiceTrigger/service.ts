import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { buildPath } from '../MessagingService/shared/endpoint';
import type { Envelope } from '../MessagingService/shared/envelope';
import { recordsOf } from '../MessagingService/shared/envelope';
import { byPreviousLastId } from '../MessagingService/shared/paging';
import { withRetry } from '../MessagingService/shared/retry';
import type { SurveyData } from '../MessagingService/shared/surveyData';
import { readSurveyData } from '../MessagingService/shared/surveyData';
import { apiRequest } from '../MessagingService/shared/transport';
import type { Listed } from './enrol';

/** How often a read is tried when it fails for a passing reason. */
const TRIES = 3;

/** A request gets at least this long, however little is left of the poll's time. */
const SHORTEST_TIMEOUT_MS = 5_000;

/** Status codes of campaigns that nobody has received yet (service-api.md, States and transitions). */
const NOT_YET_LIVE: unknown[] = ['0', '4'];

/**
 * The campaigns that went live since `from`, newest first, over all pages (service-api.md, GET campaign).
 *
 * @param filters further query parameters of the list
 * @throws NodeApiError
 */
export async function listCampaigns(
	context: IPollFunctions,
	filters: IDataObject,
	from: number,
	deadline: number,
): Promise<Listed[]> {
	const minLiveDate = new Date(from).toISOString();
	const records = await byPreviousLastId(
		async (paging) => {
			const qs = { ...filters, minLiveDate, ...paging };
			const envelope = await read(context, '/int/v1/campaign', qs, deadline);
			return { records: recordsOf(context.getNode(), envelope) };
		},
		Infinity,
		(message, description) => new NodeOperationError(context.getNode(), message, { description }),
	);
	const campaigns: Listed[] = [];
	for (const { _id, status, liveDate } of records) {
		if (typeof _id !== 'string' || NOT_YET_LIVE.includes(status)) continue;
		const live = typeof liveDate === 'string' ? Date.parse(liveDate) : NaN;
		campaigns.push(Number.isNaN(live) ? { id: _id } : { id: _id, live });
	}
	return campaigns;
}

/** The responses to a campaign (service-api.md, GET campaign/:id/surveyData). @throws NodeApiError */
export async function readSurvey(
	context: IPollFunctions,
	campaignId: string,
	deadline: number,
): Promise<SurveyData> {
	const fail = (message: string, description?: string) =>
		new NodeOperationError(context.getNode(), message, { description });
	const path = buildPath('/int/v1/campaign/:campaignId/surveyData', () => campaignId, fail);
	const { data } = await read(context, path, {}, deadline);
	return readSurveyData(data, fail);
}

/** Whether the service said that a campaign has no questions, and so never any responses (service-api.md, Errors). */
export function isNoSurvey(error: unknown): boolean {
	return error instanceof NodeApiError && /^Campaign is not a survey/i.test(error.message);
}

async function read(
	context: IPollFunctions,
	url: string,
	qs: IDataObject,
	deadline: number,
): Promise<Envelope> {
	return await withRetry(
		async () => {
			const timeout = Math.max(deadline - Date.now(), SHORTEST_TIMEOUT_MS);
			return await apiRequest.call(context, { url, qs, timeout });
		},
		{ tries: TRIES, deadline },
	);
}
