import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { isObject } from '../server/guards.mts';
import { violation } from '../server/requestErrors.mts';

// Filters of channel lists and channel recipients. What they may hold is not shown: the emulator takes
// equality, and `{ "$in": […] }` and `{ "$ne": … }` as a document database does.

export type Conditions = Record<string, unknown>;

/** Query of the channel's manager, manager group and recipient lists. */
export interface ConditionsQuery {
	conditions?: unknown;
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

/** The query parameter `conditions`; how it is sent is a switch. */
export function queryConditions(
	context: Context,
	operationId: string,
	conditions: unknown,
): Conditions {
	if (conditions === undefined) return {};
	const format = context.switches.conditionsQueryFormat;
	if (isObject(conditions)) {
		if (format === 'json') throw violation(operationId, 'query/conditions is not JSON-encoded');
		return conditions;
	}
	const parsed = typeof conditions === 'string' ? parsedConditions(conditions) : undefined;
	if (format === 'deepObject' || parsed === undefined) {
		throw violation(operationId, 'query/conditions is not an object');
	}
	return parsed;
}

/** An element of the body's `conditions`; its format is a switch. */
export function bodyCondition(context: Context, condition: string): Conditions {
	const format = context.switches.conditionsFormat;
	if (format !== 'expression') {
		const parsed = parsedConditions(condition);
		if (parsed !== undefined) return parsed;
	}
	const [, field, value] = /^\s*(\w+)\s*[=:]\s*(.*?)\s*$/.exec(condition) ?? [];
	if (format === 'json' || field === undefined || value === undefined) {
		throw new ServiceFailure(messages.invalidParameters);
	}
	return { [field]: value };
}

function equal(value: unknown, wanted: unknown): boolean {
	// Text such as "true" in a query or an expression means the boolean.
	return value === wanted || String(value).toLowerCase() === String(wanted).toLowerCase();
}

function fieldMatches(value: unknown, wanted: unknown): boolean {
	if (!isObject(wanted)) return equal(value, wanted);
	return Object.entries(wanted).every(([operator, operand]) => {
		if (operator === '$in')
			return Array.isArray(operand) && operand.some((one) => equal(value, one));
		if (operator === '$ne') return !equal(value, operand);
		throw new ServiceFailure(messages.invalidParameters);
	});
}

/** Whether a record meets all conditions. @throws for an operator that the service does not take */
export function matchesConditions(record: object, conditions: Conditions): boolean {
	return Object.entries(conditions).every(([field, wanted]) =>
		fieldMatches(Reflect.get(record, field), wanted),
	);
}
