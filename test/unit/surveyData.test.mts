import fc, { runs } from '../kit/property.mts';
import type { IDataObject } from 'n8n-workflow';

import {
	answerKeysOf,
	answerReader,
	numberingOf,
	readSurveyData,
	simplifyRow,
	type SurveyData,
} from '../../nodes/shared/surveyData.ts';

const fail = (message: string) => new Error(message);

const surveyOf = (titles: unknown[], result: IDataObject[]): SurveyData =>
	readSurveyData({ name: 'Pulse', questions: titles.map((title) => ({ title })), result }, fail);

const answersOf = (titles: unknown[], result: IDataObject[], row = 0): IDataObject =>
	answerReader(surveyOf(titles, result))(result[row] ?? {});

describe('readSurveyData', () => {
	test('keeps what the service said, and takes a missing list for an empty one', () => {
		const survey = readSurveyData({ name: 'Pulse', anonymous: true, senderName: 'HR' }, fail);
		expect(survey).toEqual({
			name: 'Pulse',
			anonymous: true,
			senderName: 'HR',
			questions: [],
			result: [],
		});
	});

	test('leaves out what is no row, and a name or a switch in another form', () => {
		const result = [null, { 'q.0': 1 }, 'row', [{}], {}];
		const survey = readSurveyData({ name: 7, anonymous: 'true', result }, fail);
		expect(survey).toStrictEqual({ questions: [], result: [{ 'q.0': 1 }, {}] });
	});

	test('takes no list of rows for an empty one', () => {
		expect(readSurveyData({ result: null }, fail).result).toEqual([]);
	});

	test.each([undefined, null, 'text', [], { result: {} }, { result: 'none' }])(
		'refuses %j',
		(data) => {
			expect(() => readSurveyData(data, fail)).toThrow('in a form that cannot be read');
		},
	);
});

describe('questions in a form that nobody knows', () => {
	const row = { submitted: true, 'q.0': 'a', 'q.1': 'b' };

	test.each<[string, unknown]>([
		['text', 'none'],
		['an object by id', { id1: { title: 'A' }, id2: { title: 'B' } }],
		['titles alone', ['A', 'B']],
		['a hole', [null, { title: 'B' }]],
		['a list in the list', [[{ title: 'A' }], { title: 'B' }]],
		['null', null],
		['a number', 2],
	])('%s: the answers keep their raw keys', (_, questions) => {
		const survey = readSurveyData({ questions, result: [row] }, fail);
		expect(survey.result).toEqual([row]);
		expect(answerReader(survey)(row)).toEqual({ 'q.0': 'a', 'q.1': 'b' });
		expect(answerKeysOf(survey).map(({ name }) => name)).toEqual(['q.0', 'q.1']);
	});
});

describe('numberingOf', () => {
	test.each<[string, number, IDataObject[], 0 | 1 | undefined]>([
		['q.0 proves 0', 3, [{ 'q.1': 'b' }, { 'q.0': null }], 0],
		['q.<number of questions> proves 1', 3, [{ 'q.1': 'a' }, { 'q.3': 'c' }], 1],
		['q.0 proves 0 beside q.<number of questions>', 3, [{ 'q.3': 'c' }, { 'q.0': 'a' }], 0],
		[
			'nobody answered the first or the last question',
			3,
			[{ 'q.1': 'x' }, { 'q.2': 'y' }],
			undefined,
		],
		['a key beyond the questions proves nothing', 2, [{ 'q.1': 'x', 'q.3': 'y' }], undefined],
		['nobody answered anything', 2, [{ submitted: true }], undefined],
		['nobody is there', 2, [], undefined],
	])('%s', (_, questions, rows, numbering) => {
		expect(numberingOf(surveyOf(Array(questions).fill('Q'), rows))).toBe(numbering);
	});
});

