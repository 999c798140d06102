import type { Context } from '../server/context.mts';
import { isObject } from '../server/guards.mts';
import { violation } from '../server/requestErrors.mts';
import { skipPage } from './paging.mts';

// The parameter `conditions` selects managers, manager groups and recipients of a channel. Its format is not documented, so
// the emulator checks only that it is JSON in a query, and lists everybody. In a body, conditions select nobody.

/** The query parameters for listing a channel's managers, manager groups or recipients. */
export interface ConditionsQuery {
	conditions?: string;
	limit?: number;
	skip?: number;
}

function isJsonObject(text: string): boolean {
	try {
		return isObject(JSON.parse(text));
	} catch {
		return false;
	}
}

/**
 * Returns a page of a channel's managers, manager groups or recipients.
 *
 * @throws ContractViolation if `conditions` is not a JSON object
 */
export function conditionsPage(
	context: Context,
	list: 'channelManager' | 'channelManagerGroup' | 'channelRecipient',
	records: readonly object[],
	{ conditions, skip, limit = context.switches.channelListDefaultLimit }: ConditionsQuery,
): object {
	if (conditions !== undefined && !isJsonObject(conditions))
		throw violation(`${list}.getAll`, 'query/conditions is not an object');
	return skipPage(context, list, records, { skip, limit }, (record) => record);
}
