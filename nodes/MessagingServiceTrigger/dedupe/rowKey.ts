import { serviceTime } from '../../shared/serviceTime';
import { isAnswer, type SurveyRow } from '../../shared/surveyData';
import { isRecord } from '../../shared/typeGuards';
import { fingerprint } from './fingerprint';

/** What a row is known by: its user ID, or its content with or without a time of submission. */
export type RowKind = 'user' | 'dated' | 'undated';

/** A row with the fingerprint of what it is known by. */
export type KeyedRow = { row: SurveyRow; kind: RowKind; key: string };

/** The kind of a row without a user ID. */
export function kindOfContent({ submittedDate }: SurveyRow): RowKind {
	return typeof submittedDate === 'string' ? 'dated' : 'undated';
}

/** When a row was submitted, in milliseconds since the epoch; NaN when it does not say so. */
export function submittedAt({ submittedDate }: SurveyRow): number {
	return serviceTime(submittedDate);
}

/** The ID by which a row is known; none in an anonymous survey or where the service gives none. */
export function userIdOf({ userId }: SurveyRow, anonymous: boolean): string | undefined {
	if (anonymous || userId === '') return undefined;
	return typeof userId === 'string' || typeof userId === 'number' ? String(userId) : undefined;
}

/** The key of a row with a user ID: the ID alone, so that the row may change in any other way. */
export function keyOfUser(userId: string): string {
	return fingerprint(`user ${userId}`);
}

/**
 * The key of a row without a user ID: its content, without what changes while one and the same response goes on (the
 * three flags, the duration). The time of submission is part of it: it tells equal responses apart, so that a row that
 * vanishes while an equal one comes hides nothing. Undocumented fields stay out: one that changes with time would make
 * every row new again and again.
 */
export function keyOfContent(row: SurveyRow, identity = identityOf(row)): string {
	let text = identity;
	let last = '';
	// A list of the names would cost more than all the texts, and they mostly come in order.
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
 * The keys that a row without a user ID may have had before it was submitted: opened, and after each of its questions in
 * their order, which is how a survey is answered step by step. The latest stage comes first.
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
 * The keys by which a row may have been known until now: before it was submitted, and, when it has a user ID, before it
 * had one, with or without name and address.
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

/** The keys of a row's answers, in the order of the questions. */
function answered(row: SurveyRow): string[] {
	return Object.keys(row)
		.filter((name) => isAnswer(name) && !isBlank(row[name]))
		.sort(byNumber);
}

/** Nothing for a blank field: the service may leave an empty one out or send it as null. */
function fieldText(name: string, value: unknown): string {
	return isBlank(value) ? '' : `${name}=${valueText(value)}`;
}

/** A value as text that begins the text of no other value. Lengths tell where texts end, which costs less than escapes. */
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
		// They mostly come in order, and sorting them anyway would cost more than all the texts.
		if (names.some((name, index) => name > (names[index + 1] ?? name))) names.sort();
		for (const name of names) text += fieldText(valueText(name), value[name]);
	}
	return `{${text}}`;
}

function isBlank(value: unknown): boolean {
	return value === undefined || value === null;
}

/** q.2 before q.10. Not by language: what was saved in one process is looked up in another. */
function byNumber(a: string, b: string): number {
	return a.length - b.length || (a < b ? -1 : 1);
}
