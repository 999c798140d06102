import type { IDataObject } from 'n8n-workflow';

import type { Fail } from '../../../shared/failure';
import { normalizeName } from '../../../shared/names';
import {
	answerKeysOf,
	participationOf,
	type AnswerKey,
	type SurveyData,
	type SurveyRow,
} from '../../../shared/surveyData';
import { isDataObject } from '../../../shared/values';
import { cellOf, isAnswered, textOf } from '../../../shared/answers';
import {
	areRankings,
	averageRank,
	countAll,
	distributionOf,
	hasComment,
	listIn,
	numbersOf,
	rowsIn,
	scaleOf,
	tally,
	toObject,
	type Answers,
	type Scale,
} from './scale';
import { hiddenGroups } from './suppression';

export type SummarySettings = {
	/** The minimum number of people whose answers are shown together. */
	minimumResponses: number;
	/** The minimum number of people whose comments are shown together. */
	minimumComments: number;
	/** Name or number of the question whose answers are the segments. */
	breakDownBy?: string;
};

/** People whose answers are summarized together. */
type Segment = {
	/** The answer of these people to the Break Down By question; null if it must stay hidden. */
	name?: string | null;
	rows: SurveyRow[];
};

type Segments = {
	segments: Segment[];
	/** The people without a segment. */
	rest: SurveyRow[];
};

/** The answers to a question, or to a row of a matrix, by segment. */
type Groups = { groups: Answers[]; rest: Answers };

/** The results of a group; `undefined` if suppressed. */
type Results = IDataObject | undefined;

/**
 * Summarizes the submitted rows of a survey: one item per question, or per question and segment. docs/survey-results.md
 * explains the fields.
 *
 * If the numbering of the answers is unknown (numberingOf in surveyData), each item shows the raw answer key, such as
 * `q.3`, instead of the title of the question.
 *
 * @param reported the number of recipients in the campaign's report; survey data may list fewer
 * @throws if no question has the name or number in `breakDownBy`
 */
export function summarize(
	survey: SurveyData,
	campaignId: string,
	settings: SummarySettings,
	reported: number,
	fail: Fail,
): IDataObject[] {
	const rows = survey.result.filter(({ submitted }) => submitted === true);
	const participation = participationOf(survey, reported);
	const keys = answerKeysOf(survey);
	const { segments, rest } = segmentsOf(rows, keys, settings, fail);
	const groupsOf = segments.map((segment) => answersTo(keys, segment.rows));
	const restOf = answersTo(keys, rest);
	return keys.flatMap(({ name, question }, place) => {
		const groups = groupsOf.map((answers) => answers[place] ?? new Map());
		const results = resultsOf(
			{ groups, rest: restOf[place] ?? new Map() },
			question,
			settings,
			segments,
		);
		return segments.map((segment, index) => ({
			// Results come first, because n8n's table cuts off the last columns.
			question: name,
			...(segment.name === undefined ? {} : { segment: segment.name }),
			responses: countAll(groups[index] ?? new Map()),
			...(results[index] ?? { suppressed: true }),
			...participation,
			campaignId,
			campaignName: survey.name ?? null,
		}));
	});
}

/** Returns the answers to each question. Reads each row once, because 100,000 rows are slow to read. */
function answersTo(keys: AnswerKey[], rows: SurveyRow[]): Answers[] {
	const questions = keys.map(({ key }) => ({ key, answers: new Map<unknown, number>() }));
	for (const row of rows) for (const { key, answers } of questions) tally(answers, row[key]);
	for (const { answers } of questions)
		for (const answer of answers.keys()) if (!isAnswered(answer)) answers.delete(answer);
	return questions.map(({ answers }) => answers);
}

/**
 * Without Break Down By, returns all people as one segment. With Break Down By, returns one segment per answer to the chosen
 * question: first those of the question's options, in their order, then the others by name.
 */
function segmentsOf(
	rows: SurveyRow[],
	keys: AnswerKey[],
	{ breakDownBy, minimumComments }: SummarySettings,
	fail: Fail,
): Segments {
	if (breakDownBy === undefined) return { segments: [{ rows }], rest: [] };
	const { key, question } = questionNamed(breakDownBy, keys, fail);
	const scale = scaleOf(question);
	const answered = rows.filter((row) => isAnswered(row[key]));
	const comments = answered.filter((row) => hasComment(row[key], scale)).length;
	const byName = new Map<string | null, SurveyRow[]>();
	for (const option of scale.options) byName.set(option, []);
	for (const row of answered) {
		// The comments of individual people must stay hidden, even as the name of a segment.
		const isHidden = comments < minimumComments && hasComment(row[key], scale);
		const name = isHidden ? null : segmentName(row[key]);
		const same = byName.get(name);
		if (same) same.push(row);
		else byName.set(name, [row]);
	}
	const segments = [...byName]
		.filter(([, own]) => own.length > 0)
		.map(([name, own]) => ({ name, rows: own }));
	const options = segments.filter(({ name }) => name !== null && scale.options.has(name));
	const others = segments.filter((segment) => !options.includes(segment));
	// Sorted by name, because the order of appearance could reveal whose answer is new.
	others.sort((a, b) => String(a.name).localeCompare(String(b.name), 'en', { numeric: true }));
	return {
		segments: [...options, ...others],
		rest: rows.filter((row) => !isAnswered(row[key])),
	};
}

