import { deepCopy, type IDataObject } from 'n8n-workflow';

import { selectRows } from '../../nodes/MessagingService/resources/survey/getResponses.ts';
import {
	summarize,
	type SummarySettings,
} from '../../nodes/MessagingService/resources/survey/summary/summary.ts';
import { safeForSpreadsheets } from '../../nodes/MessagingService/resources/survey/spreadsheets.ts';
import { toTableCell } from '../../nodes/shared/answers.ts';
import { surveyItems } from '../../nodes/shared/surveyItems.ts';
import { parseSurveyData, type SurveyData } from '../../nodes/shared/surveyData.ts';
import { fail } from '../kit/field.mts';
import { tableOf } from '../kit/table.mts';
import { parseAs } from '../kit/typed.mts';

const surveyOf = (questions: unknown, result: IDataObject[], more: IDataObject = {}): SurveyData =>
	parseSurveyData({ name: 'Pulse', questions, result, ...more }, (message) => new Error(message));

/** Returns one submitted row per list of answers. The answers get the keys `q.0`, `q.1` and so on. */
const rowsWith = (...answers: unknown[][]): IDataObject[] =>
	answers.map((list) => {
		const row: IDataObject = { submitted: true };
		for (const [n, answer] of list.entries()) {
			if (answer !== undefined) Object.assign(row, { [`q.${n}`]: answer });
		}
		return row;
	});

const summaryBy = (
	survey: SurveyData,
	settings: Partial<SummarySettings> = {},
	reported = 0,
): IDataObject[] =>
	summarize(survey, 'c1', { minimumResponses: 1, minimumComments: 1, ...settings }, reported, fail)
		.items;

/** Returns the summary of one question, with one person per answer. */
function summaryOf(
	answers: unknown[],
	question: IDataObject = {},
	settings: Partial<SummarySettings> = {},
): IDataObject {
	const rows = rowsWith(...answers.map((one) => [one]));
	const [summary = {}] = summaryBy(surveyOf([{ title: 'Q', ...question }], rows), settings);
	return summary;
}

