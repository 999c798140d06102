import { jsonParse } from 'n8n-workflow';

import type { FieldInfo } from '../field';
import { isBlank, isDataObject, kindOf, OBJECT_IN_TEXT, trimmed } from './any';
import { isRounded, ROUNDED } from './text';

/** The parsed value, or what is wrong with it. `problem` completes a sentence: "Emails" + "must be a list of texts". */
export type ParseResult<Value> =
	| { value: Value; problem?: undefined }
	| { problem: string; advice: string };

/** Matches a text that is meant as a JSON list: `[HR]` and `["HR", ` but not `[HR] News`. */
const LIKE_JSON = /^\[(?:\s*["'“‘„]|[^]*\]$)/;

/** Matches a text in quotes, or outside quotes a whole number so long that JavaScript may round it. */
const QUOTED_OR_LONG_NUMBER = /"[^"]*"|\b\d{16,}\b/g;

/**
 * Reads a list: an array, a JSON array as text, or a text with separators: `'HR, IT,'` → `['HR', 'IT']`. Any other value is
 * the only entry of its list: 7 → `['7']`. Undefined, null and a blank text are an empty list
 * (docs/development/conventions.md).
 *
 * @param split splits a text that is not JSON. Without it, commas, semicolons and new lines are separators
 * @returns the entries in order, trimmed, without blank and repeated ones. Instead, returns the problem if the text is broken
 *   JSON, or if an entry is an object, a list, NaN or Infinity
 */
export function parseList(value: unknown, split = splitAtSeparators): ParseResult<string[]> {
	const entries = typeof value === 'string' ? splitText(trimmed(value), split) : [value].flat();
	if (!entries) {
		return {
			problem: 'looks like a JSON list but is not valid JSON',
			advice:
				'Check the quotes, commas and brackets. An entry in brackets is written as an expression: ={{ ["[HR] News"] }}. Nothing was sent.',
		};
	}
	const list = new Set<string>();
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry === 'number' && !Number.isFinite(entry)) {
			return { problem: `contains ${entry}`, advice: 'Check the expression. Nothing was sent.' };
		}
		if (isRounded(entry)) {
			return {
				problem: `contains ${String(entry)}, which ${ROUNDED.problem}`,
				advice: `${ROUNDED.advice} Nothing was sent.`,
			};
		}
		const text = typeof entry === 'string' ? trimmed(entry) : String(entry);
		if (typeof entry === 'object' || typeof entry === 'function' || text === OBJECT_IN_TEXT) {
			// A text gets here only if it is "[object Object]".
			const kind = typeof entry === 'string' ? 'an object' : kindOf(entry);
			return {
				problem: 'must be a list of texts',
				advice: `It contains ${kind}. From a list of records, take one field, for example {{ $json.people.map(person => person.email) }}. Nothing was sent.`,
			};
		}
		if (text !== '') list.add(text);
	}
	return { value: [...list] };
}

function splitAtSeparators(text: string): string[] {
	return text.split(/[,;\r\n]/);
}

/** Returns the entries of a JSON array or of any other text, or `undefined` if the text is broken JSON. */
function splitText(text: string, split: (text: string) => string[]): unknown[] | undefined {
	if (!text.startsWith('[')) return split(text);
	// Quotes keep a long ID exact: JavaScript would round it as a number.
	const json = text.replace(QUOTED_OR_LONG_NUMBER, (found) =>
		found.startsWith('"') ? found : `"${found}"`,
	);
	try {
		const parsed = jsonParse<unknown>(json);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// Not JSON.
	}
	return LIKE_JSON.test(text) ? undefined : split(text);
}

/** Converts to a list of texts, with `parseList`. A blank value has none. @throws if the value or an entry cannot be read */
export function toList(value: unknown, field: FieldInfo): string[] {
	return valueOrThrow(parseList(value), field);
}

/** Returns the parsed value. @throws the error of the field if there is a problem instead */
export function valueOrThrow<Value>(parsed: ParseResult<Value>, field: FieldInfo): Value {
	if (parsed.problem === undefined) return parsed.value;
	throw field.fail(`${field.label} ${parsed.problem}`, parsed.advice);
}

/**
 * Returns the rows of a form (a fixedCollection), or of a list from an expression.
 *
 * - `{ question: [a, b] }` and `[a, b]` → `[a, b]`
 * - `{ question: a }` → `[a]`, and `a` that is no object → `[a]`
 * - a blank value, or an object without `question` → `[]`
 *
 * @param name the name of a row: `question`
 */
export function rowsOfForm(form: unknown, name: string): unknown[] {
	const rows: unknown = isDataObject(form) ? form[name] : form;
	if (Array.isArray(rows)) return rows;
	return isBlank(rows) ? [] : [rows];
}
