import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../emulator/emulator.mts';
import type { Respondent, Truth } from './fixtures.mts';

/** Returns the name that an answer must have: the title of its question if `isProved`, otherwise the raw key. */
function nameOf({ titles, first, isProved }: Truth, position: number): string {
	return isProved ? (titles[position] ?? '') : `q.${position + first}`;
}

/** Checks that the answers of a person are complete and correctly named, with null for a question without an answer. */
export function expectNamedAnswers(truth: Truth, answers: unknown, of?: Respondent): void {
	if (!of) throw new Error('The true data does not contain this respondent');
	const positions = truth.isProved ? truth.titles.keys() : of.answers.keys();
	expect(answers).toEqual(
		Object.fromEntries(
			[...positions].map((position) => [nameOf(truth, position), of.answers.get(position) ?? null]),
		),
	);
}

/** The number of columns before the questions. */
const ABOUT_RESPONDENT = 11;

/**
 * Checks that the table has one row per person. If `isProved`, the last columns are all questions. If not, the last
 * columns are only the answered questions.
 */
export function expectTable(truth: Truth, rows: IDataObject[]): void {
	const { titles, respondents, isProved } = truth;
	expect(rows.map(({ userId }) => userId)).toEqual(respondents.map(({ id }) => id));
	const answered = titles.filter((_, position) =>
		respondents.some(({ answers }) => answers.has(position)),
	);
	const columns = titles.flatMap((title, position) =>
		isProved || answered.includes(title) ? [nameOf(truth, position)] : [],
	);
	rows.forEach((row, index) => {
		const names = Object.keys(row);
		expect(names.slice(names.length - columns.length)).toEqual(columns);
		expect(names).toHaveLength(ABOUT_RESPONDENT + columns.length);
		titles.forEach((_, position) => {
			const name = nameOf(truth, position);
			if (!columns.includes(name)) return;
			expect(row[name]).toEqual(cellOf(respondents[index]?.answers.get(position)));
		});
	});
}

function cellOf(answer: Json | undefined): Json {
	if (answer === undefined) return null;
	if (Array.isArray(answer)) return answer.join(', ');
	if (typeof answer !== 'object' || answer === null) return answer;
	return Object.entries(answer)
		.map(([row, value]) => `${row}: ${String(value)}`)
		.join(', ');
}

type Counts = Record<string, number>;

/** Checks that the summary counts each submitted answer to each question. */
export function expectSummary(truth: Truth, items: IDataObject[]): void {
	const { titles, respondents, recipients } = truth;
	const submitted = respondents.filter((respondent) => respondent.submitted);
	const questions = titles.map((_, position) => {
		const given = submitted
			.map(({ answers }) => answers.get(position))
			.filter((answer) => answer !== undefined);
		return { name: nameOf(truth, position), given };
	});
	const isEmpty = submitted.every(({ answers }) => answers.size === 0);
	const expected = questions.filter(({ given }) => truth.isProved || given.length > 0);
	// Without answers, the summary contains all questions, or none if their titles are unknown.
	const names = isEmpty ? items.map(({ question }) => question) : expected.map(({ name }) => name);
	expect(items.map(({ question }) => question)).toEqual(names);
	if (isEmpty) expect([[], titles]).toContainEqual(names);
	items.forEach((item, index) => {
		const given = isEmpty ? [] : (expected[index]?.given ?? []);
		expect(item).toMatchObject({
			responses: given.length || null,
			recipients,
			submitted: submitted.length,
		});
		if (given.length === 0) expect(item).toMatchObject({ suppressed: true });
		else expect(item.distribution).toEqual(countsOf(given));
	});
}

function countsOf(answers: Json[]): Counts | Record<string, Counts> {
	const matrix = answers.filter(isMatrix);
	if (matrix.length === 0) return counted(answers.flat());
	const rows = new Set(matrix.flatMap((answer) => Object.keys(answer)));
	return Object.fromEntries(
		[...rows].map((row) => [row, counted(matrix.map((answer) => answer[row] ?? null))]),
	);
}

function counted(answers: Json[]): Counts {
	const counts: Counts = {};
	for (const answer of answers) counts[String(answer)] = (counts[String(answer)] ?? 0) + 1;
	return counts;
}

function isMatrix(answer: Json): answer is Record<string, Json> {
	return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
}