describe('summarize', () => {
	test('returns one item per question, each with the response rate of the survey', () => {
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
		const summary = summaryBy(survey, { minimumResponses: 3, includeEverybody: true }, 0);
		const figures = ['question', 'suppressed', 'text', 'responses', 'distribution'];
		expect(Object.keys(summary[0] ?? {}).slice(0, 5)).toEqual(figures);
		expect(summary).toEqual([
			{
				...{ ...ofSurvey, question: 'Happy?', responses: 4, distribution: { 0: 1, 7: 1, 9: 2 } },
				...{ counted: 4, average: 6.25, min: 0, max: 9, suppressed: false },
				text: '4 answers, average 6.3',
			},
			{
				...{ ...ofSurvey, question: 'Why?', responses: 3, distribution: { Pay: 2, Team: 1 } },
				...{ counted: null, average: null, min: null, max: null, suppressed: false },
				text: '3 answers',
			},
		]);
	});

	const matrix = { matrixQuestions: ['Pay', 'Tools'], options: [1, 2] };
	const words = Array.from({ length: 10 }, (_, n) => `comment ${n}`);
	const fives = { minimumResponses: 5, minimumComments: 10 };
	const Q = { enpsQuestions: ['Q'] };

	/** Reads a table: what is summarized, the answers, the question, the expected fields (null: absent), the settings. */
	const table = (rows: string): Case[] =>
		tableOf(rows).map(([what = '', ...cells]): Case => {
			const [answers, question, expected, settings] = cells.map((cell) => parseAs<object>(cell));
			return [what, Object.values(answers ?? {}), { ...question }, { ...expected }, settings];
		});

	type Case = [
		what: string,
		answers: unknown[],
		question: IDataObject,
		expected: IDataObject,
		settings?: Partial<SummarySettings>,
	];
	test.each<Case>([
		...table(`
			too few answers ⇒ [9, 9, 9, 9, null] ⇒ {} ⇒ {"suppressed": true} ⇒ {"minimumResponses": 5}
			no answers ⇒ [] ⇒ {} ⇒ {"responseRate": 0, "suppressed": true}
			blanks, which are no answers ⇒ [null, " ", [], [null, ""], {}, {"Pay": null, "Tools": []}, "Yes"] ⇒ {} ⇒ {"responses": 1, "distribution": {"Yes": 1}}
			0 and false, which are no texts ⇒ [0, false] ⇒ {} ⇒ {"distribution": {"0": 1, "false": 1}} ⇒ {"minimumComments": 2}
			lists, each entry once per person ⇒ [["A", "B"], ["B", "B", ""], [{"a": 1}], ["C"], 7] ⇒ {} ⇒ {"responses": 5, "distribution": {"A": 1, "B": 2, "{\\"a\\":1}": 1, "C": 1, "7": 1}, "average": null}
			the option More, which nobody chose ⇒ [1, 2] ⇒ {"options": [1, 2, "More"]} ⇒ {"responses": 2, "counted": null, "average": null, "min": null}
			one numeric option ⇒ [1] ⇒ {"options": [1, "N/A"]} ⇒ {"counted": null, "average": null}
			a hidden word, with options in an unknown format ⇒ [1, 2, "More"] ⇒ {"options": {"a": 1}} ⇒ {"distribution": {"1": 1, "2": 1}, "counted": null} ⇒ {"minimumComments": 2}
			decimals as text ⇒ ["7.50", "8.00", " 6 ", "7,5"] ⇒ {} ⇒ {"counted": 3, "average": 7.17} ⇒ {"minimumComments": 1}
			codes that begin with 0 ⇒ ["007", "008"] ⇒ {} ⇒ {"average": null}
			promoters (9, 10) minus detractors (0 to 6) ⇒ [10, 9, 8, 7, 6] ⇒ {} ⇒ {"enps": 20} ⇒ {"enpsQuestions": ["Q"]}
			the options 0 to 10 and N/A ⇒ [10, "N/A"] ⇒ {"options": ["N/A", 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]} ⇒ {"counted": 1, "enps": 100, "topTwoShare": 1}
			ten of the options 0 to 10, not named ⇒ [9] ⇒ {"options": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]} ⇒ {"average": 9, "enps": null}
			eleven options that are not 0 to 10 ⇒ [9] ⇒ {"options": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]} ⇒ {"average": 9, "enps": null}
			five stars, named ⇒ [5] ⇒ {"options": [1, 2, 3, 4, 5]} ⇒ {"average": 5, "enps": null} ⇒ {"enpsQuestions": ["Q"]}
			options in an unknown format, named ⇒ [9] ⇒ {"options": {"a": 9}} ⇒ {"enps": 100} ⇒ {"enpsQuestions": ["Q"]}
			an answer below the scale ⇒ [9, -1] ⇒ {} ⇒ {"enps": null} ⇒ {"enpsQuestions": ["Q"]}
			an answer with a fraction ⇒ [9, 9.5] ⇒ {} ⇒ {"enps": null} ⇒ {"enpsQuestions": ["Q"]}
			top two of unordered options ⇒ ["7", "6", "1", "1"] ⇒ {"options": [7, "6", 5, "1"]} ⇒ {"topTwoShare": 0.5}
			a share of two thirds ⇒ [1, 2, 3] ⇒ {"options": [1, 2, 3]} ⇒ {"topTwoShare": 0.6667, "average": 2}
			top two of two options ⇒ [1, 2] ⇒ {"options": [1, 2]} ⇒ {"topTwoShare": null}
			rankings ⇒ [["b", "a", "c"], ["a", "b", "c"]] ⇒ {"options": ["a", "b", "c"]} ⇒ {"averageRank": {"a": 1.5, "b": 1.5, "c": 3}}
			a ranking that repeats an option ⇒ [["b", "a", "c"], ["a", "a", "c"]] ⇒ {"options": ["a", "b", "c"]} ⇒ {"averageRank": null}
			choices in option order, which may be no ranking ⇒ [["a", "b", "c"]] ⇒ {"options": ["a", "b", "c"]} ⇒ {"averageRank": null}
			a matrix row of too few ⇒ [{"Pay": 1}, {"Pay": 2, "Tools": 1}] ⇒ {"options": [1, 2]} ⇒ {"responses": 2, "suppressedRows": ["Tools"]} ⇒ {"minimumResponses": 2}
			a matrix without its options ⇒ [{"Pay": 1}, {"Pay": "More"}] ⇒ {} ⇒ {"rows": {"Pay": {"responses": 2}}}
			N/A in a row of a matrix ⇒ [{"Pay": 1, "Tools": "N/A"}, {"Pay": 2, "Tools": 2}] ⇒ {"matrixQuestions": ["Pay", "Tools"], "options": [1, 2, "N/A"]} ⇒ {"rows": {"Pay": {"responses": 2, "counted": 2, "average": 1.5, "min": 1, "max": 2}, "Tools": {"responses": 2, "counted": 1, "average": 2, "min": 2, "max": 2}}}
		`),
		[
			'a matrix row by row',
			[
				{ Tools: 2, Pay: 1 },
				{ Tools: 2, Other: 1 },
				{ Pay: 1, Tools: 1 },
			],
			matrix,
			{
				...{ suppressedRows: null, responses: 3 },
				distribution: { Pay: { 1: 2 }, Tools: { 1: 1, 2: 2 }, Other: { 1: 1 } },
				rows: {
					Pay: { responses: 2, counted: 2, average: 1, min: 1, max: 1 },
					Tools: { responses: 3, counted: 3, average: 1.67, min: 1, max: 2 },
					Other: { responses: 1, counted: 1, average: 1, min: 1, max: 1 },
				},
			},
		],
		['too few comments', words.slice(1), {}, { suppressed: true }, fives],
		[
			'as many hidden texts as Minimum Responses',
			[...Array<unknown>(5).fill('A'), ...words.slice(5)],
			{ options: ['A'] },
			{ responses: 10, distribution: { A: 5 }, otherAnswers: 5 },
			fives,
		],
		['an eNPS of almost 0', [...Array<unknown>(300).fill(8), 6], {}, { average: 7.99, enps: 0 }, Q],
		['an average of 1.005', [...Array<unknown>(199).fill(1), 2], {}, { average: 1.01 }],
	])('summarizes %s', (...[, answers, question, expected, settings]) => {
		const summary = summaryOf(answers, question, settings);
		const asked = Object.keys(expected).map((name) => [name, summary[name] ?? null]);
		expect(Object.fromEntries(asked)).toEqual(expected);
		if (summary.suppressed === true) expect(summary).toMatchObject({ responses: null });
		expect(Object.is(summary.enps, -0)).toBe(false);
	});

	test.each<[string, unknown[], IDataObject, Partial<SummarySettings>?]>([
		[
			'14 answers, average 7.5 (13 numbers), eNPS 0',
			[...Array<number>(5).fill(9), ...[8, 8, 8, 6, 6, 6, 5, 5], 'x'],
			{},
			{ enpsQuestions: ['Q'] },
		],
		['2 answers, average 1.0 (1 number)', [1, 'N/A'], { options: [1, 2, 'N/A'] }],
		[
			'5 answers, 2 in own words',
			['A', 'A', 'A', 'mine', 'also mine'],
			{ options: ['A'] },
			{ minimumComments: 10 },
		],
		[
			'2 answers, a b: average rank 1.5, c: average rank 1.5',
			[
				['c', 'a\nb'],
				['a\nb', 'c'],
			],
			{ options: ['a\nb', 'c'] },
		],
		[
			'3 answers; Pay: 3 answers, average 1.7; Own tools: too few answers',
			[{ Pay: 1 }, { Pay: 2, 'Own\r\ntools': 1 }, { Pay: 2 }],
			{ matrixQuestions: ['Pay', 'Own\r\ntools'], options: [1, 2] },
			{ minimumResponses: 2 },
		],
	])('says in one line: %s', (...[text, answers, question, settings]) => {
		expect(summaryOf(answers, question, settings).text).toBe(text);
	});

	test('without a number of recipients, has no response rate', () => {
		const minimums = { minimumResponses: 1, minimumComments: 1 };
		const survey = surveyOf([{ title: 'Q' }], rowsWith([7]));
		const [item] = summarize(survey, 'c1', minimums, undefined, fail).items;
		expect(item).toMatchObject({ recipients: null, submitted: 1, responseRate: null });
		const third = [...rowsWith([7]), { submitted: false }, { submitted: false }];
		expect(summaryBy(surveyOf([{ title: 'Q' }], third), {}, 3)[0]?.responseRate).toBe(0.3333);
	});

	test('lists answers in option order and comments in random order', () => {
		const { distribution } = summaryOf(['c', 'x', 'a', 'c'], { options: ['a', 'b', 'c'] });
		expect(JSON.stringify(distribution)).toBe('{"a":1,"c":2,"x":1}');
		const rows = summaryOf([{ Tools: 2, Other: 1 }, { Pay: 1 }], matrix).distribution;
		expect(Object.keys(rows ?? {})).toEqual(['Pay', 'Tools', 'Other']);
		const orders = Array.from({ length: 5 }, () => JSON.stringify(summaryOf(words)));
		expect(new Set(orders).size).toBeGreaterThan(1);
	});

	test('keeps raw keys while the numbering of the keys is unknown', () => {
		const survey = surveyOf(
			[{ title: 'A' }, { title: 'B' }, { title: 'C' }, { title: 'D' }],
			[
				{ submitted: true, 'q.1': 9, 'q.2': 'x' },
				{ submitted: true, 'q.1': 10, 'q.2': 5, 'q.3': { Pay: 2 } },
				{ submitted: true, 'q.2': 5, 'q.3': { Pay: 1 } },
			],
		);
		const summary = summaryBy(survey, { minimumResponses: 2 });
		expect(summary).toMatchObject([
			{ question: 'q.1', responses: 2, average: 9.5, distribution: { 9: 1, 10: 1 } },
			{ question: 'q.2', responses: 2, otherAnswers: null, average: null, suppressed: false },
			{ question: 'q.3', distribution: { Pay: { 1: 1, 2: 1 } } },
		]);
	});

	test('handles answers and matrix rows named like members of Object.prototype', () => {
		const evil = parseAs<IDataObject>('{"__proto__":{"x":1},"Pay":"__proto__"}');
		const names = ['__proto__', 'constructor', 'toString'];
		const distribution = summaryOf(names).distribution ?? {};
		expect(Object.keys(distribution).sort()).toEqual(names);
		expect(Object.values(distribution)).toEqual([1, 1, 1]);
		// When n8n copies an item, it loses such fields, but no others.
		expect(deepCopy(summaryOf([evil]).distribution)).toStrictEqual({ Pay: {} });
		expect({}).not.toHaveProperty('x');
	});

	describe('by segment', () => {
		const questions = [
			{ title: 'Team', options: ['Sales', 'Ops', 'IT'] },
			{ title: 'Happy?' },
			{ title: 'Matrix', matrixQuestions: ['Pay', 'Tools'], options: [1, 2, 3, 4, 5] },
			{ title: 'Why?' },
		];
		/** Returns the rows of a team whose members all gave the same answers. */
		const team = (name: unknown, count: number, ...answers: unknown[]) =>
			rowsWith(...Array.from({ length: count }, () => [name, ...answers]));
		const byTeam = (rows: IDataObject[], settings: Partial<SummarySettings> = {}) =>
			summaryBy(surveyOf(questions, rows), { ...fives, breakDownBy: 'Team', ...settings });
		const segmentsFor = (items: IDataObject[], question: string) =>
			items
				.filter((item) => item.question === question)
				.map(({ segment, responses, suppressed }) =>
					[segment, responses ?? '', suppressed === true ? 'suppressed' : '']
						.filter((part) => part !== '')
						.join(' '),
				);

		test('returns one item per question and segment, in the order of the options', () => {
			const others = [...team('HR 10', 5, 9), ...team('HR 9', 5, 9)];
			const items = byTeam([...others, ...team('IT', 5, 9), ...team('Sales', 6, 0)]);
			expect(items).toHaveLength(16);
			expect(segmentsFor(items, 'Happy?')).toEqual(['Sales 6', 'IT 5', 'HR 9 5', 'HR 10 5']);
			expect(items[5]).toEqual({
				...{ campaignId: 'c1', campaignName: 'Pulse', question: 'Happy?', segment: 'IT' },
				...{ responses: 5, distribution: { 9: 5 }, counted: 5, average: 9, min: 9, max: 9 },
				text: '5 answers, average 9.0',
				...{ suppressed: false, recipients: 21, submitted: 21, responseRate: 1 },
			});
		});

		test('puts answers that differ only in outer blanks or list order into one segment', () => {
			const rows = [...team('Sales', 5, 1), ...team(' Sales ', 3, 1)];
			const settings = { minimumComments: 1 };
			expect(segmentsFor(byTeam(rows, settings), 'Happy?')).toEqual(['Sales 8']);
			const both = [...team(['IT', 'Ops'], 3, 1), ...team(['Ops', 'IT'], 3, 1)];
			expect(segmentsFor(byTeam(both, settings), 'Happy?')).toEqual(['IT, Ops 6']);
		});

		const SIX_OPS = Array<unknown>(6).fill('Ops');
		const ONE_HIDDEN = { segment: null, responses: null, suppressed: true };
		test.each<[string, unknown, unknown[]]>([
			['has too few answers', ['Sales', 'Ops'], ['Sales', 'Sales', 'Ops', 'Ops']],
			['has no options, and one segment is small', [], [...SIX_OPS, 'the one driver']],
			['has no options, and texts are hidden', [], [...SIX_OPS, 1, 1, 1, 1, 1, 1]],
		])('returns one suppressed segment if the chosen question %s', (_, options, teams) => {
			const asked = [{ title: 'Team', options }, { title: 'Happy?' }];
			const people = Array.from({ length: 20 }, (_one, n) => [teams[n] ?? null, n]);
			const survey = surveyOf(asked, rowsWith(...people));
			const items = summaryBy(survey, { ...fives, breakDownBy: 'Team' });
			expect(items).toMatchObject([
				{ question: 'Team', ...ONE_HIDDEN },
				{ question: 'Happy?', ...ONE_HIDDEN },
			]);
		});

		describe('the eNPS', () => {
			const grid = { title: 'Grid', matrixQuestions: ['Pay'], options: [9, 10] };
			const asked = [questions[0], { title: 'Likely?' }, grid];
			const summary = (rows: IDataObject[], more: Partial<SummarySettings> = {}) =>
				summarize(
					surveyOf(asked, rows),
					'c1',
					{ ...fives, breakDownBy: 'Team', enpsQuestions: ['Likely?'], ...more },
					0,
					fail,
				);
			const enpsIn = ({ items }: ReturnType<typeof summary>) =>
				items
					.filter(({ question, suppressed }) => question === 'Likely?' && suppressed === false)
					.map(({ enps }) => enps ?? null);
			const NO_ENPS = [
				'The question “Likely?” has no eNPS, because its answers are not whole numbers from 0 to 10.',
			];

			test('belongs to the question: one answer above 10 takes it from every segment and from the summary', () => {
				const good = [...team('Sales', 6, 9), ...team('IT', 6, 0)];
				expect(enpsIn(summary(good))).toEqual([100, -100]);
				const ofGrid = summary(team('IT', 5, 9, { Pay: 9 }), { enpsQuestions: ['Grid'] });
				for (const { warnings } of [summary(good), ofGrid]) expect(warnings).toEqual([]);
				const days = [...good, ...team('IT', 1, 30)];
				for (const more of [{}, { breakDownBy: undefined }]) {
					const { warnings } = summary(days, more);
					expect(enpsIn(summary(days, more))).not.toContainEqual(expect.any(Number));
					expect(warnings).toEqual(NO_ENPS);
				}
			});

			test('of a question that is hidden, says nothing', () => {
				const hidden = [...team('Sales', 2, 30), ...team('IT', 2, 'x'), ...team('IT', 9)];
				for (const more of [{}, { breakDownBy: undefined }])
					expect(summary(hidden, more).warnings).toEqual([]);
			});

			test('of a question that shows only texts, says the same whatever the hidden numbers are', () => {
				const texts = words.map((text) => ['Sales', text]);
				const settings = { breakDownBy: undefined };
				for (const number of [9, 30])
					expect(
						summary([...rowsWith(...texts), ...team('Sales', 2, number)], settings).warnings,
					).toEqual(NO_ENPS);
			});

			test('names the questions that the survey does not have', () => {
				const { missing } = summary(team('IT', 5, 9), { enpsQuestions: ['2', 'Nope', ' likely?'] });
				expect(missing).toEqual(['Nope']);
			});
		});

		test('has a row of everybody after the segments of a question, if it is wanted', () => {
			const rows = [...team('Sales', 6, 9), ...team('Ops', 4, 1), ...team('IT', 5, 3)];
			const items = byTeam(rows, { includeEverybody: true }).slice(4, 8);
			expect(
				items.map(({ question, segment, everybody, responses }) => [
					...[question, segment, everybody, responses],
				]),
			).toEqual([
				['Happy?', 'Sales', false, 6],
				['Happy?', 'Ops', false, null],
				['Happy?', 'IT', false, null],
				['Happy?', null, true, 15],
			]);
		});

		test('shows a segment in a question that its people answered, and hides the segment if they were not asked', () => {
			const items = byTeam([...team('Sales', 6, 1), ...team('Ops', 5, '', { Pay: 1 })]);
			expect(segmentsFor(items, 'Happy?')).toEqual(['Sales 6', 'Ops suppressed']);
			expect(segmentsFor(items, 'Matrix')).toEqual(['Sales suppressed', 'Ops 5']);
			const few = byTeam([...team('Sales', 5, 1), ...team('Ops', 3, 1), ...team('IT', 2, 1)]);
			expect(segmentsFor(few, 'Happy?')[0]).toBe('Sales 5');
		});

		test.each([' team ', '1', 'Team'])('finds the question by %j', (breakDownBy) => {
			expect(segmentsFor(byTeam(team('IT', 5, 1), { breakDownBy }), 'Happy?')).toEqual(['IT 5']);
		});

		test('prefers a question with exactly the given name', () => {
			const survey = surveyOf([{ title: 'team' }, { title: 'Team' }], team('IT', 5, 'Ops'));
			const [item] = summaryBy(survey, { breakDownBy: 'Team' });
			expect(item?.segment).toBe('Ops');
			expect(() => summaryBy(survey, { breakDownBy: 'TEAM' })).toThrow('Enter its number instead.');
		});

		test.each(['Nope', '0', '5', '1.5'])(
			'refuses to break down by %j, which is not a question',
			(breakDownBy) => {
				const rows = [...team('IT', 5, 1), { submitted: true, 'q.9': 'removed' }];
				expect(() => byTeam(rows, { breakDownBy })).toThrow(
					/has no question “.+” to break down by \| Its questions are “Team”, “Happy\?”/,
				);
			},
		);

		test('if it is unknown whether keys count from 0 or 1, finds a question only by its raw key', () => {
			const rows = [{ submitted: true, 'q.1': 1, 'q.2': 2 }];
			for (const breakDownBy of ['Team', '1'])
				expect(() => byTeam(rows, { breakDownBy })).toThrow(
					'Enter one of these answer keys instead: “q.1”, “q.2”.',
				);
			expect(byTeam(rows, { breakDownBy: 'q.1' })).toHaveLength(2);
		});
	});

	test('summarizes 200,000 responses without a stack overflow', () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ submitted: true, 'q.0': n % 11 }));
		expect(summaryBy(surveyOf([{ title: 'A' }], rows), { minimumResponses: 5 })).toMatchObject([
			{ responses: 200_000, min: 0, max: 10 },
		]);
	});
});

