import { hash } from 'node:crypto';

import { parseServiceDate, YEAR_2000 } from '../shared/serviceDate';
import { isAnswerKey, type SurveyRow } from '../shared/surveyData';
import { isShown, KEY_LENGTH, type EventsByKey } from './seen';

/** The key of a row without a user ID starts with its date, in this many characters. */
const DATE_LENGTH = 5;

/** Matches texts that mean "no ID": blanks, zeros (even those of an empty UUID) and "null". */
const NO_ID = /^(?:[\s0-]*|\s*null\s*)$/i;

/** Returns the user ID of a row. If the row has none, or one like "0" or "null", returns `undefined`. */
export function userIdOf({ userId }: SurveyRow): string | undefined {
	if (typeof userId !== 'string' && typeof userId !== 'number') return undefined;
	const id = String(userId);
	return NO_ID.test(id) ? undefined : id;
}

/** Returns the key of a row with a user ID: the ID, hashed to 8 bytes. */
export function userKey(userId: string): string {
	return sha256(userId).slice(0, KEY_LENGTH);
}

/**
 * Returns the key of a row without a user ID: its date to the millisecond, and a hash of its answers. The key contains no
 * ID, name or address, because a saved state must not show who answered what.
 *
 * Within a read, each row gets a different key, because two rows with the same date and answers are two events.
 *
 * @param keys show which keys the earlier rows of this read have (`isShown`)
 * @param collisions by key, how often it was taken already. The function adds to these numbers
 */
export function contentKey(
	row: SurveyRow,
	keys: EventsByKey,
	collisions: Map<string, number>,
): string {
	const time = parseServiceDate(row.submittedDate);
	// 0 stands for no date.
	const date = Number.isNaN(time) ? 0 : time - YEAR_2000 + 1;
	let answers = hashOfAnswers(row);
	for (;;) {
		const key = packKey(date, answers);
		if (!isShown(keys, key)) return key;
		// Of equal rows, the second moves one step on, and the third two steps. So no row tries the keys of all before it.
		const steps = (collisions.get(key) ?? 0) + 1;
		collisions.set(key, steps);
		answers += steps * PRIME;
	}
}

/** Returns the sum of the hashes of a row's answers, because the service may send the answers in any order. */
function hashOfAnswers(row: SurveyRow): number {
	let sum = 0;
	for (const name in row) {
		if (!isAnswerKey(name)) continue;
		const value = row[name];
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		sum += hash32(text, hash32(name));
	}
	return sum;
}

/** Spreads the bits of a hash, so that the sums of similar answers are far apart. */
const PRIME = 0x9e3779b1;

/** Returns a 32-bit hash. SHA-256 takes about three times as long. @param start the hash of the text before this one */
function hash32(text: string, start = PRIME): number {
	let bits = start;
	for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), PRIME);
	bits = Math.imul(bits ^ (bits >>> 15), PRIME);
	return bits ^ (bits >>> 13);
}

/** Packs a date into five bytes, and the hash of the answers into three. */
function packKey(date: number, answers: number): string {
	const bytes = Buffer.alloc(KEY_LENGTH);
	bytes.writeUIntBE(date % 2 ** 40, 0, DATE_LENGTH);
	bytes.writeUIntBE(answers & 0xffffff, DATE_LENGTH, KEY_LENGTH - DATE_LENGTH);
	return bytes.toString('latin1');
}

/** Returns the date in the key of a row without a user ID, packed. All rows without a date have the same. */
export function packedDateIn(key: string): string {
	return key.slice(0, DATE_LENGTH);
}

/** Returns the SHA-256 of a text as Latin-1, one character per byte. */
export function sha256(text: string): string {
	return hash('sha256', text, 'binary');
}
