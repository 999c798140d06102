import { isAnswer, type SurveyData, type SurveyRow } from '../../shared/surveyData';
import { isDataObject } from '../../shared/typeGuards';
import { eventsOf } from '../events';
import { fingerprint } from './fingerprint';

/** What a row is known by: its user ID, or its content with or without a time of submission. */
export type RowKind = 'user' | 'dated' | 'undated';

export type RowsOfSurvey = Pick<SurveyData, 'anonymous' | 'result'>;

/** A row with what tells whether it was seen before. */
export type KeyedRow = {
	row: SurveyRow;
	/** Its place in the response. */
	index: number;
	/** The events of interest that have happened to it, as a set. */
	events: number;
	kind: RowKind;
	/** The fingerprint of what it is known by. */
	key: string;
};

/** The rows of a response to which an event of interest has happened. @param wanted the events of interest, as a set */
export function keyedRows({ anonymous = false, result }: RowsOfSurvey, wanted: number): KeyedRow[] {
	const rows: KeyedRow[] = [];
	let index = -1;
	for (const row of result) {
		index++;
		const events = eventsOf(row) & wanted;
		if (events === 0) continue;
		const userId = userIdOf(row, anonymous);
		if (userId !== undefined)
			rows.push({ row, index, events, kind: 'user', key: keyOfUser(userId) });
		else rows.push({ row, index, events, kind: kindOfContent(row), key: keyOfContent(row) });
	}
	return rows;
}

/** The keys of all rows with a user ID. */
export function userKeys({ anonymous = false, result }: RowsOfSurvey): string[] {
	return result.flatMap((row) => {
		const userId = userIdOf(row, anonymous);
		return userId === undefined ? [] : [keyOfUser(userId)];
	});
}

function kindOfContent(row: SurveyRow): RowKind {
	return typeof row.submittedDate === 'string' ? 'dated' : 'undated';
}

/** When a row was submitted, in milliseconds since the epoch; NaN when it does not say so. */
export function submittedAt({ submittedDate }: SurveyRow): number {
	return typeof submittedDate === 'string' ? Date.parse(submittedDate) : NaN;
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
export function keyOfContent(row: SurveyRow): string {
	return fingerprint(contentOf(row).join('') + textOf('submittedDate', row.submittedDate));
}

/**
 * The keys that a row without a user ID may have had before it was submitted: opened, and after each of its questions in
 * their order, which is how a survey is answered step by step. The latest stage comes first.
 */
export function earlierKeysOfContent(row: SurveyRow): string[] {
	const content = contentOf(row);
	return [undefined, ...content.slice(1)]
		.map((_, answers) => fingerprint(content.slice(0, answers + 1).join('')))
		.reverse();
}

/** What a row says of the person, then each answer in the order of the questions, as texts. */
function contentOf(row: SurveyRow): string[] {
	const names: string[] = [];
	for (const name in row) if (isAnswer(name) && !isBlank(row[name])) names.push(name);
	names.sort(byNumber);
	const { userEmail, userDisplayName } = row;
	return [
		textOf('userEmail', userEmail) + textOf('userDisplayName', userDisplayName),
		...names.map((name) => textOf(name, row[name])),
	];
}

/**
 * A field as text that no other field or value has, nothing for a blank one: the service may leave an empty field out or
 * send it as null. Lengths stand in it in place of escapes, which would cost more.
 */
function textOf(name: string | number, value: unknown): string {
	if (isBlank(value)) return '';
	if (typeof value === 'string') return `${name}=${value.length}:${value};`;
	if (Array.isArray(value))
		return `${name}=[${value.map((entry, at) => textOf(at, entry)).join('')}]`;
	if (!isDataObject(value)) return `${name}=${String(value)};`;
	const fields = Object.keys(value).sort();
	return `${name}={${fields.map((field) => textOf(`${field.length}:${field}`, value[field])).join('')}}`;
}

function isBlank(value: unknown): boolean {
	return value === undefined || value === null;
}

/** q.2 before q.10. Not by language: what was saved in one process is looked up in another. */
function byNumber(a: string, b: string): number {
	return a.length - b.length || (a < b ? -1 : 1);
}
