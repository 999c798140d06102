import type { IDataObject } from 'n8n-workflow';

import { cellOf } from '../../nodes/MessagingService/resources/survey/answers.ts';
import {
	responseItems,
	rowsOf,
	tableItems,
} from '../../nodes/MessagingService/resources/survey/responses.ts';
import { summarise } from '../../nodes/MessagingService/resources/survey/summary.ts';
import { readSurveyData, type SurveyData } from '../../nodes/shared/surveyData.ts';
import fc, { runs } from '../kit/property.mts';
import { parseAs } from '../kit/typed.mts';

const surveyOf = (questions: unknown, result: IDataObject[], more: IDataObject = {}): SurveyData =>
	readSurveyData({ name: 'Pulse', questions, result, ...more }, (message) => new Error(message));

/** One submitted row for each list of answers, in the order of the questions, numbered from 0. */
const rowsWith = (...answers: unknown[][]): IDataObject[] =>
	answers.map((list) => {
		const row: IDataObject = { submitted: true };
		for (const [n, answer] of list.entries()) {
			if (answer !== undefined) Object.assign(row, { [`q.${n}`]: answer });
		}
		return row;
	});

/** The summary of one question, answered by one person each, without what says the same of every question. */
function summaryOf(answers: unknown[], question: IDataObject = {}, minimum = 1): IDataObject {
	const survey = surveyOf([{ title: 'Q', ...question }], rowsWith(...answers.map((one) => [one])));
	const [{ campaignId, campaignName, recipients, submitted, responseRate, ...summary } = {}] =
		summarise(survey, 'c1', minimum);
	expect([campaignId, campaignName, recipients, submitted]).toEqual([
		'c1',
		'Pulse',
		answers.length,
		answers.length,
	]);
	expect(responseRate).toBe(answers.length === 0 ? 0 : 1);
	return summary;
}

