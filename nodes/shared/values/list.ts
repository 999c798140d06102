import { jsonParse } from 'n8n-workflow';

import type { Field } from '../field';
import { isBlank, isDataObject, kindOf, OBJECT_IN_TEXT, tidy } from './any';

/** What a value holds, or what is wrong with it. `problem` completes a sentence that begins with the field. */
export type ParseResult<Value> =
	| { value: Value; problem?: undefined }
	| { problem: string; advice: string };

/** Matches a text that is meant as a JSON list: in brackets, or a bracket before a quote. */
const LIKE_JSON = /^\[(?:\s*["'“‘„]|[^]*\]$)/;

/** Matches text in quotes, and outside quotes whole numbers that JavaScript may round. */
const LONG_NUMBER = /"[^"]*"|\b\d{16,}\b/g;

/**
 * Reads a list: an array, a text that is a JSON array, or a text that `split` takes apart
 * (docs/development/conventions.md).
 *
 * @param split takes a text apart that is no JSON array
 * @returns the entries in order, trimmed, without empty and equal ones
 */
export function readList(value: unknown, split = atSeparators): ParseResult<string[]> {
	const entries = typeof value === 'string' ? entriesIn(tidy(value), split) : [value].flat();
	if (!entries) {
		return {
			problem: 'begins like a JSON list, but is none',
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
		const text = typeof entry === 'string' ? tidy(entry) : String(entry);
		if (typeof entry === 'object' || typeof entry === 'function' || text === OBJECT_IN_TEXT) {
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

/** Splits at commas, semicolons and new lines. */
function atSeparators(text: string): string[] {
	return text.split(/[,;\r\n]/);
}

/** Returns the entries of a text, or `undefined` if it is broken JSON. */
function entriesIn(text: string, split: (text: string) => string[]): unknown[] | undefined {
	if (!text.startsWith('[')) return split(text);
	try {
		// JavaScript would round a long ID that has no quotes.
		const parsed = jsonParse<unknown>(
			text.replace(LONG_NUMBER, (all) => (all[0] === '"' ? all : `"${all}"`)),
		);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// Not JSON.
	}
	return LIKE_JSON.test(text) ? undefined : split(text);
}

/** Converts to a list, with `readList`. @throws if the value or an entry cannot be read */
export function toList(value: unknown, field: Field): string[] {
	return valueOrFail(readList(value), field);
}

/** Returns what a value holds. @throws if it cannot be read */
export function valueOrFail<Value>(reading: ParseResult<Value>, { label, fail }: Field): Value {
	if (reading.problem === undefined) return reading.value;
	throw fail(`${label} ${reading.problem}`, reading.advice);
}

/** Returns the rows of a form (a fixed collection with several values), or of a list. @param name the name of a row */
export function rowsOfForm(form: unknown, name: string): unknown[] {
	const rows: unknown = isDataObject(form) ? form[name] : form;
	if (Array.isArray(rows)) return rows;
	return isBlank(rows) ? [] : [rows];
}
