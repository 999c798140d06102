import type { IDataObject } from 'n8n-workflow';

import { isAnswered } from './answers';
import { type Fail } from './failure';
import { round } from './round';
import { isBlank, isDataObject } from './values';

/** The data of one recipient of a survey: one element of `result` (survey.getResponses in emulator/openapi.yaml). */
export type SurveyRow = IDataObject;

/** The `data` of `GET campaign/:id/surveyData`. A list that the service omits is empty here. */
export type SurveyData = IDataObject & {
	name?: string;
	anonymous?: boolean;
	questions: IDataObject[];
	result: SurveyRow[];
};

/** Returns the answers of one row by question name. */
export type AnswersOf = (row: SurveyRow) => IDataObject;

/** The n in the first question's answer key `q.<n>`. The service does not document whether it is 0 or 1. */
export type Numbering = 0 | 1;

/** One answer key of a survey. */
export type AnswerKey = {
	/** `q.<n>`, as the service names it. */
	key: string;
	/** The title of its question, or the key itself. The name is unique within a survey. */
	name: string;
	/** The question, if it is known for certain. */
	question?: IDataObject;
};

/**
 * Checks the shape of survey data. A missing list is treated as empty, because the API does not document whether a survey
 * without responses has a `result`. If any question has an unknown form, all questions are dropped and the responses keep
 * their raw keys. Dropping only some questions would assign answers to the wrong questions.
 *
 * @param data the `data` of the response
 * @param fail creates the error
 * @throws the error of `fail` if this is not survey data
 */
export function readSurveyData(data: unknown, fail: Fail): SurveyData {
	if (!isDataObject(data)) throw unreadable('the survey', fail);
	const { name, anonymous, ...rest } = data;
	const survey: SurveyData = {
		...rest,
		questions: readQuestions(data),
		result: readRows(data, fail),
	};
	if (typeof name === 'string') survey.name = name;
	// Any value means anonymous, except a blank value or a clear no. So an unexpected value never
	// exposes people.
	if (!isBlank(anonymous)) survey.anonymous = !/^(false|no|0)$/i.test(String(anonymous).trim());
	return survey;
}

/**
 * Returns the number in the first answer key, if the rows prove it (docs/development/conventions.md, Trigger). `q.0`
 * in any row proves 0. Without it, one of two facts proves 1 in a survey of N questions:
 * - A row has `q.N`.
 * - The first question is required, the last one is not, and a submitted row has an answer.
 * The service does not document the numbering (survey.getResponses in emulator/openapi.yaml).
 *
 * @returns `undefined` if nothing proves the number. An answer is then shown without its question, which is better than
 *   under a wrong question.
 */
export function numberingOf({
	questions,
	result,
}: Pick<SurveyData, 'questions' | 'result'>): Numbering | undefined {
	const lastFrom1 = `q.${questions.length}`;
	// If the last question is required, too, a row without `q.N` contradicts itself.
	const isFirstKnown = questions[0]?.required === true && questions.at(-1)?.required !== true;
	let isFrom1 = false;
	for (const row of result) {
		if (Object.hasOwn(row, 'q.0')) return 0;
		isFrom1 ||= Object.hasOwn(row, lastFrom1) || (isFirstKnown && isSubmittedWithAnswer(row));
	}
	return isFrom1 ? 1 : undefined;
}

function isSubmittedWithAnswer(row: SurveyRow): boolean {
	return (
		row.submitted === true && Object.keys(row).some((key) => isAnswer(key) && isAnswered(row[key]))
	);
}

/**
 * Combines what two surveys show about the numbering of answers. All surveys have the same numbering, so a proven 0
 * overrides a 1.
 */
export function strongerNumbering(a?: Numbering, b?: Numbering): Numbering | undefined {
	return b === 0 ? 0 : (a ?? b);
}

/**
 * Prepares the naming of answers, once per survey: `q.<n>` becomes the title of the question. If a title is repeated,
 * a number such as "(2)" is appended. A key keeps its raw name in three cases: no question belongs to it, its question
 * has no usable title, or the numbering is unknown.
 *
 * @param known the numbering that other surveys have shown
 * @returns a function that returns the answers of one row. The answers to all questions come first, in order. A
 *   missing answer is null. The answers to keys without a question follow. While the numbering is unknown, the
 *   function returns only the keys of the row
 */
export function answerReader(survey: SurveyData, known?: Numbering): AnswersOf {
	// The names are computed on first use, because this scans all rows, and a poll without new events needs no names.
	let names: AnswerNames | undefined;
	return (row) => {
		names ??= nameAnswers(survey, strongerNumbering(known, numberingOf(survey)));
		const answers: IDataObject = {};
		for (const [key, { name }] of names.ofQuestions) answers[name] = row[key] ?? null;
		const { ofQuestions, ofOther } = names;
		const others: string[] = [];
		for (const key of Object.keys(row))
			if (isAnswer(key) && !ofQuestions.has(key)) others.push(key);
		for (const key of others.sort(compareAnswerKeys)) answers[ofOther(key)] = row[key];
		return answers;
	};
}

/**
 * Returns all answer keys of a survey, with the names that answerReader gives them. First come the keys of its questions in
 * order, answered or not, then all other answer keys in its rows.
 *
 * @param usedNames names of the fields next to the answers. No answer key may get one of these names
 * @param known the numbering that other surveys have shown
 */
