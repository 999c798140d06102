import type { IDataObject } from 'n8n-workflow';

import { type Fail } from './failure';
import { isDataObject } from './typeGuards';
import { isBlank } from './values';

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
	// Text in the place of the switch must not lay people open, so all but a clear no counts as anonymous.
	if (!isBlank(anonymous)) survey.anonymous = !/^(false|no|0)$/i.test(String(anonymous).trim());
	return survey;
}

/** How many submitted rows without `q.0` are taken for counting from 1. */
const ROWS_FOR_1 = { firstRequired: 2, any: 20 };

/**
 * Where the answer keys of a survey begin, as far as its rows show it: `q.0` in any row proves 0. Without one, two submitted
 * rows with answers are taken for 1 if the first question is required, else twenty (survey.getResponses in
 * emulator/openapi.yaml leaves it open). A key with another number proves nothing, because questions may have been removed.
 *
 * @returns `undefined` when nothing shows it: the answer under the wrong question would be worse than one without
 */
export function numberingOf({
	questions,
	result,
}: Pick<SurveyData, 'questions' | 'result'>): Numbering | undefined {
	const enough = questions[0]?.required === true ? ROWS_FOR_1.firstRequired : ROWS_FOR_1.any;
	let without = 0;
	for (const row of result) {
		if (Object.hasOwn(row, 'q.0')) return 0;
		if (without < enough && row.submitted === true && Object.keys(row).some(isAnswer)) without++;
	}
	return without === enough ? 1 : undefined;
}

/** Of what surveys showed of the numbering, which is one rule of the service: a `q.0` proves 0 whatever was thought before. */
export function strongerNumbering(a?: Numbering, b?: Numbering): Numbering | undefined {
	return a === 0 || b === 0 ? 0 : (a ?? b);
}

/**
 * Prepares, once a survey, how answers are named: `q.<n>` becomes the title of the question. Equal titles get " (2)" and
 * so on; a key keeps its raw name when it has no question, when its question has no usable title, and as long as nothing
 * shows where n begins. No two keys get one name.
 *
 * @param known what any survey showed of the numbering, beside the rows of this one
 * @returns a function that gives the answers of one row: all questions in their order, null where there is no answer, then
 * the keys without a question; as long as nothing shows where n begins, the keys of the row alone
 */
export function answerReader(survey: SurveyData, known?: Numbering): AnswersOf {
	// Left until the first row is read: it looks at every row, and a poll without new events reads none.
	let names: AnswerNames | undefined;
	return (row) => {
		names ??= nameAnswers(survey, strongerNumbering(known, numberingOf(survey)));
		const answers: IDataObject = {};
		for (const [key, { name }] of names.ofQuestions) answers[name] = row[key] ?? null;
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
 * @param known what any survey showed of the numbering, beside the rows of this one
 */
export function answerKeysOf(
	survey: SurveyData,
	taken: Iterable<string> = [],
	known?: Numbering,
): AnswerKey[] {
	const present = new Set<string>();
	for (const row of survey.result) {
		for (const key in row) if (isAnswer(key)) present.add(key);
	}
	// Without any answer none can stand under the wrong question.
	const shown = strongerNumbering(known, numberingOf(survey));
	const numbering = shown ?? (present.size === 0 ? 1 : undefined);
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

/** Whether a row names its respondent. */
export function namesRespondents(rows: SurveyRow[]): boolean {
	return rows.some(({ userId, userDisplayName, userEmail }) =>
		[userId, userDisplayName, userEmail].some((value) => !isBlank(value)),
	);
}

/**
 * How many people a survey went to, how many submitted it, and the share of these, from 0 to 1.
 *
 * @param reported how many recipients the campaign's report counts; survey data may list fewer
 */
export function participationOf({ result }: Pick<SurveyData, 'result'>, reported: number) {
	const recipients = Math.max(result.length, reported);
	const submitted = result.filter((row) => row.submitted === true).length;
	return { recipients, submitted, responseRate: recipients === 0 ? 0 : submitted / recipients };
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