describe('answerReader', () => {
	test('counts from 1 when a row has the number of the last question', () => {
		expect(answersOf(['A', 'B'], [{ 'q.1': 'a', 'q.2': 'b' }])).toEqual({ A: 'a', B: 'b' });
	});

	test('keeps the raw keys when nobody answered the first or the last question', () => {
		expect(answersOf(['A', 'B', 'C'], [{ 'q.1': 'x', 'q.2': 'y' }])).toEqual({
			'q.1': 'x',
			'q.2': 'y',
		});
	});

	test.each([
		[0, { B: 'x', C: 'y' }],
		[1, { A: 'x', B: 'y' }],
	] as const)('keeps to what was proved earlier: from %d', (known, answers) => {
		const row = { 'q.1': 'x', 'q.2': 'y' };
		expect(answerReader(surveyOf(['A', 'B', 'C'], [row]), known)(row)).toEqual(answers);
	});

	test('keeps to what was proved earlier although the rows now say otherwise', () => {
		const row = { 'q.0': 'x', 'q.1': 'y' };
		expect(answerReader(surveyOf(['A', 'B'], [row]), 1)(row)).toEqual({ A: 'y', 'q.0': 'x' });
	});

	test('counts from 0 when any row has q.0, also for the rows that have not', () => {
		const rows = [{ 'q.1': 'b' }, { 'q.0': null }];
		expect(answersOf(['A', 'B'], rows, 0)).toEqual({ B: 'b' });
		expect(answersOf(['A', 'B'], rows, 1)).toEqual({ A: null });
	});

	test('numbers equal titles, and passes over a name that another title has', () => {
		const row = { 'q.0': 0, 'q.1': 1, 'q.2': 2, 'q.3': 3 };
		expect(answersOf(['Why?', 'Why?', 'Why? (2)', 'Why?'], [row])).toEqual({
			'Why?': 0,
			'Why? (2)': 1,
			'Why? (2) (2)': 2,
			'Why? (3)': 3,
		});
	});

	test('keeps the raw name of keys without a question or a title', () => {
		const row = { 'q.0': 0, 'q.1': 1, 'q.2': 2, 'q.10': 10, 'q.x': 'x', read: true };
		expect(answersOf(['A', ' ', undefined], [row])).toEqual({
			A: 0,
			'q.1': 1,
			'q.2': 2,
			'q.10': 10,
			'q.x': 'x',
		});
	});

	test('does not let a raw name take the place of a title', () => {
		expect(answersOf(['q.5'], [{ 'q.0': 'titled', 'q.5': 'raw' }])).toEqual({
			'q.5': 'titled',
			'q.5 (2)': 'raw',
		});
	});

	test('orders answers by the number of the question', () => {
		const row = { 'q.12': 12, 'q.2': 2, 'q.10': 10, 'q.1': 1 };
		expect(Object.keys(answersOf(['A', 'B'], [row]))).toEqual(['A', 'B', 'q.10', 'q.12']);
	});

	test('keeps matrix and multi-select answers as they are', () => {
		const row = { 'q.0': { Leadership: 4 }, 'q.1': ['Team', 'Pay'] };
		expect(answersOf(['Matrix', 'Several'], [row])).toEqual({
			Matrix: { Leadership: 4 },
			Several: ['Team', 'Pay'],
		});
	});

	test('is safe from titles that mean something to JavaScript', () => {
		const titles = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
		const answers = answersOf(titles, [
			{ 'q.0': { polluted: true }, 'q.1': 'c', 'q.2': 't', 'q.3': 'h' },
		]);
		expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
		expect(Object.entries(answers)).toEqual([
			['q.0', { polluted: true }],
			['constructor', 'c'],
			['toString', 't'],
			['hasOwnProperty', 'h'],
		]);
		expect({}).not.toHaveProperty('polluted');
	});

	test('loses no answer, makes up none, and names a question the same in every row', () => {
		const title = fc.oneof(
			fc.constantFrom('Why?', 'Why? (2)', 'q.1', 'q.3', '', '__proto__', 'constructor'),
			fc.string(),
		);
		const answer = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.array(fc.string()));
		const row = fc.dictionary(
			fc.nat({ max: 12 }).map((n) => `q.${n}`),
			answer,
		);
		fc.assert(
			fc.property(fc.array(title), fc.array(row, { minLength: 1 }), (titles, rows) => {
				const read = answerReader(surveyOf(titles, rows));
				const nameOf = new Map<string, string>();
				const first = rows.some((one) => 'q.0' in one)
					? 0
					: rows.some((one) => `q.${titles.length}` in one)
						? 1
						: NaN;
				for (const one of rows) {
					const answers = read(one);
					expect(Object.keys(answers)).toHaveLength(Object.keys(one).length);
					for (const [key, value] of Object.entries(one)) {
						// Alone, an answer shows its name; among the others it has the same one.
						const [name = ''] = Object.keys(read({ [key]: value }));
						expect(Object.hasOwn(answers, name)).toBe(true);
						expect(answers[name]).toBe(value);
						expect(nameOf.get(key) ?? name).toBe(name);
						nameOf.set(key, name);
						const own = titles[Number(key.slice(2)) - first];
						const firstOfItsTitle =
							own !== undefined && titles.indexOf(own) === Number(key.slice(2)) - first;
						if (firstOfItsTitle && /^[a-z]+\?$/i.test(own)) expect(name).toBe(own);
					}
				}
				expect(new Set(nameOf.values()).size).toBe(nameOf.size);
			}),
			{ numRuns: runs(500) },
		);
	});

	test('names the answers of 200,000 rows without overflowing', () => {
		const rows = Array.from({ length: 200_000 }, (_, n) => ({ 'q.1': n, 'q.2': [n] }));
		const survey = surveyOf(['A', 'B'], rows);
		const read = answerReader(survey);
		expect(rows.map(read).at(-1)).toEqual({ A: 199_999, B: [199_999] });
	});
});

