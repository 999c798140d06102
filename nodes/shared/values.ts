import type { IDataObject } from 'n8n-workflow';
import { jsonParse, tryToParseDateTime } from 'n8n-workflow';

import type { Field } from './field';
import { truncate } from './truncate';

/** Whether a value is an object, including errors and arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a value is a JSON object, not an array or null. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is missing or blank, as from an emptied field or an expression without a result. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** Returns a text trimmed, or an empty text for any other value. */
export function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** Converts a text, number or boolean to text, and a missing value to an empty text. @throws for an object, NaN or Infinity */
export function toText(value: unknown, field: Field): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	checkFinite(value, field);
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw field.fail(
		`${field.label} must be text`,
		`It is ${kindOf(value)}. The expression may use the wrong field.`,
	);
}

/** Fails for NaN and Infinity, which come from expressions such as Number($json.id). */
function checkFinite(value: unknown, { label, fail }: Field): void {
	if (typeof value !== 'number' || Number.isFinite(value)) return;
	throw fail(`${label} contains ${value}`, 'Check the expression. Nothing was sent.');
}

/**
 * Converts a number or a text to a number. Returns `NaN` for anything else, such as a boolean, a list or a blank text.
 */
export function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && !isBlank(value) ? Number(value) : NaN;
}

/**
 * Converts an array, or text separated by commas, semicolons or new lines, to a list of strings. Trims entries and drops
 * empty and duplicate entries (docs/conventions.md).
 *
 * @throws if the value or an entry is an object, NaN or Infinity
 */
export function toList(value: unknown, field: Field): string[] {
	const entries: unknown[] =
		typeof value === 'string' ? value.split(/[,;\r\n]/) : Array.isArray(value) ? value : [value];
	const list = new Set<string>();
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry === 'object' || typeof entry === 'function') {
			throw field.fail(
				`${field.label} must be a list of texts`,
				`It contains ${kindOf(entry)}. From a list of records, take one field, for example {{ $json.people.map(person => person.email) }}.`,
			);
		}
		checkFinite(entry, field);
		const text = String(entry).trim();
		if (text !== '') list.add(text);
	}
	return [...list];
}

