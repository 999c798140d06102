import type { IDataObject } from 'n8n-workflow';

import type { Fail } from '../../../../shared/failure';
import { isAnswered } from '../../../../shared/answers';
import { fieldsIn } from '../../../../shared/values';
import { answerColumns, participationOf } from '../../../../shared/surveyData';
import type { AnswerColumn, Numbering, SurveyData } from '../../../../shared/surveyData';
import { questionParts, resultsOf, type Results } from './questionResults';
import { addCount, type AnswerCounts } from './answerStatistics';
import { describeResults } from './summaryText';
import { findQuestion, segmentsOf, type Minimums, type Segment } from './segments';
import { hiddenSegments } from './suppression';

export type SummarySettings = Minimums & {
	/** Name or number of the question whose answers are the segments. */
	breakDownBy?: string;
	/** With `breakDownBy`: whether each question also has an item of everybody, suppressed if all segments are. */
	includeEverybody?: boolean;
	/** Names or numbers of the questions that have an eNPS although their options do not show it. */
	enpsQuestions?: string[];
};

export type Summary = {
	/** One item per question, or per question and segment. All have the same fields in the same order. */
	items: IDataObject[];
	/** The `enpsQuestions` that the survey has, and those that it does not have. */
	found: string[];
	missing: string[];
	/** Problems with the survey, for the user. */
	warnings: string[];
};

/**
 * Summarizes the submitted rows of a survey. docs/survey-results.md explains the fields.
 *
 * If the numbering of the answers is unknown (provenNumbering in surveyData), `question` is the raw answer key, such as
 * `q.3`. Results of too few people are hidden (`hiddenSegments`): then `responses` is null and `suppressed` is true.
 *
 * @param reported the number of recipients in the campaign's report, or `undefined` if it is unknown. It may be higher
 *   than the number of rows
 * @param provenElsewhere the numbering that other surveys prove
 * @throws if no question has the name or number in `breakDownBy`
 */
export function summarize(
	survey: SurveyData,
	campaignId: string,
	{ breakDownBy, includeEverybody = false, enpsQuestions = [], ...minimums }: SummarySettings,
	reported: number | undefined,
	fail: Fail,
	provenElsewhere?: Numbering,
): Summary {
	const rows = survey.result.filter(({ submitted }) => submitted === true);
	const ofSurvey = {
		...participationOf(survey, reported),
		campaignId,
		campaignName: survey.name ?? null,
	};
	const columns = answerColumns(survey, [], provenElsewhere);
	const isEnps = new Map(enpsQuestions.map((given) => [given, findQuestion(given, columns, fail)]));
	const enpsColumns = new Set(isEnps.values());
	const segments = segmentsOf(rows, columns, breakDownBy, minimums, fail);
	const questions = answersTo(columns, segments);
	const resultsOfAll = (all: QuestionAnswers[], alwaysHidden: number[]): Results[][] => {
		const parts = all.map(({ column, answers }) =>
			questionParts(column.question, answers, minimums, enpsColumns.has(column)),
		);
		const layers = parts.flat().flatMap((part) => Object.values(part.layers));
		const hidden = hiddenSegments(layers, new Set(alwaysHidden));
		return parts.map((ofQuestion) => resultsOf(ofQuestion, hidden));
	};
	const isBrokenDown = breakDownBy !== undefined;
	// With Break Down By, a hidden name is null, and the people without an answer have none. Both segments show no results.
	const unnamed = segments.flatMap(({ name }, index) => (typeof name === 'string' ? [] : [index]));
	const results = resultsOfAll(questions, isBrokenDown ? unnamed : []);
	// The same results as without Break Down By, so that they reveal nothing more.
	const ofEverybody =
		isBrokenDown && includeEverybody ? resultsOfAll(questions.map(withoutSegments), []) : undefined;
	const isNumbered = columns.length === 0 || columns.some(({ question }) => question);
	const warnings = isNumbered
		? []
		: [
				`The responses of the survey “${survey.name ?? campaignId}” do not show which answers belong to which question, so the service’s keys, such as q.1, take the place of the questions.`,
			];
	const items = columns.flatMap((column, index) => {
		const itemOf = (result: Results, segment: IDataObject): IDataObject => ({
			...{ question: column.name, ...segment, suppressed: result === undefined },
			...{ text: describeResults(result), responses: null, ...result, ...ofSurvey },
		});
		const shown: IDataObject[] = segments.flatMap(({ name: segment }, place) => {
			// The people without an answer to the Break Down By question have no item.
			if (isBrokenDown && segment === undefined) return [];
			const names = { ...(isBrokenDown && { segment }), ...(ofEverybody && { everybody: false }) };
			return [itemOf(results[index]?.[place], names)];
		});
		if (ofEverybody) {
			const isAnyShown = shown.some(({ suppressed }) => suppressed === false);
			const result = isAnyShown ? ofEverybody[index]?.[0] : undefined;
			shown.push(itemOf(result, { segment: null, everybody: true }));
		}
		if (enpsColumns.has(column)) warnings.push(...missingEnps(column.name, shown));
		return shown;
	});
	const found = enpsQuestions.filter((given) => isEnps.get(given));
	const missing = enpsQuestions.filter((given) => !isEnps.get(given));
	return { items: withSameFields(items), found, missing, warnings };
}