describe('selectRows', () => {
	const rows = [{ submitted: false }, { submitted: true, n: 1 }, {}, { submitted: true, n: 2 }];
	const survey = surveyOf([], rows);

	test.each([
		['everyone', Infinity, [0, 1, 2, 3]],
		['submitted', 1, [1]],
		['notSubmitted', 2, [0, 2]],
	] as const)('returns the rows of %s, at most %d', (who, most, places) => {
		expect(selectRows(survey, who, most)).toEqual(places.map((place) => rows[place]));
	});
});

describe('a table', () => {
	const respondent = {
		...{ campaignId: 'c1', campaignName: 'Pulse', anonymous: false },
		...{ userId: null, userDisplayName: null, userEmail: null, submittedDate: null },
		...{ responseDuration: null, read: null, responseSubmitted: null },
	};

	test('returns the same fields for every row: respondent fields, then one per question', () => {
		const rows = [
			...rowsWith(['x', ['A', 'B'], { Pay: 1, Tools: ['a', 'b'] }], [undefined, [], {}, 'late']),
			{ submitted: false, 'q.7': 'extra' },
		];
		const survey = surveyOf(
			[{ title: 'userEmail' }, { title: 'Several' }, { title: 'Matrix' }, { title: 'Several' }],
			rows,
		);
		const items = surveyItems(survey, 'c1', rows, true);
		const noAnswer = { 'userEmail (2)': null, Several: null, Matrix: null, 'Several (2)': null };
		const blank = { ...respondent, submitted: true, ...noAnswer, 'q.7': null };
		const first = { 'userEmail (2)': 'x', Several: 'A, B', Matrix: 'Pay: 1, Tools: a, b' };
		expect(items).toEqual([
			{ ...blank, ...first },
			{ ...blank, 'Several (2)': 'late' },
			{ ...blank, submitted: false, 'q.7': 'extra' },
		]);
		for (const item of items) expect(Object.keys(item)).toEqual(Object.keys(blank));
		expect(surveyItems(survey, 'c1', rows.slice(1, 2), true)).toEqual(items.slice(1, 2));
	});
});

