import { hash } from 'node:crypto';

import { isAnswer, type SurveyRow } from '../shared/surveyData';
import { isPresent, KEY_LENGTH } from './seen';

/** The key of a row without a user ID starts with its date, or with zeros. */
const DATE_LENGTH = 5;
export const NO_DATE = '\0'.repeat(DATE_LENGTH);

const YEAR_2000 = Date.UTC(2000);
const YEAR_10000 = Date.UTC(10_000);
export const DAY_MS = 24 * 60 * 60_000;

/** Numbers below this value are seconds. All other numbers are milliseconds. */
const LEAST_MS = 1e11;

/** Matches a date such as `2026-01-31`, optionally with a time, which may have a zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d[\d:.]*))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Converts a date of the service to milliseconds since the epoch. A date without a zone is in UTC. A date without a time
 * means the end of that day. Numbers are milliseconds or seconds.
 *
 * @returns NaN for anything else, and for a time before 2000 or after 9999
 */
export function timeOf(value: unknown): number {
	const time = typeof value === 'number' ? timeOfNumber(value) : timeOfText(value);
	return time >= YEAR_2000 && time < YEAR_10000 ? Math.trunc(time) : NaN;
}

function timeOfNumber(value: number): number {
	return value < LEAST_MS ? value * 1000 : value;
}

function timeOfText(value: unknown): number {
	if (isInUsualForm(value)) return Date.parse(value);
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	if (/^\d+(\.\d+)?$/.test(text)) return timeOfNumber(Number(text));
	const [, date, time, zone = 'Z'] = ISO.exec(text) ?? [];
	// Any other form is read as JavaScript reads it, but never in n8n's own time zone.
	if (date === undefined)
		return Date.parse(/(Z|GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} UTC`);
	if (time === undefined) return Date.parse(date) + DAY_MS - 1;
	return Date.parse(`${date}T${time}${zone.length === 3 ? `${zone}:00` : zone}`);
}

/** Whether a date is in the usual form, `2026-01-31T09:15:00.000Z`. Dates in this form sort as texts. */
export function isInUsualForm(date: unknown): date is string {
	return typeof date === 'string' && date.length === 24 && date.endsWith('Z');
}

/** Matches texts that mean "no ID": blanks, zeros (even those of an empty UUID) and "null". */
const NO_ID = /^(?:[\s0-]*|\s*null\s*)$/i;

/**
 * Returns the user ID of a row, or `undefined` if it has none. An ID of only zeros, "null" or blanks is treated as
 * missing.
 */
export function userIdOf({ userId }: SurveyRow): string | undefined {
	if (typeof userId !== 'string' && typeof userId !== 'number') return undefined;
	const id = String(userId);
	return NO_ID.test(id) ? undefined : id;
}

/** Returns the key of a row with a user ID: the ID, hashed to 8 bytes. */
export function userKey(userId: string): string {
	return hashOf(userId).slice(0, KEY_LENGTH);
}

/**
 * Returns the key of a row without a user ID: its date to the millisecond, and a hash of its answers. The hash only
 * chooses among rows of one date. The key contains no ID, name or address, because a saved state must not show who
 * answered what. Within a read, each row gets a different key, because two rows with the same date and answers are two
 * events.
 *
 * @param time the row's date, in milliseconds since the epoch, or NaN if it has none
 * @param seen shows which keys this read has so far
 * @param repeats how many further rows would have had each key
 */
export function contentKey(
	row: SurveyRow,
	time: number,
	seen: Map<string, number>,
	repeats: Map<string, number>,
): string {
	const date = Number.isNaN(time) ? 0 : time - YEAR_2000 + 1;
	// The service may send the answers in any order: the sum is the same.
	let answers = 0;
	for (const name in row) {
		if (!isAnswer(name)) continue;
		const value = row[name];
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		answers += shortHashOf(text, shortHashOf(name));
	}
	let key = packKey(date, answers);
	while (isPresent(seen, key)) {
		const count = (repeats.get(key) ?? 0) + 1;
		repeats.set(key, count);
		answers += count * PRIME;
		key = packKey(date, answers);
	}
	return key;
}

/** Spreads the bits of a hash, so that the sums of similar answers are far apart. */
const PRIME = 0x9e3779b1;

/** Returns a 32-bit hash of a text that follows another text. SHA-256 takes some three times as long. */
function shortHashOf(text: string, before = PRIME): number {
	let sum = before;
	for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), PRIME);
	sum = Math.imul(sum ^ (sum >>> 15), PRIME);
	return sum ^ (sum >>> 13);
}

/** Packs a date into five bytes, and a hash into three. */
function packKey(date: number, answers: number): string {
	return String.fromCharCode(
		Math.floor(date / 2 ** 32) & 255,
		(date >>> 24) & 255,
		(date >>> 16) & 255,
		(date >>> 8) & 255,
		date & 255,
		(answers >>> 16) & 255,
		(answers >>> 8) & 255,
		answers & 255,
	);
}

/** Returns the date in the key of a row without a user ID, as text. */
export function dateInKey(key: string): string {
	return key.slice(0, DATE_LENGTH);
}

/** Returns a text's SHA-256 as Latin-1, one character per byte. */
export function hashOf(text: string): string {
	return hash('sha256', text, 'binary');
}
