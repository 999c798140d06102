import type { IDataObject } from 'n8n-workflow';

import { responseItems, rowsOf } from '../../nodes/MessagingService/resources/survey/responses.ts';
import {
	summarize,
	type SummarySettings,
} from '../../nodes/MessagingService/resources/survey/summary.ts';
import { hiddenGroups } from '../../nodes/MessagingService/resources/survey/suppression.ts';
import { cellOf } from '../../nodes/shared/answers.ts';
import { tableItems } from '../../nodes/shared/surveyTable.ts';
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

const fail = (message: string, description = '') => new Error(`${message} | ${description}`);

const summaryBy = (
	survey: SurveyData,
	settings: Partial<SummarySettings> = {},
	reported = 0,
): IDataObject[] =>
	summarize(survey, 'c1', { minimumResponses: 1, minimumComments: 1, ...settings }, reported, fail);

/** The summary of one question, answered by one person each, without what says the same of every question. */
function summaryOf(answers: unknown[], question: IDataObject = {}, minimum = 1): IDataObject {
	const survey = surveyOf([{ title: 'Q', ...question }], rowsWith(...answers.map((one) => [one])));
	const [{ campaignId, campaignName, recipients, submitted, responseRate, ...summary } = {}] =
		summaryBy(survey, { minimumResponses: minimum });
	expect([campaignId, campaignName, recipients, submitted]).toEqual([
		'c1',
		'Pulse',
		answers.length,
		answers.length,
	]);
	expect(responseRate).toBe(answers.length === 0 ? 0 : 1);
	return summary;
}

