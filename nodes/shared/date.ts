import { tryToParseDateTime } from 'n8n-workflow';

import type { FieldInfo } from './field';
import { isBlank, isObject, describeValue } from './values';

/**
 * Matches dates as written by the date picker, ISO 8601 and SQL, with or without a time and a zone. n8n's parser would
 * guess other forms, too: "week 7" and "-1" would be days in 2001 (tryToParseDateTime of n8n-workflow 2.41.0).
 */
const DATE_TEXT =
	/^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)(?: ?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?)?$/i;

/**
 * Converts to ISO 8601 in UTC with milliseconds. Accepts a value of n8n's date picker, an ISO text, a Luxon value, a Date
 * or milliseconds since the epoch. For a text without a time zone, the time zone of the workflow applies.
 *
 * @returns for example `2026-01-31T08:15:00.000Z`, or `undefined` for a blank value
 * @throws if it is not a date
 */
export function toUtcTimestamp(value: unknown, field: FieldInfo): string | undefined {
	if (isBlank(value)) return undefined;
	// An expression can return a Luxon value that n8n has not converted to text.
	const given = isLuxonLike(value) ? value.toISO() : value;
	const date = toIso(given);
	const timestamp = date && tryToParseDateTime(date, field.timezone).toUTC().toISO();
	if (timestamp) return timestamp;
	throw field.fail(
		`${field.label} is not a date: ${describeValue(given)}`,
		'Pick a date, or enter one like 2026-01-31T09:15:00 (in the workflow’s time zone) or 2026-01-31T09:15:00Z. Nothing was sent.',
	);
}

/**
 * Converts the time at which something is to happen, with `toUtcTimestamp`.
 *
 * @param after the time must be later than this, in milliseconds since the epoch
 * @throws if the time is blank, is not a date, or is too early. For a send time in the past, the service might send
 *   immediately
 */
export function toFutureTimestamp(value: unknown, field: FieldInfo, after: number): string {
	const timestamp = toUtcTimestamp(value, field);
	// The expression `{{ $json.date }} {{ $json.time }}` leaves a blank behind if the time is empty.
	if (timestamp === undefined || /^\s*[\d-]+\s+$/.test(String(value))) {
		throw field.fail(
			`${field.label} is empty, or has no time`,
			'Pick a date and time. Nothing was sent.',
		);
	}
	if (Date.parse(timestamp) > after) return timestamp;
	throw field.fail(
		`${field.label} is in the past: ${timestamp}`,
		`It is ${new Date().toISOString()} now (both times are in UTC). Pick a later time. Nothing was sent.`,
	);
}

/** Returns a date as ISO 8601, with its time zone if it has one. Returns `undefined` if it is ambiguous or no date. */
function toIso(value: unknown): string | undefined {
	if (isDate(value)) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	// 13 digits are milliseconds since 1970 (2001 to 2286). A shorter number could be seconds or days.
	if (typeof value === 'number')
		return /^\d{13}$/.test(String(value)) ? new Date(value).toISOString() : undefined;
	const found = typeof value === 'string' ? DATE_TEXT.exec(value.trim()) : null;
	if (found === null) return undefined;
	const [, date = '', time = '00:00', zone = ''] = found;
	if (!exists(date)) return undefined;
	// n8n 1 does not parse a lower-case time zone after seconds with a decimal comma, as in `09:15:00,5z` (n8n-workflow
	// of 1.123.81).
	return `${date}T${time}${zone.toUpperCase()}`;
}

/** Whether the calendar has a date: 2026-01-31, but not 2026-02-31. */
function exists(date: string): boolean {
	const midnight = new Date(`${date}T00:00:00Z`);
	// JavaScript moves the 31st of a shorter month to the next month.
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

/** Whether a value is a Date, including one from the realm of an expression, for which `instanceof` fails. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

function isLuxonLike(value: unknown): value is { toISO(): string } {
	return isObject(value) && typeof value.toISO === 'function';
}