describe('answerKeysOf', () => {
	test('lists every question, answered or not, then the keys without one', () => {
		const survey = surveyOf(['A', 'B'], [{ 'q.10': 1 }, { 'q.0': 1, 'q.4': 2 }]);
		expect(answerKeysOf(survey)).toEqual([
			{ key: 'q.0', name: 'A', question: { title: 'A' } },
			{ key: 'q.1', name: 'B', question: { title: 'B' } },
			{ key: 'q.4', name: 'q.4' },
			{ key: 'q.10', name: 'q.10' },
		]);
	});

	test('lists the keys alone when nothing proves where they begin', () => {
		const survey = surveyOf(['A', 'B', 'C'], [{ 'q.2': 1 }, { 'q.1': 1 }]);
		expect(answerKeysOf(survey)).toEqual([
			{ key: 'q.1', name: 'q.1' },
			{ key: 'q.2', name: 'q.2' },
		]);
	});

	test('knows the questions of a survey that nobody answered', () => {
		const survey = surveyOf(['A', 'B'], [{ submitted: false }]);
		expect(answerKeysOf(survey).map(({ name }) => name)).toEqual(['A', 'B']);
	});

	test('leaves out fields that are no answers', () => {
		const survey = surveyOf(['A'], [{ 'q.0': 1, userEmail: 'a@example.com', question: 'q.7' }]);
		expect(answerKeysOf(survey).map(({ key }) => key)).toEqual(['q.0']);
	});

	test('gives no name that is taken', () => {
		const survey = surveyOf(['userEmail', 'userEmail'], [{ 'q.0': 1 }]);
		expect(answerKeysOf(survey, ['userEmail']).map(({ name }) => name)).toEqual([
			'userEmail (2)',
			'userEmail (3)',
		]);
	});
});

describe('simplifyRow', () => {
	test('says what the service says', () => {
		const row = {
			submitted: true,
			read: true,
			userId: 'u1',
			userDisplayName: 'Ada',
			userEmail: 'ada@example.com',
			submittedDate: '2026-01-31T09:15:00.000Z',
			responseDuration: 0,
			'q.1': 5,
		};
		const survey = { ...surveyOf(['Why?'], [row]), anonymous: false };
		expect(simplifyRow(survey, 'c1', answerReader(survey), row)).toEqual({
			campaignId: 'c1',
			campaignName: 'Pulse',
			anonymous: false,
			userId: 'u1',
			userDisplayName: 'Ada',
			userEmail: 'ada@example.com',
			submittedDate: '2026-01-31T09:15:00.000Z',
			responseDuration: 0,
			answers: { 'Why?': 5 },
		});
	});

	test('names nobody of an anonymous survey, even where the service does', () => {
		const row = { userId: 'u1', userDisplayName: 'Ada', userEmail: 'ada@example.com' };
		const survey = { ...surveyOf([], [row]), anonymous: true };
		expect(simplifyRow(survey, 'c1', answerReader(survey), row)).toMatchObject({
			anonymous: true,
			userId: null,
			userDisplayName: null,
			userEmail: null,
		});
	});

	test('has no name where the survey has none', () => {
		const survey = readSurveyData({}, fail);
		expect(simplifyRow(survey, 'c1', answerReader(survey), {}).campaignName).toBeNull();
	});

	test('has every key, null where the service says nothing', () => {
		const row = { submitted: true, 'q.1': 5 };
		const survey = surveyOf(['How do you feel?'], [row]);
		expect(simplifyRow(survey, 'c1', answerReader(survey), row)).toEqual({
			campaignId: 'c1',
			campaignName: 'Pulse',
			anonymous: false,
			userId: null,
			userDisplayName: null,
			userEmail: null,
			submittedDate: null,
			responseDuration: null,
			answers: { 'How do you feel?': 5 },
		});
	});
});