describe('summarise', () => {
	test('gives one item a question, each with the response rate of the survey', () => {
		const survey = surveyOf(
			[{ title: 'Happy?' }, { title: 'Why?' }],
			[
				...rowsWith([9, 'Pay'], [7, 'Team'], [9, 'Pay'], [0, ' ']),
				{ submitted: false, 'q.0': 3 },
				{ 'q.0': 3 },
				{ submitted: 'true', 'q.0': 3 },
				{ submitted: false },
			],
		);
		const ofSurvey = { campaignId: 'c1', campaignName: 'Pulse', recipients: 8, submitted: 4 };
		expect(summarise(survey, 'c1', 3)).toEqual([
			{
				...ofSurvey,
				question: 'Happy?',
				responses: 4,
				distribution: { 0: 1, 7: 1, 9: 2 },
				average: 6.25,
				min: 0,
				max: 9,
				enps: 25,
				responseRate: 0.5,
			},
			{
				...ofSurvey,
				question: 'Why?',
				responses: 3,
				distribution: { Pay: 2, Team: 1 },
				responseRate: 0.5,
			},
		]);
	});

	test('shows nothing of answers that fewer people gave than the minimum', () => {
		expect(summaryOf([9, 9, 9, 9, undefined], {}, 5)).toEqual({
			question: 'Q',
			responses: 4,
			suppressed: true,
		});
		expect(summaryOf([9, 9, 9, 9, 9], {}, 5)).toMatchObject({ responses: 5, average: 9 });
		expect(summaryOf([], {}, 1)).toEqual({ question: 'Q', responses: 0, suppressed: true });
	});

	test.each<[string, unknown]>([
		['null', null],
		['nothing', undefined],
		['a blank text', ' '],
		['an empty list', []],
		['a list of nothing', [null, '']],
		['an empty matrix', {}],
		['a matrix of nothing', { Pay: null, Tools: [] }],
	])('%s is no answer', (_, answer) => {
		expect(summaryOf([answer, 'Yes'])).toEqual({
			question: 'Q',
			responses: 1,
			distribution: { Yes: 1 },
		});
	});

	test('0 and false are answers', () => {
		expect(summaryOf([0]).distribution).toEqual({ 0: 1 });
		expect(summaryOf([false]).distribution).toEqual({ false: 1 });
	});

	test('counts each entry of a list, once a person', () => {
		expect(summaryOf([['A', 'B'], ['B', 'B', ''], [{ a: 1 }], ['C']])).toEqual({
			question: 'Q',
			responses: 4,
			distribution: { A: 1, B: 2, '{"a":1}': 1, C: 1 },
		});
	});

	test('orders the answers as the options are, and leaves out what nobody chose', () => {
		const { distribution } = summaryOf(['c', 'x', 'a', 'c'], { options: ['a', 'b', 'c'] });
		expect(Object.entries(distribution ?? {})).toEqual([
			['a', 1],
			['c', 2],
			['x', 1],
		]);
	});

	test('sums a matrix up by row, in the order of the rows', () => {
		const matrix = { matrixQuestions: ['Pay', 'Tools'], options: [1, 2] };
		const answers = [
			{ Tools: 2, Pay: 1 },
			{ Tools: 2, Other: 1 },
			{ Pay: 1, Tools: 1 },
		];
		const summary = summaryOf(answers, matrix);
		expect(summary).toEqual({
			question: 'Q',
			responses: 3,
			distribution: { Pay: { 1: 2 }, Tools: { 1: 1, 2: 2 }, Other: { 1: 1 } },
		});
		expect(Object.keys(summary.distribution ?? {})).toEqual(['Pay', 'Tools', 'Other']);
	});

	test('shows nothing of the rows of a matrix that too few people answered', () => {
		const matrix = { matrixQuestions: ['Pay', 'Tools', 'Rest'] };
		const answers = [{ Pay: 1, Tools: 'secret' }, { Pay: 2 }, { Pay: 1, Own: 'secret' }];
		const summary = summaryOf(answers, matrix, 2);
		expect(summary).toEqual({
			question: 'Q',
			responses: 3,
			distribution: { Pay: { 1: 2, 2: 1 } },
			suppressedRows: ['Tools', 'Rest', 'Own'],
		});
		expect(summaryOf([{ a: 1 }, { b: 1 }], {}, 2)).toEqual({
			question: 'Q',
			responses: 2,
			suppressed: true,
		});
	});

	test('a row of a matrix that was left blank counts for nobody, not for the minimum either', () => {
		const answers = [
			{ Pay: 1, Tools: 'secret' },
			{ Pay: 2, Tools: ' ' },
			{ Pay: 2, Tools: null },
		];
		expect(summaryOf(answers, { matrixQuestions: ['Pay', 'Tools'] }, 2)).toMatchObject({
			distribution: { Pay: { 1: 1, 2: 2 } },
			suppressedRows: ['Tools'],
		});
		expect(summaryOf([{ Pay: 1, Tools: ' ' }]).distribution).toEqual({ Pay: { 1: 1 } });
	});

	test('sums a matrix up of which nothing proves which question it is', () => {
		const rows = [{ submitted: true, 'q.1': { Pay: 1, Tools: 2 } }];
		const survey = surveyOf([{ title: 'A' }, { title: 'B' }, { title: 'C' }], rows);
		expect(summarise(survey, 'c1', 1)).toMatchObject([
			{ question: 'q.1', distribution: { Pay: { 1: 1 }, Tools: { 2: 1 } } },
		]);
	});

	test('answers of several forms under one question are counted as they are', () => {
		expect(summaryOf([{ a: 1 }, 'a', ['a', 'b']]).distribution).toEqual({
			'{"a":1}': 1,
			a: 2,
			b: 1,
		});
	});

	test.each<[string, unknown[], IDataObject]>([
		['numbers', [1, 2.5, -4], { average: -0.5 / 3, min: -4, max: 2.5 }],
		['numbers as text', ['10', 20, '30'], { average: 20, min: 10, max: 30 }],
		['a word among numbers', [1, 2, 'many'], {}],
		['codes that begin with 0', ['007', '008'], {}],
		['switches', [true, false], {}],
		['lists of numbers', [[1], [2]], {}],
	])('average, min and max of %s', (_, answers, expected) => {
		const { average, min, max } = summaryOf(answers);
		expect({ average, min, max }).toEqual({
			average: undefined,
			min: undefined,
			max: undefined,
			...expected,
		});
	});

	test.each<[string, unknown[], IDataObject, number | undefined]>([
		['9 and 10 against 0 to 6', [10, 9, 8, 7, 6], {}, 20],
		['all against', [0, 6], {}, -100],
		['all for', ['9', '10'], {}, 100],
		['the options of the scale', [9], { options: [0, 1, '9', 10] }, 100],
		['an option in words', [9], { options: [9, 10, 'No idea'] }, undefined],
		['an option above the scale', [9], { options: [9, 11] }, undefined],
		['options in a form that nobody knows', [9], { options: { a: 9 } }, undefined],
		['an answer above the scale', [9, 11], {}, undefined],
		['an answer below the scale', [9, -1], {}, undefined],
		['half a point', [9, 9.5], {}, undefined],
		['a word', [9, 'Yes'], {}, undefined],
		['lists', [[9], [10]], {}, undefined],
	])('eNPS of %s', (_, answers, question, enps) => {
		expect(summaryOf(answers, question).enps).toBe(enps);
	});

	test('keeps the raw keys, and claims no eNPS, while nothing proves whose answers they are', () => {
		const survey = surveyOf(
			[{ title: 'A' }, { title: 'B' }, { title: 'C' }],
			[
				{ submitted: true, 'q.1': 9, 'q.2': 'x' },
				{ submitted: true, 'q.1': 10 },
			],
		);
		expect(summarise(survey, 'c1', 2)).toMatchObject([
			{ question: 'q.1', responses: 2, average: 9.5, distribution: { 9: 1, 10: 1 } },
			{ question: 'q.2', responses: 1, suppressed: true },
		]);
		expect(summarise(survey, 'c1', 2)[0]).not.toHaveProperty('enps');
	});

	test('survives questions in a form that nobody knows', () => {
		const survey = surveyOf({ a: 1 }, rowsWith([9, 'x']));
		expect(summarise(survey, 'c1', 1).map(({ question }) => question)).toEqual(['q.0', 'q.1']);
	});

	test('names the questions of a survey that nobody submitted', () => {
		const survey = surveyOf([{ title: 'A' }, { title: 'A' }], [{ submitted: false }]);
		expect(summarise(survey, 'c1', 5)).toMatchObject([
			{ question: 'A', responses: 0, suppressed: true, recipients: 1, responseRate: 0 },
			{ question: 'A (2)', responses: 0, suppressed: true },
		]);
	});

	test('is safe from answers and rows that mean something to JavaScript', () => {
		const matrix = parseAs<IDataObject>('{"__proto__":{"x":1},"constructor":"__proto__"}');
		const flat = summaryOf(['__proto__', 'constructor', 'toString', '(__proto__)']);
		expect(Object.entries(flat.distribution ?? {})).toEqual([
			['(__proto__) (2)', 1],
			['constructor', 1],
			['toString', 1],
			['(__proto__)', 1],
		]);
		expect(summaryOf([matrix]).distribution).toEqual({
			'(__proto__)': { '{"x":1}': 1 },
			constructor: { '(__proto__)': 1 },
		});
		expect({}).not.toHaveProperty('x');
	});

	test('nothing that fewer people than the minimum said can be read from it', () => {
		const secret = fc.constantFrom('alpha', 'beta', 7, 9, true);
		const answer = fc.oneof(
			secret,
			fc.constant(undefined),
			fc.constantFrom('', null, [], {}),
			fc.array(secret, { maxLength: 3 }),
			fc.dictionary(fc.constantFrom('Pay', 'Tools', '__proto__'), secret),
		);
		const people = fc.array(fc.tuple(fc.boolean(), answer, answer), { maxLength: 12 });
		fc.assert(
			fc.property(people, fc.integer({ min: 1, max: 6 }), (rows, minimum) => {
				const result = rows.map(([submitted, first, second]) => ({
					submitted,
					...(first === undefined ? {} : { 'q.0': first }),
					...(second === undefined ? {} : { 'q.1': second }),
					'q.2': 'proves nothing',
				}));
				for (const item of summarise(surveyOf([{}, {}, {}], result), 'c1', minimum)) {
					const { responses, submitted, recipients, suppressed, distribution } = item;
					expect(recipients).toBe(rows.length);
					expect(submitted).toBe(rows.filter(([is]) => is).length);
					expect(Number(responses)).toBeLessThanOrEqual(Number(submitted));
					if (Number(responses) < minimum) expect(suppressed).toBe(true);
					if (suppressed === true) {
						expect(distribution).toBeUndefined();
						expect(JSON.stringify(item)).not.toMatch(/alpha|beta|average|min|max|enps/);
						continue;
					}
					const all: unknown[] = Object.values(distribution ?? {});
					for (const counted of all) {
						const counts =
							typeof counted === 'object' && counted !== null
								? Object.values(counted).map(Number)
								: [Number(counted)];
						const total = counts.reduce((sum, count) => sum + count, 0);
						expect(Math.max(...counts)).toBeLessThanOrEqual(Number(responses));
						if (typeof counted !== 'number') expect(total).toBeGreaterThanOrEqual(minimum);
					}
				}
			}),
			{ numRuns: runs(500) },
		);
	});

	test('sums 200,000 responses up without overflowing', () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ submitted: true, 'q.0': n % 11 }));
		expect(summarise(surveyOf([{ title: 'A' }], rows), 'c1', 5)).toMatchObject([
			{ responses: 200_000, min: 0, max: 10 },
		]);
	});
});

