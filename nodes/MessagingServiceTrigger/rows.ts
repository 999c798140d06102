import { hash } from 'node:crypto';

import { isAnswer, type SurveyRow } from '../shared/surveyData';

/** Length of a key in characters, one per byte. */
export const KEY_LENGTH = 8;

/** The parts of the key of a row without a user ID: its date (none: zeros), and its answers, hashed. */
const DATE_LENGTH = 5;
const ANSWERS_LENGTH = KEY_LENGTH - DATE_LENGTH;
const NO_DATE = '\0'.repeat(DATE_LENGTH);

const YEAR_2000 = Date.UTC(2000);
export const DAY_MS = 24 * 60 * 60_000;

/** Numbers below this one are seconds, the others are milliseconds. */
const LEAST_MS = 1e11;

/** Matches a date such as `2026-01-31`, optionally with a time, which may have a zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d[\d:.]*))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Converts a date of the service to milliseconds since the epoch. A date without a zone is in UTC. A date without a time
 * means the end of that day. Numbers are milliseconds or seconds.
 *
 * @returns NaN for anything else, and for a time before 2000
 */
export function timeOf(value: unknown): number {
	const time = typeof value === 'number' ? timeOfNumber(value) : timeOfText(value);
	return time >= YEAR_2000 && time < Infinity ? Math.trunc(time) : NaN;
}

function timeOfNumber(value: number): number {
	return value < LEAST_MS ? value * 1000 : value;
}

function timeOfText(value: unknown): number {
	if (typeof value !== 'string') return NaN;
	// The service's own form, `2026-01-31T09:15:00.000Z`, needs no pattern.
	if (value.length === 24 && value.endsWith('Z')) return Date.parse(value);
	const text = value.trim();
	if (/^\d+(\.\d+)?$/.test(text)) return timeOfNumber(Number(text));
	const [, date, time, zone = 'Z'] = ISO.exec(text) ?? [];
	// Any other form is read as JavaScript reads it, but never in n8n's own time zone.
	if (date === undefined)
		return Date.parse(/(Z|GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} UTC`);
	if (time === undefined) return Date.parse(date) + DAY_MS - 1;
	return Date.parse(`${date}T${time}${zone.length === 3 ? `${zone}:00` : zone}`);
}

/** Matches texts that mean "no ID": blanks, zeros (also those of an empty UUID) and "null". */
const NO_ID = /^(?:[\s0-]*|\s*null\s*)$/i;

/** Returns the user ID of a row; `undefined` if it has none. IDs of nothing but zeros, "null" or blanks are none. */
export function userIdOf({ userId }: SurveyRow): string | undefined {
	if (typeof userId !== 'string' && typeof userId !== 'number') return undefined;
	const id = String(userId);
	return NO_ID.test(id) ? undefined : id;
}

/** Returns the key of a row with a user ID: the ID, hashed to 8 bytes. */
export function userKey(userId: string): string {
	return hashOf(`user ${userId}`).slice(0, KEY_LENGTH);
}

/**
 * Returns the key of a row without a user ID: its date to the millisecond, and a hash of its answers. The hash only
 * chooses among rows of one date. The key has no ID, name or address: with these, somebody could find out from a saved
 * state who answered what.
 *
 * @param time the row's date, in milliseconds since the epoch; NaN if it has none
 */
export function contentKey(row: SurveyRow, time: number): string {
	const names = Object.keys(row).filter(isAnswer).sort();
	const answers = JSON.stringify(names.map((name) => [name, row[name]]));
	const date = Number.isNaN(time) ? NO_DATE : bytesOf(time - YEAR_2000 + 1, DATE_LENGTH);
	return date + hashOf(answers).slice(0, ANSWERS_LENGTH);
}

/**
 * Returns a key that no other row of the read has, because two rows of one date are two events, even with the same
 * answers.
 *
 * @param used how often each key of this read has occurred so far
 */
export function unusedKey(wanted: string, used: Map<string, number>): string {
	let key = wanted;
	for (let count = used.get(key); count !== undefined; count = used.get(key)) {
		used.set(key, count + 1);
		const answers = Buffer.from(key, 'latin1').readUIntBE(DATE_LENGTH, ANSWERS_LENGTH);
		key = dateInKey(key) + bytesOf(answers + count, ANSWERS_LENGTH);
	}
	used.set(key, 1);
	return key;
}

/** Returns the date in the key of a row without a user ID, as text. */
export function dateInKey(key: string): string {
	return key.slice(0, DATE_LENGTH);
}

/** Whether the key of a row without a user ID has a date. */
export function isDated(key: string): boolean {
	return dateInKey(key) !== NO_DATE;
}

/** Returns a text's SHA-256 as Latin-1, one character per byte. */
export function hashOf(text: string): string {
	return hash('sha256', text, 'binary');
}

/** Returns the last bytes of a whole number as Latin-1. */
function bytesOf(value: number, length: number): string {
	const bytes = Buffer.alloc(length);
	bytes.writeUIntBE(value % 256 ** length, 0, length);
	return bytes.toString('latin1');
}
