import type { IDataObject } from 'n8n-workflow';

import {
	answerColumns,
	provenNumbering,
	parseSurveyData,
	strongerNumbering,
	type SurveyData,
} from '../../nodes/shared/surveyData.ts';
import { fieldsIn } from '../../nodes/shared/values.ts';
import { surveyItems, warnIfRawHasNames } from '../../nodes/shared/surveyItems.ts';
import { fail } from '../kit/field.mts';

const surveyOf = (titles: unknown[], result: IDataObject[]): SurveyData =>
	parseSurveyData({ name: 'Pulse', questions: titles.map((title) => ({ title })), result }, fail);

/** Returns the simplified item of the first of some rows, which are all rows of the survey by default. */
const firstItem = (survey: SurveyData, known?: 0 | 1, rows = survey.result) =>
	surveyItems(survey, 'c1', rows, false, [], known)[0];

const answersIn = (survey: SurveyData, known?: 0 | 1) =>
	fieldsIn(firstItem(survey, known)?.answers);

const answersOf = (titles: unknown[], result: IDataObject[]): IDataObject =>
	answersIn(surveyOf(titles, result));

describe('parseSurveyData', () => {
	test('omits result entries that are not objects, a name that is not text and a blank anonymous field', () => {
		const result = [null, { 'q.0': 1 }, 'row', [{}], {}];
		const survey = parseSurveyData({ name: 7, anonymous: ' ', result }, fail);
		expect(survey).toStrictEqual({ questions: [], result: [{ 'q.0': 1 }, {}] });
	});

	test('treats anonymous as true unless its value is blank or clearly means no', () => {
		const read = (anonymous: unknown) => parseSurveyData({ anonymous }, fail).anonymous;
		for (const on of [true, 'true', 'True ', 'yes', 'falsely', '10', 1, {}])
			expect(read(on)).toBe(true);
		for (const off of [false, 'false', ' No ', 0]) expect(read(off)).toBe(false);
		for (const absent of [null, '']) expect(read(absent)).toBeUndefined();
	});

	test.each([undefined, null, 'text', [], { result: {} }, { result: 'none' }])(
		'refuses %j',
		(data) => {
			expect(() => parseSurveyData(data, fail)).toThrow('in an unexpected format');
		},
	);
});

test.each<unknown>([
	...['none', null, 2, { id1: { title: 'A' }, id2: { title: 'B' } }],
	...[
		['A', 'B'],
		[null, { title: 'B' }],
		[[{ title: 'A' }], { title: 'B' }],
	],
])('if questions have an unknown format, answers keep their raw keys: %j', (questions) => {
	const row = { submitted: true, 'q.0': 'a', 'q.1': 'b' };
	const survey = parseSurveyData({ questions, result: [row] }, fail);
	expect(survey.result).toEqual([row]);
	expect(answersIn(survey)).toEqual({ 'q.0': 'a', 'q.1': 'b' });
	expect(answerColumns(survey).map(({ name }) => name)).toEqual(['q.0', 'q.1']);
});

describe('provenNumbering', () => {
	const only2 = { submitted: true, 'q.2': 'x' };
	const many = Array.from({ length: 50 }, () => only2);
	const required = { required: true };
	const optional = { required: false };
	test.each<[numbering: 0 | 1 | undefined, string, questions: IDataObject[], IDataObject[]]>([
		[0, 'a row has q.0', [required, {}, {}], [...many, { 'q.0': null }, { 'q.3': 1 }]],
		[1, 'a row has the key of the last question', [{}, {}, required], [{ 'q.3': null }]],
		[1, 'the first of two questions is required, the last is not', [required, optional], [only2]],
		[
			1,
			'the first question is required, the last is not, and a row has an answer',
			[required, {}, {}],
			[only2],
		],
		[undefined, 'the first question may have been skipped', [optional, {}, {}], many],
		[undefined, 'the last question is required, too', [required, {}, required], many],
		[undefined, '“required” is text', [{ required: 'true' }, {}, {}], many],
		[
			undefined,
			'the answer is blank',
			[required, {}, {}],
			[{ submitted: true, 'q.1': ' ', 'q.2': [] }],
		],
		[undefined, 'the row is not submitted', [required, {}, {}], [{ ...only2, submitted: false }]],
		[undefined, 'a key has no question', [{}, {}, {}], [{ submitted: true, 'q.4': 1 }]],
		[undefined, 'there are no questions', [], many],
	])('is %s if %s', (numbering, _, questions, result) => {
		expect(provenNumbering(parseSurveyData({ questions, result }, fail))).toBe(numbering);
	});

	test('a 0 in any survey is stronger than a 1', () => {
		const pairs = [[1, 0], [0, 1], [undefined, 1], [1, undefined], []] as const;
		expect(pairs.map(([a, b]) => strongerNumbering(a, b))).toEqual([0, 0, 1, 1, undefined]);
	});
});

