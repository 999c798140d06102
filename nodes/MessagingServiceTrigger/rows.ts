import { hash } from 'node:crypto';

import { isAnswer, type SurveyRow } from '../shared/surveyData';
import { isRecord } from '../shared/values';

/** Length of a key in characters, one per byte. */
export const KEY_LENGTH = 8;

const YEAR_2000 = Date.UTC(2000);
const DAY_MS = 24 * 60 * 60_000;

/** Numbers below this one are seconds, the others are milliseconds. */
const LEAST_MS = 1e11;

/** Matches `2026-01-31`, alone or with a time, and the time alone or with a zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d[\d:.]*))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Converts a date of the service to milliseconds since the epoch. A date without a zone is in UTC. A date without a time
 * counts to the end of its day. Numbers are milliseconds or seconds.
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
	if (date !== undefined && time !== undefined)
		return Date.parse(`${date}T${time}${zone.length === 3 ? `${zone}:00` : zone}`);
	if (/\d:\d\d/.test(text))
		return Date.parse(/(Z|GMT|UTC|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text} UTC`);
	return Date.parse(date ?? `${text} UTC`) + DAY_MS - 1;
}

/** Matches what stands for no ID: blanks, zeros (also those of an empty UUID) and "null". */
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

/** The parts of the key of a row without a user ID: its date (none: zeros), and its answers, hashed. */
const DATE_LENGTH = 5;
const NO_DATE = '\0'.repeat(DATE_LENGTH);

/**
 * Returns the key of a row without a user ID: its date, exact to the millisecond, and a hash of its answers, which only
 * chooses among rows of one date. It has neither ID, name nor address: from a saved state one could try out who answered
 * what.
 *
 * @param time the row's date, in milliseconds since the epoch; NaN if it has none
 */
export function contentKey(row: SurveyRow, time: number): string {
	const answers = hashOf(answersText(row)).slice(0, KEY_LENGTH - DATE_LENGTH);
	if (Number.isNaN(time)) return NO_DATE + answers;
	const since2000 = time - YEAR_2000;
	const high = Math.floor(since2000 / 2 ** 32) & 255;
	return (
		String.fromCharCode(
			high,
			(since2000 >>> 24) & 255,
			(since2000 >>> 16) & 255,
			(since2000 >>> 8) & 255,
			since2000 & 255,
		) + answers
	);
}

/** Returns the date in the key of a row without a user ID, as text. */
export function dateInKey(key: string): string {
	return key.slice(0, DATE_LENGTH);
}

/** Whether the key of a row without a user ID has a date. */
export function isDated(key: string): boolean {
	return dateInKey(key) !== NO_DATE;
}

/** Returns a number from 0 to 1 that depends on the text alone and is spread evenly. */
export function spreadOf(text: string): number {
	const bytes = hashOf(text);
	return (bytes.charCodeAt(0) * 256 + bytes.charCodeAt(1)) / 2 ** 16;
}

/** Returns a text's SHA-256 as Latin-1, one character per byte. */
function hashOf(text: string): string {
	return hash('sha256', text, 'binary');
}

/** Returns the answers of a row as text. The same answers in another order give the same text. */
function answersText(row: SurveyRow): string {
	let text = '';
	let last = '';
	for (const name in row) {
		if (!isAnswer(name)) continue;
		// Answers mostly come in order; always sorting their names would cost more than building the text.
		if (byNumber(last, name) > 0) return sortedAnswersText(row);
		text += fieldText(name, row[name]);
		last = name;
	}
	return text;
}

function sortedAnswersText(row: SurveyRow): string {
	const names = Object.keys(row).filter(isAnswer).sort(byNumber);
	return names.map((name) => fieldText(name, row[name])).join('');
}

/** Sorts q.2 before q.10. Does not depend on the locale, because another process may have saved the key. */
function byNumber(a: string, b: string): number {
	return a.length - b.length || (a < b ? -1 : 1);
}

/** Returns the text of a field. A blank field adds no text, because the service may omit it or send null. */
function fieldText(name: string, value: unknown): string {
	return value === undefined || value === null ? '' : `${name}=${valueText(value)}`;
}

/** Converts a value to text. The length of a string precedes it, so that no two values have the same text. */
function valueText(value: unknown): string {
	if (typeof value === 'string') return `${value.length}:${value}`;
	if (!isRecord(value)) return `${String(value)};`;
	let text = '';
	if (Array.isArray(value)) {
		for (const entry of value) text += valueText(entry);
		return `[${text}]`;
	}
	const names = Object.keys(value);
	// Names mostly come in order; always sorting them would cost more than building the text.
	if (names.some((name, index) => name > (names[index + 1] ?? name))) names.sort();
	for (const name of names) text += fieldText(name, value[name]);
	return `{${text}}`;
}