describe('summarize', () => {
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
		const rates = { recipients: 8, submitted: 4, responseRate: 0.5 };
		const ofSurvey = { campaignId: 'c1', campaignName: 'Pulse', ...rates };
		const summary = summaryBy(survey, { minimumResponses: 3 });
		const figures = ['question', 'responses', 'distribution', 'average'];
		expect(Object.keys(summary[0] ?? {}).slice(0, 4)).toEqual(figures);
		expect(summary).toEqual([
			{
				...{ ...ofSurvey, question: 'Happy?', responses: 4, distribution: { 0: 1, 7: 1, 9: 2 } },
				...{ average: 6.25, min: 0, max: 9, enps: 25 },
			},
			{ ...ofSurvey, question: 'Why?', responses: 3, distribution: { Pay: 2, Team: 1 } },
		]);
	});

	test('shows nothing of answers that fewer people gave than the minimum', () => {
		const four = summaryOf([9, 9, 9, 9, undefined], {}, 5);
		expect(four).toEqual({ question: 'Q', responses: 4, suppressed: true });
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
		expect(JSON.stringify(distribution)).toBe('{"a":1,"c":2,"x":1}');
	});

	test('sums a matrix up by row, in the order of the rows', () => {
		const matrix = { matrixQuestions: ['Pay', 'Tools'], options: [1, 2] };
		const summary = summaryOf(
			[
				...[
					{ Tools: 2, Pay: 1 },
					{ Tools: 2, Other: 1 },
				],
				...[{ Pay: 1, Tools: 1 }],
			],
			matrix,
		);
		expect(summary).toEqual({
			question: 'Q',
			responses: 3,
			distribution: { Pay: { 1: 2 }, Tools: { 1: 1, 2: 2 }, Other: { 1: 1 } },
			rows: {
				Pay: { responses: 2, average: 1, min: 1, max: 1 },
				Tools: { responses: 3, average: 5 / 3, min: 1, max: 2 },
				Other: { responses: 1, average: 1, min: 1, max: 1 },
			},
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
			rows: { Pay: { responses: 3, average: 4 / 3, min: 1, max: 2 } },
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
		expect(summaryBy(survey)).toMatchObject([
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
		expect(summaryBy(survey, { minimumResponses: 2 })).toMatchObject([
			{ question: 'q.1', responses: 2, average: 9.5, distribution: { 9: 1, 10: 1 } },
			{ question: 'q.2', responses: 1, suppressed: true },
		]);
		expect(summaryBy(survey, { minimumResponses: 2 })[0]).not.toHaveProperty('enps');
	});

	test('survives questions in a form that nobody knows', () => {
		const survey = surveyOf({ a: 1 }, rowsWith([9, 'x']));
		expect(summaryBy(survey).map(({ question }) => question)).toEqual(['q.0', 'q.1']);
	});

	test('names the questions of a survey that nobody submitted', () => {
		const survey = surveyOf([{ title: 'A' }, { title: 'A' }], [{ submitted: false }]);
		expect(summaryBy(survey, { minimumResponses: 5 })).toMatchObject([
			{ question: 'A', responses: 0, suppressed: true, recipients: 1, responseRate: 0 },
			{ question: 'A (2)', responses: 0, suppressed: true },
		]);
	});

	test('is safe from answers and rows that mean something to JavaScript', () => {
		const matrix = parseAs<IDataObject>('{"__proto__":{"x":1},"constructor":"__proto__"}');
		const flat = summaryOf(['__proto__', 'constructor', 'toString', '(__proto__)']);
		const names = ['(__proto__)', '(__proto__) (2)', 'constructor', 'toString'];
		expect(Object.keys(flat.distribution ?? {}).sort()).toEqual(names);
		expect(Object.values(flat.distribution ?? {})).toEqual([1, 1, 1, 1]);
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
				for (const item of summaryBy(surveyOf([{}, {}, {}], result), {
					minimumResponses: minimum,
				})) {
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

	test.each<[string, unknown[], unknown[], number | undefined]>([
		['a scale of five', [1, 4, 5, '5'], [1, 2, 3, 4, 5], 0.75],
		['a scale as text, not in order', ['7', '6', '1', '2'], ['7', '6', '5', '1'], 0.5],
		['a scale to 10', [9, 10], [8, 9, 10], 1],
		['two options', [1, 2], [1, 2], undefined],
		['options in words', ['Good'], ['Bad', 'OK', 'Good'], undefined],
		['a number without options', [9], [], undefined],
	])('top-two share of %s', (_, answers, options, share) => {
		expect(summaryOf(answers, { options }).topTwoShare).toBe(share);
	});

	test('claims no eNPS of a scale that ends elsewhere than at 10', () => {
		const options = [1, 2, 3, 4, 5];
		expect(summaryOf([4, 5], { options })).toMatchObject({ average: 4.5, topTwoShare: 1 });
		expect(summaryOf([4, 5], { options })).not.toHaveProperty('enps');
	});

	test('gives the average rank of each option, where every answer ranks them all', () => {
		const options = ['Pay', 'Time', 'Team'];
		const rankings = [
			['Time', 'Pay', 'Team'],
			['Pay', 'Time', 'Team'],
		];
		expect(summaryOf(rankings, { options }).averageRank).toEqual({ Pay: 1.5, Time: 1.5, Team: 3 });
		for (const others of [[['Pay', 'Time']], [options], [['Pay', 'Pay', 'Team']], ['Pay']]) {
			const summary = summaryOf([...others, ...(others[0] === options ? [] : rankings)], {
				options,
			});
			expect(summary).not.toHaveProperty('averageRank');
		}
	});

	describe('comments', () => {
		const words = Array.from({ length: 10 }, (_, n) => `comment ${n}`);
		const commentsOf = (answers: unknown[], question: IDataObject = {}, settings = {}) =>
			summaryBy(surveyOf([{ title: 'Q', ...question }], rowsWith(...answers.map((one) => [one]))), {
				minimumComments: 10,
				...settings,
			})[0];

		test('come out from the minimum on', () => {
			expect(commentsOf(words.slice(1))).toMatchObject({ responses: 9, suppressed: true });
			expect(JSON.stringify(commentsOf(words.slice(1)))).not.toContain('comment');
			expect(Object.keys(commentsOf(words)?.distribution ?? {}).sort()).toEqual(words);
		});

		test('are in random order', () => {
			const orders = Array.from({ length: 5 }, () =>
				Object.keys(commentsOf(words)?.distribution ?? {}).join(),
			);
			expect(new Set(orders).size).toBeGreaterThan(1);
		});

		test('beside options are counted, and come out from the minimum on, too', () => {
			const options = ['A', 'B'];
			const few = commentsOf(['A', 'A', 'mine', ['B', 'also mine']], { options });
			expect(few).toMatchObject({ distribution: { A: 2, B: 1 }, otherAnswers: 2 });
			expect(JSON.stringify(few)).not.toContain('mine');
			const many = commentsOf([...words, 'A'], { options });
			expect(many?.distribution).toMatchObject({ A: 1, 'comment 3': 1 });
			expect(many).not.toHaveProperty('otherAnswers');
		});

		test('a number of comments below the minimum of responses is suppressed all the same', () => {
			const settings = { minimumComments: 1, minimumResponses: 11 };
			expect(commentsOf(words, {}, settings)).toMatchObject({ suppressed: true });
		});
	});

	describe('by segment', () => {
		const questions = [
			{ title: 'Team', options: ['Sales', 'Ops', 'IT'] },
			{ title: 'Happy?' },
			{ title: 'Matrix', matrixQuestions: ['Pay', 'Tools'], options: [1, 2, 3, 4, 5] },
			{ title: 'Why?' },
		];
		/** So many rows of a team, all with the same answers. */
		const team = (name: unknown, count: number, ...answers: unknown[]) =>
			rowsWith(...Array.from({ length: count }, () => [name, ...answers]));
		const byTeam = (rows: IDataObject[], settings: Partial<SummarySettings> = {}) =>
			summaryBy(surveyOf(questions, rows), {
				minimumResponses: 5,
				minimumComments: 10,
				breakDownBy: 'Team',
				...settings,
			});
		const of = (items: IDataObject[], question: string) =>
			items
				.filter((item) => item.question === question)
				.map(({ segment, responses, suppressed }) =>
					[segment, responses, suppressed === true ? 'suppressed' : ''].join(' ').trim(),
				);

		test('gives one item a question and segment, in the order of the options', () => {
			const items = byTeam([...team('IT', 5, 9), ...team('Sales', 6, 0)]);
			expect(items).toHaveLength(8);
			expect(of(items, 'Happy?')).toEqual(['Sales 6', 'IT 5']);
			expect(items[3]).toEqual({
				...{ campaignId: 'c1', campaignName: 'Pulse', question: 'Happy?', segment: 'IT' },
				...{ responses: 5, distribution: { 9: 5 }, average: 9, min: 9, max: 9, enps: 100 },
				...{ recipients: 11, submitted: 11, responseRate: 1 },
			});
		});

		test.each<[string, IDataObject[], string[]]>([
			[
				'a small segment takes the next smallest with it',
				[...team('Sales', 4, 1), ...team('Ops', 7, 1), ...team('IT', 6, 1)],
				['Sales 4 suppressed', 'Ops 7', 'IT 6 suppressed'],
			],
			[
				'two small ones that are enough together take no other',
				[...team('Sales', 2, 1), ...team('Ops', 3, 1), ...team('IT', 6, 1)],
				['Sales 2 suppressed', 'Ops 3 suppressed', 'IT 6'],
			],
			[
				'few people without a segment take the smallest',
				[...team('Sales', 5, 1), ...team('Ops', 7, 1), ...team(undefined, 1, 1)],
				['Sales 5 suppressed', 'Ops 7'],
			],
			[
				'enough people without a segment take none',
				[...team('Sales', 5, 1), ...team('Ops', 7, 1), ...team(' ', 5, 1)],
				['Sales 5', 'Ops 7'],
			],
			[
				'a segment without answers takes none',
				[...team('Sales', 5, 1), ...team('Ops', 7)],
				['Sales 5', 'Ops 0 suppressed'],
			],
		])('%s', (_, rows, expected) => {
			expect(of(byTeam(rows), 'Happy?')).toEqual(expected);
		});

		test('a row of a matrix is a question of its own', () => {
			const both = { Pay: 1, Tools: 5 };
			const items = byTeam([
				...team('Sales', 6, 1, both),
				...team('Ops', 6, 1, { Pay: 2 }),
				...team('IT', 5, 1, { Pay: 3 }),
				...team('IT', 2, 1, both),
			]).filter(({ question }) => question === 'Matrix');
			expect(items).toMatchObject([
				{ rows: { Pay: { responses: 6, topTwoShare: 0 } }, suppressedRows: ['Tools'] },
				{ rows: { Pay: { responses: 6 } }, suppressedRows: ['Tools'] },
				{ rows: { Pay: { responses: 7 } }, suppressedRows: ['Tools'] },
			]);
		});

		test('comments count towards their own minimum', () => {
			const rows = [
				...team('Sales', 12, 1, undefined, 'of Sales'),
				...team('Ops', 9, 1, undefined, 'of Ops'),
				...team('IT', 11, 1, undefined, 'of IT'),
			];
			const items = byTeam(rows);
			expect(of(items, 'Why?')).toEqual(['Sales 12', 'Ops 9 suppressed', 'IT 11 suppressed']);
			expect(JSON.stringify(items)).not.toMatch(/of Ops|of IT/);
		});

		test('comments beside options never come out by segment', () => {
			const items = byTeam([...team('Sales', 20, 1), ...team('my own team', 20, 1)]);
			expect(of(items, 'Team')).toEqual(['Sales 20', 'my own team 20']);
			expect(items[1]).toMatchObject({ distribution: {}, otherAnswers: 20 });
		});

		test('words that few people wrote are no name of a segment', () => {
			const items = byTeam([...team('Sales', 12, 1), ...team('the one of us', 9, 1)]);
			expect(of(items, 'Happy?')).toEqual(['Sales 12', '9 suppressed']);
			expect(JSON.stringify(items)).not.toContain('the one of us');
		});

		test.each([' team ', '1', 'Team'])('the question is found by %j', (breakDownBy) => {
			expect(of(byTeam(team('IT', 5, 1), { breakDownBy }), 'Happy?')).toEqual(['IT 5']);
		});

		test.each(['Nope', '0', '5', '1.5'])('%j is no question', (breakDownBy) => {
			expect(() => byTeam(team('IT', 5, 1), { breakDownBy })).toThrow(
				/has no question “.+” to break down by \| Its questions are “Team”, “Happy\?”/,
			);
		});

		test('a question that nothing proves cannot be found by its title', () => {
			const rows = [{ submitted: true, 'q.1': 1, 'q.2': 2 }];
			expect(() => byTeam(rows)).toThrow('Their names are “q.1”, “q.2”.');
			expect(byTeam(rows, { breakDownBy: 'q.1' })).toHaveLength(2);
		});

		test('neither a segment nor a difference tells fewer people than the minimum', () => {
			const size = fc.nat({ max: 15 });
			const answer = fc.constantFrom(undefined, undefined, ' ', 1, 5, 9);
			const words = fc.constantFrom(undefined, 'alpha', 'beta');
			const matrix = fc.constantFrom(undefined, { Pay: 1 }, { Tools: 2 }, { Pay: 3, Tools: ' ' });
			const person = fc.tuple(answer, matrix, words);
			const people = (name: unknown) =>
				size.chain((count) =>
					fc
						.array(person, { minLength: count, maxLength: count })
						.map((own) => own.map((answers) => [name, ...answers])),
				);
			const names = [...(questions[0]?.options ?? []), 'HR', ['A', 'B'], undefined, ' '];
			const survey = fc.tuple(...names.map(people)).map((teams) => teams.flat());
			fc.assert(
				fc.property(survey, fc.integer({ min: 1, max: 8 }), (answers, minimum) => {
					const settings = { minimumResponses: minimum, minimumComments: minimum + 2 };
					const rows = rowsWith(...answers);
					const whole = byTeam(rows, { ...settings, breakDownBy: undefined });
					const items = byTeam(rows, settings);
					for (const total of whole) {
						const parts = items.filter(({ question }) => question === total.question);
						const least = total.question === 'Why?' ? minimum + 2 : minimum;
						expectPrivate(Number(total.responses), parts.map(shownPeople), least);
						for (const row of ['Pay', 'Tools']) {
							const answered = answers.filter(([, , given]) =>
								new RegExp(`"${row}":[^"]`).test(JSON.stringify(given) ?? ''),
							);
							const shown = parts.map(({ rows: own }) => peopleOfRow(own, row));
							if (total.question === 'Matrix') expectPrivate(answered.length, shown, minimum);
						}
					}
				}),
				{ numRuns: runs(1_000) },
			);
		});

		/** Whose answers an item shows. */
		const shownPeople = ({ suppressed, responses }: IDataObject) =>
			suppressed === true ? 0 : Number(responses);

		const peopleOfRow = (rows: IDataObject[string], name: string): number => {
			if (typeof rows !== 'object' || rows === null || !(name in rows)) return 0;
			const row: unknown = Object.entries(rows).find(([one]) => one === name)?.[1];
			return typeof row === 'object' && row !== null && 'responses' in row
				? Number(row.responses)
				: 0;
		};

		function expectPrivate(total: number, shown: number[], minimum: number): void {
			for (const people of shown) if (people > 0) expect(people).toBeGreaterThanOrEqual(minimum);
			const others = total - shown.reduce((sum, people) => sum + people, 0);
			const isShown = shown.some((people) => people > 0);
			if (isShown && others > 0) expect(others).toBeGreaterThanOrEqual(minimum);
		}
	});

	test.each<[string, number[], number, number[]]>([
		['nothing is hidden', [5, 6], 0, []],
		['the smallest is hidden with its neighbour', [9, 4, 6], 0, [1, 2]],
		['of two alike the first', [6, 6, 2], 0, [0, 2]],
		['no more than it takes', [1, 2, 2, 9], 0, [0, 1, 2]],
		['all, where they are not enough together', [1, 2], 0, [0, 1]],
		['for the sake of those without', [5, 5, 5], 4, [0]],
		['an empty one alone', [0, 5], 0, [0]],
	])('hiddenGroups: %s', (_, sizes, rest, hidden) => {
		expect([...hiddenGroups(sizes, rest, 5)].sort()).toEqual(hidden);
	});

	test('sums 200,000 responses up without overflowing', () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ submitted: true, 'q.0': n % 11 }));
		expect(summaryBy(surveyOf([{ title: 'A' }], rows), { minimumResponses: 5 })).toMatchObject([
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
		...{ campaignId: 'c1', campaignName: 'Pulse', anonymous: false },
		...{ userId: null, userDisplayName: null, userEmail: null, submittedDate: null },
		...{ responseDuration: null, read: null, responseSubmitted: null },
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
		const noAnswer = { 'userEmail (2)': null, Several: null, Matrix: null, 'Several (2)': null };
		const blank = { ...respondent, submitted: true, ...noAnswer, 'q.7': null };
		const first = { 'userEmail (2)': 'x', Several: 'A, B', Matrix: 'Pay: 1, Tools: a, b' };
		expect(items).toEqual([
			{ ...blank, ...first },
			{ ...blank, 'Several (2)': 'late' },
			{ ...blank, submitted: false, 'q.7': 'extra' },
		]);
		for (const item of items) expect(Object.keys(item)).toEqual(Object.keys(blank));
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
