import type { IDataObject } from 'n8n-workflow';

import { type Fail } from './failure';
import { isDataObject } from './guards';

/** What the service knows of one recipient of a survey: one element of `result` (survey.getResponses in emulator/openapi.yaml). */
export type SurveyRow = IDataObject;

/** The `data` of `GET campaign/:id/surveyData`, with the lists that the service may leave out. */
export type SurveyData = IDataObject & {
	name?: string;
	anonymous?: boolean;
	questions: IDataObject[];
	result: SurveyRow[];
};

/** Gives the answers of one row under the names of the questions. */
export type AnswersOf = (row: SurveyRow) => IDataObject;

/**
 * Checks the shape of what `GET campaign/:id/surveyData` gave. A list that is left out is an empty one: whether a survey
 * without responses has a `result` is not shown.
 *
 * @param data the `data` of the answer
 * @param fail makes the error
 * @throws what `fail` makes, when this is no survey data
 */
export function readSurveyData(data: unknown, fail: Fail): SurveyData {
	if (!isDataObject(data)) throw unreadable('the survey', fail);
	const { name, anonymous, ...rest } = data;
	const survey: SurveyData = {
		...rest,
		questions: recordsIn(data, 'questions', fail),
		result: recordsIn(data, 'result', fail),
	};
	if (typeof name === 'string') survey.name = name;
	if (typeof anonymous === 'boolean') survey.anonymous = anonymous;
	return survey;
}

/**
 * Prepares, once a survey, how answers are named: `q.<n>` becomes the title of the question (docs/conventions.md,
 * messagingServiceTrigger). n counts from 0 when any row has `q.0`, else from 1; equal titles get " (2)" and so on; a
 * key without a question, or whose question has no usable title, keeps its raw name. No two keys get one name.
 *
 * @returns a function that gives the answers of one row, in the order of the questions
 */
export function answerReader(survey: SurveyData): AnswersOf {
	// Left until the first row is read: it looks at every row, and a poll without news reads none.
	let names: AnswerNames | undefined;
	return (row) => {
		names ??= nameAnswers(survey);
		const answers: IDataObject = {};
		for (const [key, name] of names.ofQuestions) {
			if (Object.hasOwn(row, key)) answers[name] = row[key];
		}
		const others = Object.keys(row).filter((key) => isAnswer(key) && !names?.ofQuestions.has(key));
		for (const key of others.sort(byNumber)) answers[names.ofOther(key)] = row[key];
		return answers;
	};
}

/**
 * One row in the simplified form (docs/conventions.md, Trigger), without `event` and `campaignId`. Every key is always there, so
 * that a table or an expression after the node finds it: what the service left out is null.
 */
export function simplifyRow(survey: SurveyData, answersOf: AnswersOf, row: SurveyRow): IDataObject {
	return {
		campaignName: survey.name ?? null,
		anonymous: survey.anonymous ?? false,
		userId: row.userId ?? null,
		userDisplayName: row.userDisplayName ?? null,
		userEmail: row.userEmail ?? null,
		submittedDate: row.submittedDate ?? null,
		responseDuration: row.responseDuration ?? null,
		answers: answersOf(row),
	};
}

type AnswerNames = {
	/** Names by answer key, in the order of the questions. */
	ofQuestions: Map<string, string>;
	/** The name of an answer key that has no question. */
	ofOther: (key: string) => string;
};

function nameAnswers({ questions, result }: SurveyData): AnswerNames {
	const first = result.some((row) => Object.hasOwn(row, 'q.0')) ? 0 : 1;
	const taken = new Set<string>();
	const ofQuestions = new Map<string, string>();
	for (const [index, { title }] of questions.entries()) {
		const key = `q.${index + first}`;
		ofQuestions.set(key, unusedName(isUsableTitle(title) ? title : key, taken));
	}
	const ofOthers = new Map<string, string>();
	return {
		ofQuestions,
		ofOther: (key) => {
			const name = ofOthers.get(key) ?? unusedName(key, taken);
			ofOthers.set(key, name);
			return name;
		},
	};
}

/** n8n copies items key by key, and a key "__proto__" would be lost on the way or change the copy itself. */
function isUsableTitle(title: unknown): title is string {
	return typeof title === 'string' && title.trim() !== '' && title !== '__proto__';
}

function isAnswer(key: string): boolean {
	return key.startsWith('q.');
}

function byNumber(a: string, b: string): number {
	return a.localeCompare(b, 'en', { numeric: true });
}

/** The name itself, or with the first of " (2)", " (3)" … that nobody has; it is taken from then on. */
function unusedName(name: string, taken: Set<string>): string {
	let unused = name;
	for (let count = 2; taken.has(unused); count++) unused = `${name} (${count})`;
	taken.add(unused);
	return unused;
}

function recordsIn(data: IDataObject, key: string, fail: Fail): IDataObject[] {
	const list: unknown = data[key] ?? [];
	if (!Array.isArray(list)) throw unreadable(`"${key}" of the survey`, fail);
	return list.filter(isDataObject);
}

function unreadable(what: string, fail: Fail): Error {
	return fail(
		`The service gave ${what} in a form that cannot be read`,
		'Nothing of the answer was used. Try again; if it stays like this, tell the support of the service.',
	);
}