/** Returns a warning if the items of a question show results but no eNPS. About hidden results, nothing may be said. */
function missingEnps(question: string, items: IDataObject[]): string[] {
	const shown = items.filter(({ suppressed }) => suppressed === false);
	const hasEnps = shown.some((item) =>
		[item, ...Object.values(fieldsIn(item.rows))].some((part) => 'enps' in fieldsIn(part)),
	);
	if (shown.length === 0 || hasEnps) return [];
	return [
		`The question “${question}” has no eNPS, because its answers are not whole numbers from 0 to 10.`,
	];
}

/** All fields of an item. Results come first, because n8n's table cuts off the last columns. Before them stands
 * whether they are hidden. */
const FIELDS = [
	...['question', 'segment', 'everybody', 'suppressed', 'text', 'responses'],
	...['distribution', 'otherAnswers', 'counted'],
	...['average', 'min', 'max', 'enps', 'topTwoShare', 'averageRank', 'rows', 'suppressedRows'],
	...['recipients', 'submitted', 'responseRate', 'campaignId', 'campaignName'],
];

/**
 * Gives all items of summaries the same fields in the same order. If an item lacks a field of another item, the field is
 * null.
 */
export function withSameFields(items: IDataObject[]): IDataObject[] {
	const fields = FIELDS.filter((name) => items.some((item) => name in item));
	return items.map((item) => Object.fromEntries(fields.map((name) => [name, item[name] ?? null])));
}

/** A question with the answers to it, by segment. */
type QuestionAnswers = { column: AnswerColumn; answers: AnswerCounts[] };

/** Adds up the answers of all segments. */
function withoutSegments({ column, answers }: QuestionAnswers): QuestionAnswers {
	const all: AnswerCounts = new Map();
	for (const counts of answers) for (const [answer, times] of counts) addCount(all, answer, times);
	return { column, answers: [all] };
}

/** Returns the answers in each column, by segment. Reads each row once, because 100,000 rows are slow to read. */
function answersTo(columns: AnswerColumn[], segments: Segment[]): QuestionAnswers[] {
	const questions = columns.map((column): QuestionAnswers => ({ column, answers: [] }));
	for (const { rows } of segments) {
		const counters = questions.map(({ column: { key }, answers }) => {
			const counts: AnswerCounts = new Map();
			answers.push(counts);
			return { key, counts };
		});
		for (const row of rows) for (const { key, counts } of counters) addCount(counts, row[key]);
		for (const { counts } of counters)
			for (const answer of counts.keys()) if (!isAnswered(answer)) counts.delete(answer);
	}
	return questions;
}