describe('safeForSpreadsheets', () => {
	const formulas = [...'=+-@\t\r\n＝＋－＠'].map((sign) => `${sign}49 kg`);
	test.each([...formulas, '-'])('puts a sign before %j', (text) => {
		expect(safeForSpreadsheets({ a: text })).toEqual({ a: `'${text}` });
	});

	test('leaves numbers and other texts as they are', () => {
		const item = { a: ['-5', -5, '+3', '-1.5e3', 'a=b', '', null, true, "'=1"] };
		expect(safeForSpreadsheets(item)).toEqual(item);
	});

	test('reaches names of fields and nested texts, and keeps all fields', () => {
		const item = parseAs<IDataObject>(
			'{"=Q": {"=row": ["=1", 2, {"@x": "-y"}]}, "\'=Q": 1, "__proto__": "=1"}',
		);
		expect(Object.entries(safeForSpreadsheets(item))).toEqual([
			["'=Q", { "'=row": ["'=1", 2, { "'@x": "'-y" }] }],
			["'=Q (2)", 1],
			['__proto__', "'=1"],
		]);
	});
});

test.each<[unknown, unknown]>([
	[7, 7],
	[false, false],
	['', ''],
	[undefined, null],
	[['A', null, 7], 'A, 7'],
	[{ Pay: 4, Tools: null }, 'Pay: 4'],
	[[{ a: 1 }], '{"a":1}'],
])('writes %j to a table cell as %j', (answer, cell) => {
	expect(toTableCell(answer)).toBe(cell);
});