/** Matches one "@" between a local part and a host, without list separators. A host in an intranet needs no dot. */
export const EMAIL = /^[^\s@,;<>()[\]"]+@[^\s@,;<>()[\]".]+(\.[^\s@,;<>()[\]".]+)*$/;

/** Converts to a list of email addresses, with `toList`. @throws for the first invalid address */
export function toEmails(value: unknown, field: Field): string[] {
	const emails = toList(value, field);
	const malformed = emails.find((email) => !EMAIL.test(email));
	if (malformed === undefined) return emails;
	throw field.fail(
		`${field.label} contains an invalid email address: ${shown(malformed)}`,
		'Correct or remove it. Nothing was sent.',
	);
}

/**
 * Converts to one of the listed values, ignoring case. A number matches its text: 1 matches `'1'` (docs/conventions.md).
 *
 * @param listed the values as they are sent to the service
 * @returns the listed value
 * @throws if the value is blank or not listed. A blank value must not be left out of the request: a campaign without a
 *   status goes live (campaign.create in emulator/openapi.yaml)
 */
export function toChoice<const Value extends string>(
	value: unknown,
	listed: readonly Value[],
	field: Field,
): Value {
	const found = listed.find((choice) => choice.toLowerCase() === lowerCase(value));
	if (found !== undefined) return found;
	throw field.fail(
		`${field.label} must be ${alternatives(listed)}: it is ${shown(value)}`,
		'Choose one from the list, or check the expression. Nothing was sent.',
	);
}

/**
 * Converts to a boolean. Accepts a boolean, a number 1 or 0, and the texts true, false, yes, no, 1 and 0, ignoring
 * case (docs/conventions.md).
 *
 * @throws for anything else, even for a blank value: if a blank Dry Run counted as off, the node would make changes
 */
export function toSwitch(value: unknown, field: Field): boolean {
	const text = lowerCase(value) ?? '';
	if (['true', 'yes', '1'].includes(text)) return true;
	if (['false', 'no', '0'].includes(text)) return false;
	throw field.fail(
		`${field.label} must be on or off: it is ${shown(value)}`,
		'Use the switch, or an expression that returns true or false (yes, no, 1 and 0 work, too). Nothing was sent.',
	);
}

/**
 * Matches dates as written by the date picker, ISO 8601 and SQL, with or without a time and a zone. n8n's parser would
 * guess other forms, too: "week 7" and "-1" would be days in 2001 (tryToParseDateTime of n8n-workflow 2.41.0).
 */
const DATE_TEXT =
	/^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)(?: ?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?)?$/i;

/** Milliseconds since 1970 with 13 digits (2001 to 2286). A shorter number could be seconds or days. */
const MILLISECONDS = { from: 1e12, to: 1e13 };

/** Allowance for clock differences between n8n and the service, and for the time before the workflow reaches this node. */
const LATE_MS = 5 * 60_000;

/**
 * Converts to ISO 8601 in UTC with milliseconds. Accepts a value of n8n's date picker, an ISO text, a Luxon value, a Date
 * or milliseconds since the epoch. For a text without a time zone, the time zone of the workflow applies.
 *
 * @returns for example `2026-01-31T08:15:00.000Z`, or `undefined` for a blank value
 * @throws if it is not a date
 */
export function toUtcTimestamp(value: unknown, field: Field): string | undefined {
	if (isBlank(value)) return undefined;
	// An expression can return a Luxon value that n8n has not converted to text.
	const given = isLuxonLike(value) ? value.toISO() : value;
	const date = readableDate(given);
	let timestamp: string | null = null;
	try {
		if (date !== undefined) timestamp = tryToParseDateTime(date, field.timezone).toUTC().toISO();
	} catch {
		// Unknown time zone.
	}
	if (timestamp === null) {
		throw field.fail(
			`${field.label} is not a date: ${shown(given)}`,
			'Pick a date, or enter one like 2026-01-31T09:15:00 (in the workflow’s time zone) or 2026-01-31T09:15:00Z. Nothing was sent.',
		);
	}
	return timestamp;
}

/**
 * Converts a time that must be in the future, with `toUtcTimestamp`.
 *
 * @param now n8n's clock, in milliseconds since the epoch
 * @throws if the time is not a date, is blank, or was more than five minutes ago. For a send time in the past, the service
 *   might send immediately
 */
export function toFutureTimestamp(value: unknown, field: Field, now: number): string {
	const timestamp = toUtcTimestamp(value, field);
	if (timestamp === undefined) {
		throw field.fail(
			`${field.label} is empty`,
			'Pick a date and time, or choose another status. Nothing was sent.',
		);
	}
	if (Date.parse(timestamp) > now - LATE_MS) return timestamp;
	throw field.fail(
		`${field.label} is in the past: ${timestamp}`,
		`It is ${new Date(now).toISOString()} now (both times are in UTC). Pick a later time. Nothing was sent.`,
	);
}

/** Returns an unambiguous date as ISO 8601, or `undefined` for anything else. */
function readableDate(value: unknown): string | undefined {
	if (isDate(value)) return isoOf(value.getTime());
	if (typeof value === 'number') {
		const { from, to } = MILLISECONDS;
		return Number.isInteger(value) && value >= from && value < to ? isoOf(value) : undefined;
	}
	const found = typeof value === 'string' ? DATE_TEXT.exec(value.trim()) : null;
	if (found === null) return undefined;
	const [, date = '', time = '00:00', zone = ''] = found;
	if (!isDay(date)) return undefined;
	// n8n 1 does not parse a lower-case time zone after seconds with a decimal comma, as in `09:15:00,5z` (n8n-workflow of
	// 1.123.81).
	return `${date}T${time}${zone.toUpperCase()}`;
}

/** Whether a date in the form 2026-01-31 exists. */
function isDay(date: string): boolean {
	const midnight = new Date(`${date}T00:00:00Z`);
	// JavaScript moves the 31st of a shorter month to the next month.
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

function isoOf(milliseconds: number): string | undefined {
	return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}

/** Whether a value is a Date, including one from the realm of an expression, for which `instanceof` fails. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

/**
 * Parses JSON text. An object or array from an expression is serialised first, so that a date in it becomes text.
 *
 * @returns the value, or `undefined` for a blank value
 * @throws if the text is not JSON, or the value cannot be serialised
 */
export function toJson(value: unknown, field: Field): unknown {
	if (isBlank(value)) return undefined;
	try {
		return jsonParse<unknown>(typeof value === 'string' ? value : JSON.stringify(value));
	} catch (error) {
		throw typeof value === 'string'
			? field.fail(
					`${field.label} is not valid JSON`,
					error instanceof Error ? error.message : 'Check brackets, quotes and commas.',
				)
			: field.fail(
					`${field.label} cannot be written as JSON`,
					'An expression returns an unsupported value, or an object that contains itself. Nothing was sent.',
				);
	}
}

/** Returns a JSON object from text or an object, or `undefined` for a blank value. @throws if it is not an object */
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
	return isRecord(value) && typeof value.toISO === 'function';
}

/** Converts a text, number or boolean to lower-case text. Returns `undefined` for anything else. */
function lowerCase(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).toLowerCase()
		: undefined;
}

/** Formats values as `a`, `a or b` or `a, b or c`. */
function alternatives(listed: readonly string[]): string {
	return listed.length < 2
		? listed.join()
		: `${listed.slice(0, -1).join(', ')} or ${listed.at(-1) ?? ''}`;
}

/** Maximum characters of a text in an error. */
const LONGEST_SHOWN = 60;

/** Formats a value for an error. */
function shown(value: unknown): string {
	if (isBlank(value)) return 'empty';
	if (typeof value === 'string') return `"${truncate(value, LONGEST_SHOWN)}"`;
	return typeof value === 'object' || typeof value === 'function' ? kindOf(value) : String(value);
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
