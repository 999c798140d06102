import { jsonParse, type IDataObject } from 'n8n-workflow';

import type { FieldInfo } from '../field';
import { isBlank, isDataObject, kindOf } from './any';
import { checkNoObject } from './text';

/**
 * Parses JSON text. An object or array from an expression is written as JSON first, so that a date in it becomes text.
 *
 * @returns the parsed value, or `undefined` for a blank value
 * @throws if the value cannot be written as JSON, or if its text is not JSON or contains "[object Object]"
 */
export function parseJson(value: unknown, field: FieldInfo): unknown {
	if (isBlank(value)) return undefined;
	let text = '';
	let parsed: unknown;
	try {
		text = typeof value === 'string' ? value : JSON.stringify(value);
		parsed = jsonParse<unknown>(text);
	} catch (error) {
		if (typeof value !== 'string') {
			throw field.fail(
				`${field.label} cannot be written as JSON`,
				'An expression returns an unsupported value, or an object that contains itself. Nothing was sent.',
			);
		}
		const advice = error instanceof Error ? error.message : 'Check brackets, quotes and commas.';
		throw field.fail(`${field.label} is not valid JSON`, advice);
	}
	checkNoObject(text, field);
	return parsed;
}

/** Reads a JSON object, with `parseJson`. Returns `undefined` for a blank value. @throws if it is not an object */
export function parseJsonObject(value: unknown, field: FieldInfo): IDataObject | undefined {
	const parsed = parseJson(value, field);
	if (parsed === undefined) return undefined;
	if (isDataObject(parsed)) return parsed;
	throw field.fail(
		`${field.label} must be a JSON object`,
		`It is ${kindOf(parsed)}. Write it in braces: { "key": "value" }.`,
	);
}