export function answerKeysOf(
	survey: SurveyData,
	usedNames: Iterable<string> = [],
	known?: Numbering,
): AnswerKey[] {
	const present = new Set<string>();
	for (const row of survey.result) {
		for (const key in row) if (isAnswer(key)) present.add(key);
	}
	// If no row has answers, any numbering is safe: no answer can appear under a wrong question.
	const shown = strongerNumbering(known, numberingOf(survey));
	const numbering = shown ?? (present.size === 0 ? 1 : undefined);
	const { ofQuestions, ofOther } = nameAnswers(survey, numbering, usedNames);
	const others = [...present].filter((key) => !ofQuestions.has(key)).sort(compareAnswerKeys);
	return [
		...[...ofQuestions].map(([key, { name, question }]) => ({ key, name, question })),
		...others.map((key) => ({ key, name: ofOther(key) })),
	];
}

/**
 * Returns one row in the simplified form (docs/development/conventions.md, Trigger), without `event`. A value that
 * the service omits is null, so that tables and later expressions find every key.
 */
export function simplifyRow(
	survey: SurveyData,
	campaignId: string,
	answersOf: AnswersOf,
	row: SurveyRow,
): IDataObject {
	const item = respondentOf(survey, campaignId, row);
	item.answers = answersOf(row);
	return item;
}

/** Whether any row names its respondent. */
export function namesRespondents(rows: SurveyRow[]): boolean {
	return rows.some(({ userId, userDisplayName, userEmail }) =>
		[userId, userDisplayName, userEmail].some((value) => !isBlank(value)),
	);
}

/**
 * Returns the numbers of recipients and submissions of a survey, and the response rate from 0 to 1 with four decimals.
 *
 * @param reported number of recipients in the campaign's report, which may be higher than the number of rows. If it is
 *   `undefined`, recipients and response rate are null
 */
export function participationOf(
	{ result }: Pick<SurveyData, 'result'>,
	reported: number | undefined,
) {
	let submitted = 0;
	for (const row of result) if (row.submitted === true) submitted++;
	if (reported === undefined) return { recipients: null, submitted, responseRate: null };
	const recipients = Math.max(result.length, reported);
	const responseRate = recipients === 0 ? 0 : round(submitted / recipients, 4);
	return { recipients, submitted, responseRate };
}

/**
 * Returns one row in the simplified form, without `event` and answers. In an anonymous survey, the respondent's ID, name
 * and email are null, even if the service returns them.
 */
export function respondentOf(survey: SurveyData, campaignId: string, row: SurveyRow): IDataObject {
	const { userId, userDisplayName, userEmail }: SurveyRow = survey.anonymous === true ? {} : row;
	return {
		campaignId,
		campaignName: survey.name ?? null,
		anonymous: survey.anonymous ?? false,
		userId: userId ?? null,
		userDisplayName: userDisplayName ?? null,
		userEmail: userEmail ?? null,
		submittedDate: row.submittedDate ?? null,
		responseDuration: row.responseDuration ?? null,
	};
}

type AnswerNames = {
	/** Names by answer key, in the order of the questions. Empty while the numbering is unknown. */
	ofQuestions: Map<string, { name: string; question: IDataObject }>;
	/** The name of an answer key without a question. */
	ofOther: (key: string) => string;
};

function nameAnswers(
	{ questions }: SurveyData,
	first: Numbering | undefined,
	reserved: Iterable<string> = [],
): AnswerNames {
	const usedNames = new Set(reserved);
	const ofQuestions: AnswerNames['ofQuestions'] = new Map();
	if (first !== undefined) {
		for (const [index, question] of questions.entries()) {
			const key = `q.${index + first}`;
			const { title } = question;
			const name = unusedName(isUsableTitle(title) ? title : key, usedNames);
			ofQuestions.set(key, { name, question });
		}
	}
	const ofOthers = new Map<string, string>();
	return {
		ofQuestions,
		ofOther: (key) => {
			const name = ofOthers.get(key) ?? unusedName(key, usedNames);
			ofOthers.set(key, name);
			return name;
		},
	};
}

/**
 * Whether a title can be the name of a field. n8n copies items field by field, so a field "__proto__" would be lost or
 * change the copy's prototype.
 */
function isUsableTitle(title: unknown): title is string {
	return typeof title === 'string' && title.trim() !== '' && title !== '__proto__';
}

/** Whether a field of a row is an answer. */
export function isAnswer(key: string): boolean {
	return key.startsWith('q.');
}

function compareAnswerKeys(a: string, b: string): number {
	return a.localeCompare(b, 'en', { numeric: true });
}

/** Returns the name, with " (2)", " (3)" … appended if the name is used, and adds the result to `usedNames`. */
export function unusedName(name: string, usedNames: Set<string>): string {
	let unused = name;
	for (let count = 2; usedNames.has(unused); count++) unused = `${name} (${count})`;
	usedNames.add(unused);
	return unused;
}

function readQuestions({ questions }: IDataObject): IDataObject[] {
	const list: unknown = questions;
	return Array.isArray(list) && list.every(isDataObject) ? list : [];
}

function readRows({ result }: IDataObject, fail: Fail): SurveyRow[] {
	const list: unknown = result ?? [];
	if (!Array.isArray(list)) throw unreadable('"result" of the survey', fail);
	return list.filter(isDataObject);
}

function unreadable(what: string, fail: Fail): Error {
	return fail(
		`The service returned ${what} in an unexpected format`,
		'The response was not used. Try again. If the error persists, contact the support of the service.',
	);
}
