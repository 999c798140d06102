import type { IDataObject } from 'n8n-workflow';

import { isDataObject, listIn } from '../../../shared/values';
import { answerText } from '../../../shared/answers';
import {
	areRankings,
	averageRank,
	countAll,
	countPeople,
	distributionOf,
	numberStatistics,
	rowsIn,
	optionSetOf,
	shownAnswers,
	tally,
	toObject,
	type Tally,
	type PeopleCount,
	type OptionSet,
} from './answerStatistics';
import type { Minimums } from './segments';
import type { HiddenSegments, Layer } from './suppression';

/** Results of one segment, or `undefined` if suppressed. */
export type Results = IDataObject | undefined;

/**
 * A question, or a row of a matrix. It has three layers, each of which is shown or hidden on its own: the options and
 * numbers, the texts, and how many people wrote texts that are hidden.
 */
export type Unit = {
	/** The answers by segment. */
	groups: Tally[];
	optionSet: OptionSet;
	/** The name of the matrix row. */
	row?: string;
	people: PeopleCount[];
	isRanking: boolean;
	layers: { choices: Layer; texts: Layer; textCount: Layer };
};

/**
 * Returns the question, or the rows of the matrix. Each row is treated as a question, because it may have fewer answers
 * than other rows.
 */
export function unitsOf(
	question: IDataObject | undefined,
	groups: Tally[],
	minimums: Minimums,
): Unit[] {
	const optionSet = optionSetOf(question);
	// If nobody answered, this is true, too, but then all results are suppressed anyway.
	const isMatrix = groups.every((group) => [...group.keys()].every(isDataObject));
	if (!isMatrix) return [unitOf(groups, optionSet, minimums)];
	const names = new Set(listIn(question?.matrixQuestions).map(answerText));
	const byRow = groups.map(answersByRow);
	for (const rows of byRow) for (const row of rows.keys()) names.add(row);
	const rowScale = { ...optionSet, isKnown: optionSet.isKnown && optionSet.options.size > 0 };
	return [...names].map((row) => {
		const ofRow = byRow.map((rows) => rows.get(row) ?? new Map<unknown, number>());
		return { ...unitOf(ofRow, rowScale, minimums), row };
	});
}

function answersByRow(answers: Tally): Map<string, Tally> {
	const byRow = new Map<string, Tally>();
	for (const [answer, times] of answers) {
		for (const [row, value] of rowsIn(answer)) {
			const ofRow = byRow.get(row) ?? new Map<unknown, number>();
			byRow.set(row, ofRow);
			tally(ofRow, value, times);
		}
	}
	return byRow;
}

function unitOf(
	groups: Tally[],
	optionSet: OptionSet,
	{ minimumResponses, minimumComments }: Minimums,
): Unit {
	const people = groups.map((answers) => countPeople(answers, optionSet));
	const layer = (kind: keyof PeopleCount, minimum: number): Layer => {
		return { sizes: people.map((count) => count[kind]), minimum, canFork: kind === 'choices' };
	};
	const given = groups.flatMap((answers) => [...answers.keys()]);
	return {
		...{ groups, optionSet: optionSet, people, isRanking: areRankings(given, optionSet) },
		layers: {
			choices: layer('choices', minimumResponses),
			texts: layer('texts', Math.max(minimumResponses, minimumComments)),
			textCount: layer('texts', minimumResponses),
		},
	};
}

/**
 * Returns the results of a question in one segment.
 *
 * @param units what `unitsOf` returned for the question
 * @param answers the answers of the segment to the question
 */
export function resultsOf(
	units: Unit[],
	hidden: HiddenSegments,
	answers: Tally,
	segment: number,
): Results {
	const results = units.map((unit) => unitResults(unit, hidden, segment));
	const [first] = units;
	if (first && first.row === undefined) return results[0];
	return resultsOfRows(units, results, answers);
}

function unitResults(
	{ groups, optionSet: optionSet, people, isRanking, layers }: Unit,
	hidden: HiddenSegments,
	segment: number,
): Results {
	const answers = groups[segment] ?? new Map<unknown, number>();
	const isShown = (layer: Layer): boolean => hidden.get(layer)?.has(segment) === false;
	const shows = { choices: isShown(layers.choices), texts: isShown(layers.texts) };
	if (!shows.choices && !shows.texts) return undefined;
	const shown = shownAnswers(answers, optionSet, shows);
	const texts = people[segment]?.texts ?? 0;
	const countsTexts = !shows.texts && isShown(layers.textCount);
	return {
		responses: countAll(countsTexts ? answers : shown),
		distribution: distributionOf(shown, optionSet),
		...(!shows.texts && texts > 0 && { otherAnswers: countsTexts ? texts : null }),
		...numberStatistics(shown, optionSet),
		...(isRanking && { averageRank: averageRank(shown, optionSet) }),
	};
}

/** Combines the results of the rows of a matrix. The rows without results are suppressed. */
function resultsOfRows(units: Unit[], results: Results[], answers: Tally): Results {
	const distributions: Array<[string, IDataObject[string]]> = [];
	const rows: Array<[string, IDataObject]> = [];
	const suppressedRows: string[] = [];
	for (const [index, { row = '' }] of units.entries()) {
		const { distribution, ...others } = results[index] ?? {};
		if (!results[index]) suppressedRows.push(row);
		else {
			distributions.push([row, distribution]);
			rows.push([row, others]);
		}
	}
	if (rows.length === 0) return undefined;
	const shown = new Set(rows.map(([row]) => row));
	let responses = 0;
	for (const [answer, times] of answers)
		if (rowsIn(answer).some(([row]) => shown.has(row))) responses += times;
	return {
		responses,
		distribution: toObject(distributions),
		rows: toObject(rows),
		...(suppressedRows.length > 0 && { suppressedRows }),
	};
}
