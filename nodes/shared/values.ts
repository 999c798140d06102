import type { IDataObject } from 'n8n-workflow';
import { jsonParse, tryToParseDateTime } from 'n8n-workflow';

import type { Field } from './field';
import { isDataObject } from './guards';

/** Whether a value is what an emptied field, or an expression without a result, gives. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** Text as the service takes it; numbers and booleans from an expression become text. @throws when it is an object */
export function toText(value: unknown, { label, fail }: Field): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw fail(
		`${label} must be text`,
		`It is ${kindOf(value)}; an expression may point at the wrong field.`,
	);
}

/**
 * A list of strings, from an array or from text separated by commas, semicolons or new lines: blanks trimmed, empty
 * entries and repeats dropped (docs/conventions.md).
 *
 * @throws when the value or an entry is an object
 */
export function toList(value: unknown, { label, fail }: Field): string[] {
	if (value === undefined || value === null) return [];
	const entries: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'object'
			? [value]
			: String(value).split(/[,;\r\n]+/);
	const list = new Set<string>();
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry === 'object' || typeof entry === 'function') {
			throw fail(
				`${label} must be a list of texts`,
				`It holds ${kindOf(entry)}. From a list of records take one field, for example {{ $json.people.map(person => person.email) }}.`,
			);
		}
		const text = String(entry).trim();
		if (text !== '') list.add(text);
	}
	return [...list];
}

/**
 * A point in time as ISO 8601 in UTC with milliseconds, from what n8n's date picker, an ISO string, a Luxon value or a
 * Date gives; without a zone it is read in the workflow's.
 *
 * @returns for example `2026-01-31T08:15:00.000Z`; `undefined` for a blank value
 * @throws when it is no date
 */
export function toUtcTimestamp(
	value: unknown,
	{ label, fail, timezone }: Field,
): string | undefined {
	if (isBlank(value)) return undefined;
	// A Luxon value from an expression that n8n did not turn into text yet.
	const given = isLuxonLike(value) ? value.toISO() : value;
	let timestamp: string | null = null;
	try {
		timestamp = tryToParseDateTime(given, timezone).toUTC().toISO();
	} catch {
		timestamp = null;
	}
	if (timestamp === null) {
		throw fail(
			`${label} is not a date: ${shorten(given)}`,
			'Pick a date, or give one like 2026-01-31T09:15:00 (read in the workflow’s time zone) or 2026-01-31T09:15:00Z.',
		);
	}
	return timestamp;
}

/** The same for a point in time that cannot be left out. @throws also for a blank value */
export function toRequiredUtcTimestamp(value: unknown, field: Field): string {
	const timestamp = toUtcTimestamp(value, field);
	if (timestamp !== undefined) return timestamp;
	throw field.fail(`${field.label} is empty`, 'Pick a date and time, or choose another status.');
}

/**
 * JSON from text or from an object or array that an expression gives.
 *
 * @returns the value; `undefined` for a blank one
 * @throws naming the field when the text is not JSON
 */
export function toJson(value: unknown, { label, fail }: Field): unknown {
	if (isBlank(value)) return undefined;
	if (typeof value !== 'string') return value;
	let parsed: unknown;
	try {
		parsed = jsonParse<unknown>(value);
	} catch (error) {
		throw fail(
			`${label} is not valid JSON`,
			error instanceof Error ? error.message : 'Check brackets, quotes and commas.',
		);
	}
	return parsed;
}

/** A JSON object from text or an object; `undefined` for a blank value. @throws when it is no object */
export function toJsonObject(value: unknown, field: Field): IDataObject | undefined {
	const parsed = toJson(value, field);
	if (parsed === undefined) return undefined;
	if (isDataObject(parsed)) return parsed;
	throw field.fail(
		`${field.label} must be a JSON object`,
		`It is ${kindOf(parsed)}. Write it in braces: { "key": "value" }.`,
	);
}

function isLuxonLike(value: unknown): value is { toISO(): string } {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toISO' in value &&
		typeof value.toISO === 'function'
	);
}

function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shorten(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
