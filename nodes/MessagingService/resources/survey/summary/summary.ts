import type { IDataObject } from 'n8n-workflow';

import type { Fail } from '../../../../shared/failure';
import { isAnswered } from '../../../../shared/answers';
import { answerColumns, participationOf } from '../../../../shared/surveyData';
import type { AnswerColumn, SurveyData, SurveyRow } from '../../../../shared/surveyData';
import { questionParts, resultsOf } from './questionResults';
import { addCount, type AnswerCounts } from './answerStatistics';
import { segmentsOf, type Minimums } from './segments';
import { hiddenSegments } from './suppression';

export type SummarySettings = Minimums & {
	/** Name or number of the question whose answers are the segments. */
	breakDownBy?: string;
};

/**
 * Summarizes the submitted rows of a survey: one item per question, or per question and segment.
 * docs/survey-results.md explains the fields.
 *
 * If the numbering of the answers is unknown (provenNumbering in surveyData), `question` is the raw answer key, such as
 * `q.3`. Results of too few people are hidden (`hiddenSegments`): then `responses` is null and `suppressed` is true.
 *
 * @param reported the number of recipients in the campaign's report, or `undefined` if it is unknown. It may be higher
 *   than the number of rows
 * @returns items with the same fields in the same order
 * @throws if no question has the name or number in `breakDownBy`
 */
export function summarize(
	survey: SurveyData,
	campaignId: string,
	{ breakDownBy, ...minimums }: SummarySettings,
	reported: number | undefined,
	fail: Fail,
): IDataObject[] {
	const rows = survey.result.filter(({ submitted }) => submitted === true);
	const participation = participationOf(survey, reported);
	const columns = answerColumns(survey);
	const segments = segmentsOf(rows, columns, breakDownBy, minimums, fail);
	const bySegment = segments.map((segment) => answersTo(columns, segment.rows));
	const questions = columns.map(({ name, question }, column) => {
		const answers = bySegment.map((ofSegment) => ofSegment[column] ?? new Map<unknown, number>());
		return { name, answers, parts: questionParts(question, answers, minimums) };
	});
	// With Break Down By, a hidden name is null, and the people without an answer have none. Both segments show no results.
	const unnamed = segments.flatMap(({ name }, index) => (typeof name === 'string' ? [] : [index]));
	const layers = questions.flatMap(({ parts }) =>
		parts.flatMap((part) => Object.values(part.layers)),
	);
	const hidden = hiddenSegments(layers, new Set(breakDownBy === undefined ? [] : unnamed));
	const items = questions.flatMap((question) =>
		question.answers.flatMap((answers, index) => {
			const { name: segment } = segments[index] ?? {};
			// The people without an answer to the Break Down By question have no item.
			if (breakDownBy !== undefined && segment === undefined) return [];
			const results = resultsOf(question.parts, hidden, answers, index);
			return {
				question: question.name,
				...(segment !== undefined && { segment }),
				responses: null,
				...results,
				suppressed: results === undefined,
				...participation,
				campaignId,
				campaignName: survey.name ?? null,
			};
		}),
	);
	return withSameFields(items);
}

/** All fields of an item. Results come first, because n8n's table cuts off the last columns. Before them stands
 * whether they are hidden. */
const FIELDS = [
	...['question', 'segment', 'suppressed', 'responses', 'distribution', 'otherAnswers'],
	...['average', 'min', 'max', 'enps', 'topTwoShare', 'averageRank', 'rows', 'suppressedRows'],
	...['recipients', 'submitted', 'responseRate', 'campaignId', 'campaignName'],
];

/**
 * Gives all items of summaries the same fields in the same order. If an item lacks a field of another item, the field is
 * null.
 */
export function withSameFields(items: IDataObject[]): IDataObject[] {
	const fields = FIELDS.filter((name) => items.some((item) => name in item));
	return items.map((item) => {
		const same: IDataObject = {};
		for (const name of fields) same[name] = item[name] ?? null;
		return same;
	});
}

/** Returns the answers in each column. Reads each row once, because 100,000 rows are slow to read. */
function answersTo(columns: AnswerColumn[], rows: SurveyRow[]): AnswerCounts[] {
	const questions = columns.map(({ key }) => ({ key, answers: new Map<unknown, number>() }));
	for (const row of rows) for (const { key, answers } of questions) addCount(answers, row[key]);
	for (const { answers } of questions)
		for (const answer of answers.keys()) if (!isAnswered(answer)) answers.delete(answer);
	return questions.map(({ answers }) => answers);
}