describe('rowsOf', () => {
	const rows = [{ submitted: false }, { submitted: true, n: 1 }, {}, { submitted: true, n: 2 }];
	const survey = surveyOf([], rows);

	test.each([
		['submitted', [1, 3]],
		['notSubmitted', [0, 2]],
		['everyone', [0, 1, 2, 3]],
	] as const)('%s', (who, places) => {
		expect(rowsOf(survey, who, Infinity)).toEqual(places.map((place) => rows[place]));
	});

	test('counts only those who are wanted', () => {
		expect(rowsOf(survey, 'submitted', 1)).toEqual([rows[1]]);
		expect(rowsOf(survey, 'notSubmitted', 2)).toEqual([rows[0], rows[2]]);
	});
});

describe('tableItems', () => {
	const respondent = {
		campaignId: 'c1',
		campaignName: 'Pulse',
		anonymous: false,
		userId: null,
		userDisplayName: null,
		userEmail: null,
		submittedDate: null,
		responseDuration: null,
		read: null,
		responseSubmitted: null,
	};

	test('gives each question a field behind those of the respondent, the same in every item', () => {
		const rows = [
			...rowsWith(['x', ['A', 'B'], { Pay: 1, Tools: ['a', 'b'] }], [undefined, [], {}, 'late']),
			{ submitted: false, 'q.7': 'extra' },
		];
		const survey = surveyOf(
			[{ title: 'userEmail' }, { title: 'Several' }, { title: 'Matrix' }, { title: 'Several' }],
			rows,
		);
		const items = tableItems(survey, 'c1', rows);
		expect(items).toEqual([
			{
				...respondent,
				submitted: true,
				'userEmail (2)': 'x',
				Several: 'A, B',
				Matrix: 'Pay: 1, Tools: a, b',
				'Several (2)': null,
				'q.7': null,
			},
			{
				...respondent,
				submitted: true,
				'userEmail (2)': null,
				Several: null,
				Matrix: null,
				'Several (2)': 'late',
				'q.7': null,
			},
			{
				...respondent,
				submitted: false,
				'userEmail (2)': null,
				Several: null,
				Matrix: null,
				'Several (2)': null,
				'q.7': 'extra',
			},
		]);
		const fields = [...Object.keys(respondent), 'submitted'];
		for (const item of items) {
			expect(Object.keys(item)).toEqual([
				...fields,
				'userEmail (2)',
				'Several',
				'Matrix',
				'Several (2)',
				'q.7',
			]);
		}
		expect(tableItems(survey, 'c1', rows.slice(1, 2))).toEqual(items.slice(1, 2));
	});

	test('says of the respondent what the responses say', () => {
		const rows = [{ ...rowsWith(['x'])[0], userEmail: 'a@example.com', read: true }];
		const survey = surveyOf([{ title: 'Q' }], rows);
		const [{ answers, ...response } = {}] = responseItems(survey, 'c1', rows);
		expect(tableItems(survey, 'c1', rows)).toEqual([{ ...response, Q: 'x' }]);
		expect(answers).toEqual({ Q: 'x' });
	});
});

test.each<[unknown, unknown]>([
	[7, 7],
	[false, false],
	['', ''],
	[null, null],
	[undefined, null],
	[[], null],
	[['A', null, 7], 'A, 7'],
	[{ Pay: null }, null],
	[[{ a: 1 }], '{"a":1}'],
])('the cell of %j is %j', (answer, cell) => {
	expect(cellOf(answer)).toBe(cell);
});
