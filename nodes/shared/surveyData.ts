import type { IDataObject } from 'n8n-workflow';

import { type Fail } from './failure';
import { isDataObject } from './typeGuards';

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

/** What n of the answer key `q.<n>` is for the first question; the service does not say. */
export type Numbering = 0 | 1;

/** One answer key of a survey. */
export type AnswerKey = {
	/** As the service has it: `q.<n>`. */
	key: string;
	/** The title of its question, or the key itself; no two keys of a survey have one name. */
	name: string;
	/** The question, when it is proved which one it is. */
	question?: IDataObject;
};

/**
 * Checks the shape of what `GET campaign/:id/surveyData` gave. A list that is left out is an empty one: whether a survey
 * without responses has a `result` is not shown. Questions in a form that nobody knows count as none, so that the
 * responses come with their raw keys; leaving out single ones would shift the others to the wrong answers.
 *
 * @param data the `data` of the response
 * @param fail makes the error
 * @throws what `fail` makes, when this is no survey data
 */
export function readSurveyData(data: unknown, fail: Fail): SurveyData {
	if (!isDataObject(data)) throw unreadable('the survey', fail);
	const { name, anonymous, ...rest } = data;
	const survey: SurveyData = {
		...rest,
		questions: questionsIn(data),
		result: rowsIn(data, fail),
	};
	if (typeof name === 'string') survey.name = name;
	if (typeof anonymous === 'boolean') survey.anonymous = anonymous;
	return survey;
}

/**
 * Where the answer keys of a survey begin, as far as its rows prove it: `q.0` in any row proves 0, `q.<number of
 * questions>` proves 1 (survey.getResponses in emulator/openapi.yaml leaves it open).
 *
 * @returns `undefined` when nothing proves it: the answer under the wrong question would be worse than one without
 */
export function numberingOf({
	questions,
	result,
}: Pick<SurveyData, 'questions' | 'result'>): Numbering | undefined {
	const last = `q.${questions.length}`;
	let proved: Numbering | undefined;
	for (const row of result) {
		if (Object.hasOwn(row, 'q.0')) return 0;
		if (Object.hasOwn(row, last)) proved = 1;
	}
	return proved;
}

/** Of what surveys showed of the numbering, which is the same for all: a `q.0` proves 0 whatever else was thought. */
export function strongerNumbering(a?: Numbering, b?: Numbering): Numbering | undefined {
	return a === 0 || b === 0 ? 0 : (a ?? b);
}

/**
 * Prepares, once a survey, how answers are named: `q.<n>` becomes the title of the question. Equal titles get " (2)" and
 * so on; a key keeps its raw name when it has no question, when its question has no usable title, and as long as nothing
 * proves where n begins. No two keys get one name.
 *
 * @param known what was proved earlier for this survey; left out, its rows are asked (see numberingOf)
 * @returns a function that gives the answers of one row, in the order of the questions
 */
export function answerReader(survey: SurveyData, known?: Numbering): AnswersOf {
	// Left until the first row is read: it looks at every row, and a poll without new events reads none.
	let names: AnswerNames | undefined;
	return (row) => {
		names ??= nameAnswers(survey, known ?? numberingOf(survey));
		const answers: IDataObject = {};
		for (const [key, { name }] of names.ofQuestions) {
			if (Object.hasOwn(row, key)) answers[name] = row[key];
		}
		const { ofQuestions, ofOther } = names;
		const others: string[] = [];
		for (const key of Object.keys(row))
			if (isAnswer(key) && !ofQuestions.has(key)) others.push(key);
		for (const key of others.sort(byNumber)) answers[ofOther(key)] = row[key];
		return answers;
	};
}

/**
 * All answer keys of a survey: those of its questions in their order, answered or not, then those in its rows that have no
 * question. They are named as answerReader names them.
 *
 * @param taken names that no key may have, because they stand beside the answers
 * @param known what any survey showed of the numbering; left out, the survey's own rows decide
 */
export function answerKeysOf(
	survey: SurveyData,
	taken: Iterable<string> = [],
	known?: Numbering,
): AnswerKey[] {
	const present = new Set<string>();
	for (const row of survey.result) {
		for (const key of Object.keys(row)) if (isAnswer(key)) present.add(key);
	}
	// Without any answer none can stand under the wrong question.
	const numbering = known ?? numberingOf(survey) ?? (present.size === 0 ? 1 : undefined);
	const { ofQuestions, ofOther } = nameAnswers(survey, numbering, taken);
	const others = [...present].filter((key) => !ofQuestions.has(key)).sort(byNumber);
	return [
		...[...ofQuestions].map(([key, { name, question }]) => ({ key, name, question })),
		...others.map((key) => ({ key, name: ofOther(key) })),
	];
}

/**
 * One row in the simplified form (docs/conventions.md, Trigger), without `event`. Every key is always there, so that a
 * table or an expression after the node finds it: what the service left out is null.
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

/** What the simplified form says beside the answers; an anonymous survey names nobody, even where the service does. */
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
	/** Names by answer key, in the order of the questions; empty as long as nothing proves which key is whose. */
	ofQuestions: Map<string, { name: string; question: IDataObject }>;
	/** The name of an answer key that has no question. */
	ofOther: (key: string) => string;
};

function nameAnswers(
	{ questions }: SurveyData,
	first: Numbering | undefined,
	reserved: Iterable<string> = [],
): AnswerNames {
	const taken = new Set(reserved);
	const ofQuestions: AnswerNames['ofQuestions'] = new Map();
	if (first !== undefined) {
		for (const [index, question] of questions.entries()) {
			const key = `q.${index + first}`;
			const { title } = question;
			const name = unusedName(isUsableTitle(title) ? title : key, taken);
			ofQuestions.set(key, { name, question });
		}
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

/** Whether a field of a row is an answer. */
export function isAnswer(key: string): boolean {
	return key.startsWith('q.');
}

function byNumber(a: string, b: string): number {
	return a.localeCompare(b, 'en', { numeric: true });
}

/** The name itself, or with the first of " (2)", " (3)" … that nobody has; it is taken from then on. */
export function unusedName(name: string, taken: Set<string>): string {
	let unused = name;
	for (let count = 2; taken.has(unused); count++) unused = `${name} (${count})`;
	taken.add(unused);
	return unused;
}

function questionsIn({ questions }: IDataObject): IDataObject[] {
	const list: unknown = questions;
	return Array.isArray(list) && list.every(isDataObject) ? list : [];
}

function rowsIn({ result }: IDataObject, fail: Fail): SurveyRow[] {
	const list: unknown = result ?? [];
	if (!Array.isArray(list)) throw unreadable('"result" of the survey', fail);
	return list.filter(isDataObject);
}

function unreadable(what: string, fail: Fail): Error {
	return fail(
		`The service gave ${what} in a form that cannot be read`,
		'Nothing of the response was used. Try again; if the error stays, tell the support of the service.',
	);
}