describe('answers under the titles of the questions', () => {
	const ABC = ['A', 'B', 'C'];
	test.each<[string, unknown[], IDataObject[], IDataObject]>([
		[
			'adds numbers to identical titles, and skips names that other titles use',
			['Why?', 'Why?', 'Why? (2)', 'Why?'],
			[{ 'q.0': 0, 'q.1': 1, 'q.2': 2, 'q.3': 3 }],
			{ 'Why?': 0, 'Why? (2)': 1, 'Why? (2) (2)': 2, 'Why? (3)': 3 },
		],
		[
			'keeps keys without a question or title, in numeric order',
			['A', ' ', undefined],
			[
				{
					'q.12': 12,
					'q.10': 10,
					'q.2': 2,
					'q.0': 0,
					'q.1': 1,
					'q.x': 'x',
					read: true,
				},
			],
			{ A: 0, 'q.1': 1, 'q.2': 2, 'q.10': 10, 'q.12': 12, 'q.x': 'x' },
		],
		[
			'tells a title from a key without a question',
			['q.1'],
			[{ 'q.0': 0, 'q.1': 1 }],
			{ 'q.1': 0, 'q.1 (2)': 1 },
		],
	])('%s', (_what, titles, rows, answers) => {
		expect(Object.entries(answersOf(titles, rows))).toEqual(Object.entries(answers));
	});

	test.each<[0 | 1, IDataObject, IDataObject]>([
		[0, { 'q.1': 'x', 'q.2': 'y' }, { A: null, B: 'x', C: 'y' }],
		[1, { 'q.1': 'x', 'q.2': 'y' }, { A: 'x', B: 'y', C: null }],
		// A q.0 in the survey itself is stronger.
		[1, { 'q.0': 'x', 'q.1': 'y' }, { A: 'x', B: 'y', C: null }],
	])('uses the numbering that another survey proved: from %d, %j', (known, row, answers) => {
		const given = answersIn(surveyOf(ABC, [row]), known);
		expect(Object.entries(given)).toEqual(Object.entries(answers));
	});

	test('handles titles named like members of Object.prototype', () => {
		const titles = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
		const row = {
			'q.0': { polluted: true },
			'q.1': 'c',
			'q.2': 't',
			'q.3': 'h',
		};
		const answers = answersOf(titles, [row]);
		expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
		expect(Object.keys(answers)).toEqual(['q.0', ...titles.slice(1)]);
		expect(Object.values(answers)).toEqual(Object.values(row));
		expect({}).not.toHaveProperty('polluted');
	});

	test('reads 200,000 rows without a stack overflow', () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({
			submitted: true,
			'q.1': n,
			'q.2': [n],
		}));
		const items = surveyItems(surveyOf(['A', 'B'], rows), 'c1', rows, false);
		expect(items.at(-1)?.answers).toEqual({ A: 199_999, B: [199_999] });
	});
});

test.each<[string, string[], IDataObject[], string[]]>([
	[
		'questions, then other keys',
		['A', 'B'],
		[{ 'q.10': 1 }, { 'q.0': 1, 'q.4': 2 }],
		['q.0 A', 'q.1 B', 'q.4', 'q.10'],
	],
	['questions without answers', ['A', 'B'], [{ submitted: false }], ['q.1 A', 'q.2 B']],
	['no reserved name', ['taken', 'taken'], [{ 'q.0': 1 }], ['q.0 taken (2)', 'q.1 taken (3)']],
])('answerColumns: %s', (_what, titles, rows, columns) => {
	const found = answerColumns(surveyOf(titles, rows), ['taken']);
	const shown = found.map(({ key, name, question }) => (question ? `${key} ${name}` : name));
	expect(shown).toEqual(columns);
});

describe('a simplified item', () => {
	const ada = {
		userId: 'u1',
		userDisplayName: 'Ada',
		userEmail: 'ada@example.com',
	};
	const nobody = { userId: null, userDisplayName: null, userEmail: null };

	test('returns the campaign, the fields of the row and the answers', () => {
		const fields = {
			...ada,
			submittedDate: '2026-01-31T09:15:00.000Z',
			responseDuration: 0,
		};
		const row = { submitted: true, read: true, ...fields, 'q.1': 5 };
		const survey = { ...surveyOf(['Why?'], [row]), anonymous: false };
		expect(firstItem(survey, 1)).toEqual({
			...{ campaignId: 'c1', campaignName: 'Pulse', anonymous: false },
			...fields,
			answers: { 'Why?': 5 },
		});
	});

	test('hides the person in an anonymous survey even if the service names them', () => {
		const survey = { ...surveyOf([], [ada]), anonymous: true };
		expect(firstItem(survey)).toMatchObject({ anonymous: true, ...nobody });
	});

	test.each([
		[{}, false],
		[{ userId: ' ' }, false],
		[{ userId: 'u1' }, true],
		[{ userDisplayName: 'Ada' }, true],
		[{ userEmail: 'ada@example.com' }, true],
	])('of an anonymous survey with the row %j, warns: %j', (row, isNamed) => {
		const warn = jest.fn();
		for (const anonymous of [true, false])
			warnIfRawHasNames({ ...surveyOf([], []), anonymous }, 'c1', [{}, row], warn);
		expect(warn).toHaveBeenCalledTimes(isNamed ? 1 : 0);
	});
});
