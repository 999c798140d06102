import { serviceTime } from '../../shared/serviceTime';
import { isAnswer, type SurveyRow } from '../../shared/surveyData';
import { isRecord } from '../../shared/values';
import { fingerprint } from './fingerprint';

/** How a row is identified: by its user ID, or by its content with or without a time of submission. */
export type RowKind = 'user' | 'dated' | 'undated';

/** A row with the fingerprint that identifies it. */
export type KeyedRow = { row: SurveyRow; kind: RowKind; key: string };

/** Returns the kind of a row without a user ID. */
export function kindOfContent({ submittedDate }: SurveyRow): RowKind {
	return typeof submittedDate === 'string' ? 'dated' : 'undated';
}

/** Returns when a row was submitted, in milliseconds since the epoch; NaN if unknown. */
export function submittedAt({ submittedDate }: SurveyRow): number {
	return serviceTime(submittedDate);
}

/** Returns the user ID of a row; `undefined` if the row has none or the survey is anonymous. */
export function userIdOf({ userId }: SurveyRow, anonymous: boolean): string | undefined {
	if (anonymous || userId === '') return undefined;
	return typeof userId === 'string' || typeof userId === 'number' ? String(userId) : undefined;
}

/** Returns the key of a row with a user ID. It depends on the ID alone, so the other fields of the row may change. */
export function keyOfUser(userId: string): string {
	return fingerprint(`user ${userId}`);
}

/**
 * Returns the key of a row without a user ID: a fingerprint of the name, the email address, the answers and the time of
 * submission. The time distinguishes equal responses. No other field is part of the key, because a field that changes would
 * make the row new again.
 */
export function keyOfContent(row: SurveyRow, identity = identityOf(row)): string {
	let text = identity;
	let last = '';
	// Answers mostly come in order; always sorting their names would cost more than building the text.
	for (const name in row) {
		if (!isAnswer(name)) continue;
		if (byNumber(last, name) > 0) {
			text = identity;
			for (const sorted of answered(row)) text += fieldText(sorted, row[sorted]);
			break;
		}
		text += fieldText(name, row[name]);
		last = name;
	}
	return fingerprint(text + fieldText('submittedDate', row.submittedDate));
}

/**
 * Returns the keys that a row without a user ID may have had before it was submitted. The row had one key when the survey
 * was opened, and a new key after each answer, in the order of the questions. The latest key comes first.
 */
export function earlierKeysOfContent(row: SurveyRow, identity = identityOf(row)): string[] {
	let text = identity;
	const keys = [fingerprint(text)];
	for (const name of answered(row)) {
		text += fieldText(name, row[name]);
		keys.push(fingerprint(text));
	}
	return keys.reverse();
}

/**
 * Yields the keys that a row may have had earlier. A row without a user ID had other keys before it was submitted. A row
 * with a user ID may have been returned without this ID before, with or without name and email address.
 */
export function* formerKeys({ row, kind }: KeyedRow): Generator<{ key: string; kind: RowKind }> {
	if (kind === 'user') {
		for (const identity of [identityOf(row), ''])
			yield { key: keyOfContent(row, identity), kind: kindOfContent(row) };
	}
	for (const identity of kind === 'user' ? [identityOf(row), ''] : [identityOf(row)])
		for (const key of earlierKeysOfContent(row, identity)) yield { key, kind: 'undated' };
}

function identityOf({ userEmail, userDisplayName }: SurveyRow): string {
	return fieldText('userEmail', userEmail) + fieldText('userDisplayName', userDisplayName);
}

/** Returns the names of a row's answers, in the order of the questions. */
function answered(row: SurveyRow): string[] {
	return Object.keys(row)
		.filter((name) => isAnswer(name) && !isBlank(row[name]))
		.sort(byNumber);
}

/** Returns the text of a field. A blank field adds no text, because the service may omit it or send null. */
function fieldText(name: string, value: unknown): string {
	return isBlank(value) ? '' : `${name}=${valueText(value)}`;
}

/**
 * Converts a value to text. The result is never the beginning of another value's result: the length of a string precedes
 * the string, which is cheaper than escaping.
 */
function valueText(value: unknown): string {
	if (typeof value === 'string') return `${value.length}:${value}`;
	if (typeof value !== 'object' || value === null) return `${String(value)};`;
	let text = '';
	if (Array.isArray(value)) {
		for (const entry of value) text += valueText(entry);
		return `[${text}]`;
	}
	if (isRecord(value)) {
		const names = Object.keys(value);
		// Names mostly come in order; always sorting them would cost more than building the text.
		if (names.some((name, index) => name > (names[index + 1] ?? name))) names.sort();
		for (const name of names) text += fieldText(valueText(name), value[name]);
	}
	return `{${text}}`;
}

function isBlank(value: unknown): boolean {
	return value === undefined || value === null;
}

/** Sorts q.2 before q.10. Does not depend on the locale, because another process may have saved the row. */
function byNumber(a: string, b: string): number {
	return a.length - b.length || (a < b ? -1 : 1);
}