function segmentName(answer: unknown): string {
	return String(cellOf(Array.isArray(answer) ? answer.map(textOf).sort() : answer)).trim();
}

/** Finds a question by its name in the summary (ignoring case and outer blanks), else by its number, counted from 1. */
function questionNamed(given: string, keys: AnswerKey[], fail: Fail): AnswerKey {
	const found =
		keys.find(({ name }) => name === given) ??
		keys.find(({ name }) => normalizeName(name) === normalizeName(given)) ??
		keys.filter(({ question }) => question !== undefined)[Number(given) - 1];
	if (found) return found;
	const names = keys.map(({ name }) => `“${name}”`).join(', ');
	throw fail(
		`The survey has no question “${given}” to break down by`,
		keys.some(({ question }) => question)
			? `Its questions are ${names}.`
			: `The responses do not show which answers belong to which question. Enter one of these answer keys instead: ${names}.`,
	);
}

/** Returns the results of each group for a question, suppressed if they would reveal individual answers. */
function resultsOf(
	{ groups, rest }: Groups,
	question: IDataObject | undefined,
	settings: SummarySettings,
	segments: Segment[],
): Results[] {
	const scale = scaleOf(question);
	const unnamed = new Set(segments.flatMap(({ name }, index) => (name === null ? [index] : [])));
	const all = [...groups, rest];
	// `isMatrix` is also true if nobody answered. The results are then suppressed in any case.
	const isMatrix = all.every((group) => [...group.keys()].every(isDataObject));
	if (!isMatrix) return resultsByGroup({ groups, rest }, scale, settings, unnamed);

	const hidden = hiddenGroups(
		groups.map(countAll),
		countAll(rest),
		settings.minimumResponses,
		unnamed,
	);
	// Each row of the matrix is treated as a question: a row with few answers is suppressed, even if other rows have many.
	const rowScale = { ...scale, isKnown: scale.isKnown && scale.options.size > 0 };
	const rows = new Map<string, Results[]>();
	const names = new Set(listIn(question?.matrixQuestions).map(textOf));
	for (const group of all) {
		for (const answer of group.keys()) for (const [row] of rowsIn(answer)) names.add(row);
	}
	const answersOfRow = (name: string, answers: Answers): Answers => {
		const ofRow: Answers = new Map();
		for (const [answer, times] of answers)
			for (const [row, value] of rowsIn(answer)) if (row === name) tally(ofRow, value, times);
		return ofRow;
	};
	for (const name of names) {
		const ofRow = {
			groups: groups.map((group) => answersOfRow(name, group)),
			rest: answersOfRow(name, rest),
		};
		rows.set(name, resultsByGroup(ofRow, rowScale, settings, hidden));
	}
	return groups.map((_, index) => matrixResults(rows, index));
}

function matrixResults(rows: Map<string, Results[]>, index: number): Results {
	const distributions: Array<[string, IDataObject[string]]> = [];
	const shown: Array<[string, IDataObject]> = [];
	const suppressedRows: string[] = [];
	for (const [name, results] of rows) {
		const result = results[index];
		if (!result) {
			suppressedRows.push(name);
			continue;
		}
		const { distribution, ...others } = result;
		distributions.push([name, distribution]);
		shown.push([name, others]);
	}
	if (shown.length === 0) return undefined;
	return {
		distribution: toObject(distributions),
		rows: toObject(shown),
		...(suppressedRows.length > 0 && { suppressedRows }),
	};
}

/** @param hiddenAnyway indexes of groups that are hidden in any case */
function resultsByGroup(
	{ groups, rest }: Groups,
	scale: Scale,
	{ minimumResponses, minimumComments, breakDownBy }: SummarySettings,
	hiddenAnyway: ReadonlySet<number>,
): Results[] {
	const all = [...groups, rest];
	let comments = 0;
	for (const group of all)
		for (const [answer, times] of group) if (hasComment(answer, scale)) comments += times;
	const isOpen = comments > 0 && scale.options.size === 0;
	const hidden = hiddenGroups(
		groups.map(countAll),
		countAll(rest),
		isOpen ? Math.max(minimumResponses, minimumComments) : minimumResponses,
		hiddenAnyway,
	);
	// Few people add comments to options, so comments that are shown by segment would reveal who wrote them.
	const showsComments = isOpen || (breakDownBy === undefined && comments >= minimumComments);
	const isRanking = areRankings(
		all.flatMap((group) => [...group.keys()]),
		scale,
	);
	return groups.map((answers, index) =>
		hidden.has(index)
			? undefined
			: {
					responses: countAll(answers),
					...distributionOf(answers, scale, showsComments),
					...numbersOf(answers, scale),
					...(isRanking && { averageRank: averageRank(answers, scale) }),
				},
	);
}
