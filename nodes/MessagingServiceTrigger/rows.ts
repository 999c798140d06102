import { hash } from 'node:crypto';

import { parseServiceDate, YEAR_2000 } from '../shared/serviceDate';
import { isAnswerKey, type SurveyRow } from '../shared/surveyData';
import { isShown, KEY_LENGTH } from './seen';

/** The key of a row without a user ID starts with its date, or with zeros. */
const DATE_LENGTH = 5;

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
 * @param seen shows which keys this read has so far
 * @param repeats how often this read found each key taken. Adds to the counts
 */
export function contentKey(
	row: SurveyRow,
	seen: Map<string, number>,
	repeats: Map<string, number>,
): string {
	const time = parseServiceDate(row.submittedDate);
	const date = Number.isNaN(time) ? 0 : time - YEAR_2000 + 1;
	let hash = hashOfAnswers(row);
	for (;;) {
		const key = packKey(date, hash);
		if (!isShown(seen, key)) return key;
		// Of equal rows, the second moves one step on, and the third two steps. So no row tries the keys of all before it.
		const steps = (repeats.get(key) ?? 0) + 1;
		repeats.set(key, steps);
		hash += steps * PRIME;
	}
}

/** Returns the sum of the hashes of a row's answers, because the service may send the answers in any order. */
function hashOfAnswers(row: SurveyRow): number {
	let sum = 0;
	for (const name in row) {
		if (!isAnswerKey(name)) continue;
		const value = row[name];
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		sum += shortHashOf(text, shortHashOf(name));
	}
	return sum;
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
