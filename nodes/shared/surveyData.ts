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

/** The n in the first question's answer key `q.<n>`. The service does not document whether it is 0 or 1. */
export type Numbering = 0 | 1;

/** A column of answers: the answers to one question, or under a key without a question. */
export type AnswerColumn = {
	/** The service's key of the answers: `q.<n>`. */
	key: string;
	/** The title of the question, or else the key. It is unique within a survey. */
	name: string;
	/** The question. Absent for a key without a question, and if nothing proves the numbering. */
	question?: IDataObject;
};

/**
 * Reads survey data from the `data` of a response. A missing list is empty, because the API does not document whether a
 * survey without responses has a `result`. Rows that are not objects are left out. If any question is not an object, all
 * questions are left out: leaving out only some would assign answers to the wrong questions.
 *
 * @throws the error of `fail` if this is not survey data
 */
export function parseSurveyData(data: unknown, fail: Fail): SurveyData {
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
	// A blank value and a clear no mean "not anonymous". Any other value means anonymous, so that nobody is exposed.
	if (!isBlank(anonymous)) survey.anonymous = !/^(false|no|0)$/i.test(String(anonymous).trim());
	return survey;
}

/**
 * Returns whether answer keys count from 0 or 1, if the rows prove it (docs/development/conventions.md, Output).
 *
 * - `q.0` in any row proves 0.
 * - Without it, `q.N` in a survey of N questions proves 1.
 * - So does a submitted row with an answer, if the first question is required and the last one is not.
 *
 * @returns `undefined` without proof: an answer without its question is better than under a wrong one
 */
export function provenNumbering({ questions, result }: SurveyData): Numbering | undefined {
	if (result.some((row) => Object.hasOwn(row, 'q.0'))) return 0;
	const lastFrom1 = `q.${questions.length}`;
	if (result.some((row) => Object.hasOwn(row, lastFrom1))) return 1;
	// A submitted row answers every required question. If the first is required, its key is not `q.0`, so it is `q.1`.
	// If the last is required, too, its key `q.N` is missing, so the rows contradict themselves and prove nothing.
	const isFirstRequired = questions[0]?.required === true;
	const isLastRequired = questions.at(-1)?.required === true;
	if (!isFirstRequired || isLastRequired) return undefined;
	const isAnswer = ([key, value]: [string, unknown]) => isAnswerKey(key) && isAnswered(value);
	const isProof = (row: SurveyRow) => row.submitted === true && Object.entries(row).some(isAnswer);
	return result.some(isProof) ? 1 : undefined;
}

/**
 * Combines what two surveys prove. All surveys have the same numbering, and `q.0` proves more, so 0 overrides 1.
 * `undefined` proves nothing.
 */
export function strongerNumbering(a?: Numbering, b?: Numbering): Numbering | undefined {
	return b === 0 ? 0 : (a ?? b);
}

/**
 * Returns the columns of a table with all answers of a survey: one for each question, in order, answered or not, then one
 * for each other answer key in its rows. If there are answers and nothing proves the numbering, there are only the columns
 * of answer keys.
 *
 * @param usedNames names of the fields next to the answers, which no column may have
 * @param provenElsewhere the numbering that other surveys prove
 */
export function answerColumns(
	survey: SurveyData,
	usedNames: Iterable<string> = [],
	provenElsewhere?: Numbering,
): AnswerColumn[] {
	const present = new Set<string>();
	for (const row of survey.result) {
		for (const key in row) if (isAnswerKey(key)) present.add(key);
	}
	const proven = strongerNumbering(provenElsewhere, provenNumbering(survey));
	// If no row has answers, any numbering is safe, because no answer can appear under a wrong question.
	const numbering = proven ?? (present.size === 0 ? 1 : undefined);
	const names = new Set(usedNames);
	const columns: AnswerColumn[] = [];
	if (numbering !== undefined) {
		for (const [index, question] of survey.questions.entries()) {
			const key = `q.${index + numbering}`;
			present.delete(key);
			const { title } = question;
			const name = uniqueName(isUsableTitle(title) ? title : key, names);
			columns.push({ key, name, question });
		}
	}
	// `q.2` before `q.10`.
	const others = [...present].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
	for (const key of others) columns.push({ key, name: uniqueName(key, names) });
	return columns;
}

/**
 * Returns how many people got a survey and submitted it: `{ recipients: 3, submitted: 2, responseRate: 0.6667 }`.
 * `recipients` is the larger of `reported` and the number of rows. With 0 recipients, the rate is 0.
 *
 * @param reported number of recipients in the campaign's report. If it is `undefined`, recipients and response rate are null
 */
export function participationOf({ result }: SurveyData, reported?: number) {
	const submitted = result.filter((row) => row.submitted === true).length;
	if (reported === undefined) return { recipients: null, submitted, responseRate: null };
	const recipients = Math.max(result.length, reported);
	const responseRate = recipients === 0 ? 0 : round(submitted / recipients, 4);
	return { recipients, submitted, responseRate };
}

/** Whether a title can be the name of a field. A field "__proto__" would be lost when n8n copies the item. */
function isUsableTitle(title: unknown): title is string {
	return typeof title === 'string' && title.trim() !== '' && title !== '__proto__';
}

/** Whether a field of a row is an answer, such as `q.3`. */
export function isAnswerKey(key: string): boolean {
	return key.startsWith('q.');
}

/** Returns the name, with " (2)", " (3)" … appended if it is used. Adds the result to `usedNames`. */
export function uniqueName(name: string, usedNames: Set<string>): string {
	let unique = name;
	for (let count = 2; usedNames.has(unique); count++) unique = `${name} (${count})`;
	usedNames.add(unique);
	return unique;
}
