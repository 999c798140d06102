import type { IDataObject } from 'n8n-workflow';

import { isDataObject, listIn } from '../../../../shared/values';
import { answerText } from '../../../../shared/answers';
import {
	addCount,
	areRankings,
	averageRank,
	countChoicesAndTexts,
	distributionOf,
	isEnpsQuestion,
	matrixRowsIn,
	numberStatistics,
	optionSetOf,
	shownAnswers,
	sumOf,
} from './answerStatistics';
import type { AnswerCounts, OptionSet, PeopleCount } from './answerStatistics';
import type { Minimums } from './segments';
import type { HiddenSegments, Layer } from './suppression';

/** Results of one segment, or `undefined` if suppressed. */
export type Results = IDataObject | undefined;

/** What has its own results: a row of a matrix, or a whole question of any other type. */
export type QuestionPart = {
	/** The answers, by segment. */
	answers: AnswerCounts[];
	optionSet: OptionSet;
	/** The name of the row, only of a matrix. */
	row?: string;
	isRanking: boolean;
	hasEnps: boolean;
	/**
	 * What is shown or hidden on its own: the options and numbers, the texts, and, if the texts are hidden, how many people
	 * wrote one.
	 */
	layers: { choices: Layer; texts: Layer; textCount: Layer };
};

/**
 * Returns the parts of a question: the rows of a matrix, or the question as a whole. A row is a part of its own, because it
 * may have few answers.
 *
 * @param question `undefined` if it is not known which question was answered
 * @param answers the answers to the question, by segment
 * @param isEnpsNamed whether the user named the question in eNPS Questions
 */
export function questionParts(
	question: IDataObject | undefined,
	answers: AnswerCounts[],
	minimums: Minimums,
	isEnpsNamed: boolean,
): QuestionPart[] {
	const optionSet = optionSetOf(question);
	// Survey data does not contain the type, so the answers decide. Without answers, `isMatrix` is true, but then all results
	// are suppressed anyway.
	const isMatrix = answers.every((ofSegment) => [...ofSegment.keys()].every(isDataObject));
	if (!isMatrix) return [questionPart(answers, optionSet, minimums, isEnpsNamed)];
	const names = new Set(listIn(question?.matrixQuestions).map(answerText));
	const byRow = answers.map(answersByRow);
	for (const rows of byRow) for (const row of rows.keys()) names.add(row);
	// A matrix always has options. If it seems to have none, they are unknown.
	const rowOptions = { ...optionSet, isKnown: optionSet.isKnown && optionSet.options.size > 0 };
	return [...names].map((row) => {
		const answersToRow = byRow.map((rows) => rows.get(row) ?? new Map<unknown, number>());
		return { ...questionPart(answersToRow, rowOptions, minimums, isEnpsNamed), row };
	});
}

function answersByRow(answers: AnswerCounts): Map<string, AnswerCounts> {
	const byRow = new Map<string, AnswerCounts>();
	for (const [answer, times] of answers) {
		for (const [row, value] of matrixRowsIn(answer)) {
			const ofRow = byRow.get(row) ?? new Map<unknown, number>();
			byRow.set(row, ofRow);
			addCount(ofRow, value, times);
		}
	}
	return byRow;
}

function questionPart(
	answers: AnswerCounts[],
	optionSet: OptionSet,
	{ minimumResponses, minimumComments }: Minimums,
	isEnpsNamed: boolean,
): QuestionPart {
	const people = answers.map((ofSegment) => countChoicesAndTexts(ofSegment, optionSet));
	const layer = (kind: keyof PeopleCount, minimum: number): Layer => {
		return { sizes: people.map((count) => count[kind]), minimum, canFork: kind === 'choices' };
	};
	const given = new Map(answers.flatMap((ofSegment) => [...ofSegment]));
	return {
		answers,
		optionSet,
		isRanking: areRankings([...given.keys()], optionSet),
		// The same for all segments, because the eNPS belongs to the question.
		hasEnps: isEnpsQuestion(given, optionSet, isEnpsNamed),
		layers: {
			choices: layer('choices', minimumResponses),
			texts: layer('texts', Math.max(minimumResponses, minimumComments)),
			textCount: layer('texts', minimumResponses),
		},
	};
}

/**
 * Returns the results of a question, by segment: `undefined` if all of them are hidden.
 *
 * @param parts what `questionParts` returned for the question
 * @param hidden the hidden segments of each layer of these parts
 */
export function resultsOf(parts: QuestionPart[], hidden: HiddenSegments): Results[] {
	const isMatrix = parts.every(({ row }) => row !== undefined);
	return (parts[0]?.answers ?? []).map((_, segment) => {
		const results = parts.map((part) => partResults(part, hidden, segment));
		return isMatrix ? matrixResults(parts, results) : results[0];
	});
}

function partResults(part: QuestionPart, hidden: HiddenSegments, segment: number): Results {
	const { optionSet, isRanking, hasEnps, layers } = part;
	const answers: AnswerCounts = part.answers[segment] ?? new Map();
	const isShown = (layer: Layer): boolean => hidden.get(layer)?.has(segment) === false;
	const shows = { choices: isShown(layers.choices), texts: isShown(layers.texts) };
	if (!shows.choices && !shows.texts) return undefined;
	const shown = shownAnswers(answers, optionSet, shows);
	const texts = layers.texts.sizes[segment] ?? 0;
	const countsTexts = !shows.texts && isShown(layers.textCount);
	return {
		responses: sumOf((countsTexts ? answers : shown).values()),
		distribution: distributionOf(shown, optionSet),
		...(!shows.texts && texts > 0 && { otherAnswers: countsTexts ? texts : null }),
		// If the options are unknown, a hidden text may be an option.
		...((optionSet.isKnown || texts === 0) && numberStatistics(shown, optionSet, hasEnps)),
		...(isRanking && { averageRank: averageRank(shown, optionSet) }),
	};
}

/** Combines the results of the rows of a matrix. The rows without results are suppressed. */
function matrixResults(parts: QuestionPart[], results: Results[]): Results {
	const distributions: IDataObject = {};
	const rows: Record<string, IDataObject> = {};
	const suppressedRows: string[] = [];
	for (const [index, { row = '' }] of parts.entries()) {
		const result = results[index];
		if (result) {
			const { distribution, ...others } = result;
			distributions[row] = distribution;
			rows[row] = others;
		} else suppressedRows.push(row);
	}
	const shown = Object.values(rows);
	if (shown.length === 0) return undefined;
	return {
		responses: Math.max(...shown.map(({ responses }) => Number(responses))),
		distribution: distributions,
		rows,
		...(suppressedRows.length > 0 && { suppressedRows }),
	};
}
