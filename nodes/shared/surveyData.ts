import type { IDataObject } from 'n8n-workflow';

import { isAnswered } from './answers';
import { type Fail } from './failure';
import { round } from './round';
import { isBlank, isDataObject, listIn } from './values';

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

/** A column of answers: the answers to one question, or under a key without a question. */
export type AnswerColumn = {
	/** `q.<n>`, as the service names it. */
	key: string;
	/** The title of its question, or the key. It is unique within a survey. */
	name: string;
	/** The question, if it is known for certain. */
	question?: IDataObject;
};

/**
 * Checks the shape of survey data. A missing list is treated as empty, because the API does not document whether a survey
 * without responses has a `result`. If any question has an unknown form, all questions are dropped: dropping only some
 * would assign answers to the wrong questions.
 *
 * @throws the error of `fail` if this is not survey data
 */
export function readSurveyData(data: unknown, fail: Fail): SurveyData {
	const rows: unknown = isDataObject(data) ? (data.result ?? []) : undefined;
	if (!isDataObject(data) || !Array.isArray(rows)) {
		throw fail(
			'The service returned the survey in an unexpected format',
			'The response was not used. Try again. If the error persists, contact the support of the service.',
		);
	}
	const { name, anonymous, questions, ...rest } = data;
	const list = listIn(questions);
	const survey: SurveyData = {
		...rest,
		questions: list.every(isDataObject) ? list : [],
		result: rows.filter(isDataObject),
	};
	if (typeof name === 'string') survey.name = name;
	// Any value but a blank or a clear no means anonymous, so that an unexpected value never exposes people.
	if (!isBlank(anonymous)) survey.anonymous = !/^(false|no|0)$/i.test(String(anonymous).trim());
	return survey;
}

/**
 * Returns the number in the first answer key, if the rows prove it (docs/development/conventions.md, Trigger). `q.0` in any
 * row proves 0. Without it, in a survey of N questions, `q.N` proves 1. So does an answer in a submitted row if the first
 * question is required and the last one is not.
 *
 * @returns `undefined` if nothing proves the number. An answer without its question is better than under a wrong one
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
		isFrom1 ||=
			Object.hasOwn(row, lastFrom1) ||
			(isFirstKnown &&
				row.submitted === true &&
				answerKeysIn(row).some((key) => isAnswered(row[key])));
	}
	return isFrom1 ? 1 : undefined;
}

/** Combines what two surveys show. All surveys have the same numbering, so a proven 0 overrides a 1. */
export function strongerNumbering(a?: Numbering, b?: Numbering): Numbering | undefined {
	return b === 0 ? 0 : (a ?? b);
}

/**
 * Prepares the naming of answers, once per survey: `q.<n>` becomes the title of the question, with a number such as "(2)" if
 * the title is repeated. A key without a question or usable title keeps its name. So do all while the numbering is unknown.
 *
 * @param known whether answer keys count from 0 or 1, if other surveys have shown it
 * @returns a function that returns the answers of one row: to all questions, in order, null if missing, then to other keys
 */
export function answerReader(survey: SurveyData, known?: Numbering): AnswersOf {
	// The names are computed on first use, because this scans all rows, and a poll without new events needs no names.
	let names: AnswerNames | undefined;
	return (row) => {
		names ??= nameAnswers(survey, strongerNumbering(known, numberingOf(survey)));
		const answers: IDataObject = {};
		for (const [key, { name }] of names.ofQuestions) answers[name] = row[key] ?? null;
		const { ofQuestions, ofOther } = names;
		const others = answerKeysIn(row).filter((key) => !ofQuestions.has(key));
		for (const key of others.sort(compareAnswerKeys)) answers[ofOther(key)] = row[key];
		return answers;
	};
}

/**
 * Returns a column for each question of a survey, in order, answered or not. Then come columns for the other answer keys in
 * its rows. The names are those of `answerReader`.
 *
 * @param usedNames names of the fields next to the answers. No column may get one of these names
 * @param known whether answer keys count from 0 or 1, if other surveys have shown it
 */
export function answerColumns(
	survey: SurveyData,
	usedNames: Iterable<string> = [],
	known?: Numbering,
): AnswerColumn[] {
	const present = new Set<string>();
	for (const row of survey.result) {
		for (const key in row) if (isAnswerKey(key)) present.add(key);
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
 * Returns the numbers of recipients and submissions of a survey, and the response rate from 0 to 1 with four decimals.
 *
 * @param reported number of recipients in the campaign's report. If `undefined`, recipients and response rate are null
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
	const ofOther = (key: string): string =>
		usedNames.has(key) ? unusedName(key, new Set(usedNames)) : key;
	return { ofQuestions, ofOther };
}

/**
 * Whether a title can be the name of a field. n8n copies items field by field, so a field "__proto__" would be lost or
 * change the copy's prototype.
 */
function isUsableTitle(title: unknown): title is string {
	return typeof title === 'string' && title.trim() !== '' && title !== '__proto__';
}

/** Whether a field of a row is an answer. */
export function isAnswerKey(key: string): boolean {
	return key.startsWith('q.');
}

function answerKeysIn(row: SurveyRow): string[] {
	return Object.keys(row).filter(isAnswerKey);
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
