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
 * A choice from a list, in any case of letters; a number stands for its text, so 1 chooses `'1'` (docs/conventions.md).
 *
 * @param listed the values to choose from, as they are sent
 * @returns the listed value
 * @throws when it is none of them, also when it is nothing: what the service does without a choice may be the opposite
 * of what was meant (campaign.create in emulator/openapi.yaml takes an absent status for live)
 */
export function toChoice<const Value extends string>(
	value: unknown,
	listed: readonly Value[],
	{ label, fail }: Field,
): Value {
	const found = listed.find((choice) => choice.toLowerCase() === lowerCase(value));
	if (found !== undefined) return found;
	throw fail(
		`${label} must be ${alternatives(listed)}: it is ${shown(value)}`,
		'Choose one from the list, or check the expression. Nothing was sent.',
	);
}

const SWITCH = new Map([
	['true', true],
	['yes', true],
	['1', true],
	['false', false],
	['no', false],
	['0', false],
]);

/**
 * A switch: true and false, also as the texts true, false, yes, no, 1 and 0 in any case of letters (docs/conventions.md).
 *
 * @throws when it is anything else, also when it is nothing: a dry run that counts as switched off would change things
 */
export function toSwitch(value: unknown, { label, fail }: Field): boolean {
	const found = SWITCH.get(lowerCase(value) ?? '');
	if (found !== undefined) return found;
	throw fail(
		`${label} must be on or off: it is ${shown(value)}`,
		'Use the switch, or let the expression give true or false (yes, no, 1 and 0 are taken, too). Nothing was sent.',
	);
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

/** Text, a number or a boolean as text in lower case; `undefined` for anything else. */
function lowerCase(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).toLowerCase()
		: undefined;
}

/** `a`, `a or b`, `a, b or c`. */
function alternatives(listed: readonly string[]): string {
	return listed.length < 2
		? listed.join()
		: `${listed.slice(0, -1).join(', ')} or ${listed.at(-1) ?? ''}`;
}

/** What came, for an error. */
function shown(value: unknown): string {
	if (isBlank(value)) return 'empty';
	if (typeof value === 'string') return `"${shorten(value)}"`;
	return typeof value === 'object' || typeof value === 'function' ? kindOf(value) : String(value);
}

function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shorten(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
