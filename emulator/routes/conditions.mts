import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { isObject } from '../server/guards.mts';
import { violation } from '../server/requestErrors.mts';
import { skipPage } from './paging.mts';

// The parameter `conditions` selects managers, manager groups and recipients of a channel. The
// operators in this parameter are not documented. The emulator supports equality and `{ "$ne": …
// }`, as document databases do.

type Conditions = Record<string, unknown>;

/** The query parameters for listing a channel's managers, manager groups or recipients. */
export interface ConditionsQuery {
	conditions?: string;
	limit?: number;
	skip?: number;
}

function parsedConditions(text: string): Conditions | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Parses the query parameter `conditions`. @throws ContractViolation if it is not a JSON object */
function queryConditions(operationId: string, conditions: string | undefined): Conditions {
	if (conditions === undefined) return {};
	const parsed = parsedConditions(conditions);
	if (parsed === undefined) throw violation(operationId, 'query/conditions is not an object');
	return parsed;
}

/**
 * Parses an element of `conditions` in a body: JSON or `field=value`.
 *
 * @throws ServiceFailure if the element has another form
 */
export function bodyCondition(condition: string): Conditions {
	const parsed = parsedConditions(condition);
	if (parsed !== undefined) return parsed;
	const [, field, value] = /^\s*(\w+)\s*[=:]\s*(.*?)\s*$/.exec(condition) ?? [];
	if (field === undefined || value === undefined) {
		throw new ServiceFailure(messages.invalidParameters);
	}
	return { [field]: value };
}

function equal(value: unknown, wanted: unknown): boolean {
	// In a query or in `field=value`, the text "true" means the boolean.
	return value === wanted || String(value).toLowerCase() === String(wanted).toLowerCase();
}

function fieldMatches(value: unknown, wanted: unknown): boolean {
	if (!isObject(wanted)) return equal(value, wanted);
	return Object.entries(wanted).every(([operator, operand]) => {
		if (operator === '$ne') return !equal(value, operand);
		throw new ServiceFailure(messages.invalidParameters);
	});
}

/** Whether a record meets all conditions. @throws ServiceFailure for an unknown operator */
export function matchesConditions(record: object, conditions: Conditions): boolean {
	return Object.entries(conditions).every(([field, wanted]) =>
		fieldMatches(Reflect.get(record, field), wanted),
	);
}

/** Returns a page of a channel's managers, manager groups or recipients that meet the conditions of the query. */
export function conditionsPage(
	context: Context,
	list: 'channelManager' | 'channelManagerGroup' | 'channelRecipient',
	records: readonly object[],
	{ conditions, skip, limit = context.switches.channelListDefaultLimit }: ConditionsQuery,
): object {
	const wanted = queryConditions(`${list}.getAll`, conditions);
	const matching = records.filter((record) => matchesConditions(record, wanted));
	return skipPage(context, list, matching, { skip, limit }, (record) => record);
}
