import type { IDataObject } from 'n8n-workflow';
import { jsonParse, tryToParseDateTime } from 'n8n-workflow';

import type { Field } from './field';
import { isDataObject, isRecord } from './typeGuards';
import { truncate } from './truncate';

/** Whether a value is what an emptied field, or an expression without a result, gives. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** A text without blanks around it; empty for anything else. */
export function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** Text as the service takes it; numbers and booleans from an expression become text. @throws when it is an object */
export function toText(value: unknown, field: Field): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw field.fail(
		`${field.label} must be text`,
		`It is ${kindOf(value)}; an expression may point at the wrong field.`,
	);
}

/** A number, also as text; `NaN` for anything else: a switch or a list is none, nor is a blank text. */
export function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && !isBlank(value) ? Number(value) : NaN;
}

/**
 * A list of strings, from an array or from text separated by commas, semicolons or new lines: blanks trimmed, empty
 * entries and repeats dropped (docs/conventions.md).
 *
 * @throws when the value or an entry is an object
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
				`It holds ${kindOf(entry)}. From a list of records take one field, for example {{ $json.people.map(person => person.email) }}.`,
			);
		}
		const text = String(entry).trim();
		if (text !== '') list.add(text);
	}
	return [...list];
}

/** One "@", something before it, a host after it, which may be of an intranet, and nothing that separates addresses in a list. */
export const EMAIL = /^[^\s@,;<>()[\]"]+@[^\s@,;<>()[\]".]+(\.[^\s@,;<>()[\]".]+)*$/;

/** A list of email addresses, as `toList` reads it. @throws naming the first that is none */
export function toEmails(value: unknown, field: Field): string[] {
	const emails = toList(value, field);
	const malformed = emails.find((email) => !EMAIL.test(email));
	if (malformed === undefined) return emails;
	throw field.fail(
		`${field.label} holds what is no email address: ${shown(malformed)}`,
		'Correct it, or take it out of the list. Nothing was sent.',
	);
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
	field: Field,
): Value {
	const found = listed.find((choice) => choice.toLowerCase() === lowerCase(value));
	if (found !== undefined) return found;
	throw field.fail(
		`${field.label} must be ${alternatives(listed)}: it is ${shown(value)}`,
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
export function toSwitch(value: unknown, field: Field): boolean {
	const found = SWITCH.get(lowerCase(value) ?? '');
	if (found !== undefined) return found;
	throw field.fail(
		`${field.label} must be on or off: it is ${shown(value)}`,
		'Use the switch, or let the expression give true or false (yes, no, 1 and 0 are taken, too). Nothing was sent.',
	);
}

/**
 * The texts that are dates: what the date picker, ISO 8601 and SQL give, with or without a time and a zone. n8n's own
 * parser (tryToParseDateTime of n8n-workflow 2.41.0) goes on to guess: "week 7" and "-1" would be days in 2001.
 */
const DATE_TEXT =
	/^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)(?: ?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?)?$/i;

/** Milliseconds since 1970 with 13 digits, 2001 to 2286; a shorter number may as well count seconds or days. */
const MILLISECONDS = { from: 1e12, to: 1e13 };

/** How far the clocks of n8n and the service may be apart, and how long a workflow may take to come to this node. */
const LATE_MS = 5 * 60_000;

/**
 * A point in time as ISO 8601 in UTC with milliseconds, from what n8n's date picker, an ISO text, a Luxon value or a
 * Date gives, or from milliseconds since 1970; without a zone it is read in the workflow's.
 *
 * @returns for example `2026-01-31T08:15:00.000Z`; `undefined` for a blank value
 * @throws when it is no date
 */
export function toUtcTimestamp(value: unknown, field: Field): string | undefined {
	if (isBlank(value)) return undefined;
	// A Luxon value from an expression that n8n did not turn into text yet.
	const given = isLuxonLike(value) ? value.toISO() : value;
	const date = readableDate(given);
	let timestamp: string | null = null;
	try {
		if (date !== undefined) timestamp = tryToParseDateTime(date, field.timezone).toUTC().toISO();
	} catch {
		// A time zone that nobody knows.
	}
	if (timestamp === null) {
		throw field.fail(
			`${field.label} is not a date: ${shown(given)}`,
			'Pick a date, or give one like 2026-01-31T09:15:00 (read in the workflow’s time zone) or 2026-01-31T09:15:00Z. Nothing was sent.',
		);
	}
	return timestamp;
}

/**
 * The same for a point in time at which something is to be sent.
 *
 * @param now n8n's clock, in milliseconds since 1970
 * @throws also for a blank value, and for a time more than five minutes ago: the service may send at once
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
		`It is ${new Date(now).toISOString()} now (both in UTC). Pick a later time; for a time that is over the service might send at once. Nothing was sent.`,
	);
}

/** What can be read as a date without guessing, as ISO 8601; `undefined` for anything else. */
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
	return `${date}T${time}${zone.toUpperCase()}`;
}

/** Whether a date in the form 2026-01-31 is in the calendar. */
function isDay(date: string): boolean {
	const midnight = new Date(`${date}T00:00:00Z`);
	// JavaScript takes the 31st of a shorter month for a day of the next one.
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

function isoOf(milliseconds: number): string | undefined {
	return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}

/** A date, also one that an expression made in a world of its own, for which `instanceof` fails. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

/**
 * JSON from text or from an object or array that an expression gives, as it would be written: a date in it becomes text.
 *
 * @returns the value; `undefined` for a blank one
 * @throws naming the field when the text is not JSON, or the value cannot be written as JSON
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
					'An expression gives something that is neither text, number, switch, list nor object, or an object that holds itself. Nothing was sent.',
				);
	}
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
	return isRecord(value) && typeof value.toISO === 'function';
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

/** The most characters of a text that an error shows. */
const LONGEST_SHOWN = 60;

/** What came, for an error. */
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
