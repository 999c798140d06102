import {
	addFingerprint,
	hashNumber,
	hashText,
	type Fingerprint,
} from '../../nodes/MessagingServiceTrigger/dedupe/hash.ts';
import {
	earlierKeysOfContent,
	userIdOf,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowKey.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import fc from '../kit/property.mts';
import { contentKeyOf, keyOf, recordId } from './rowFingerprints.mts';

const seed: Fingerprint = { high: 1, low: 2 };

function hashOf(value: string | number): string {
	const hash = { high: 0, low: 0 };
	if (typeof value === 'number') hashNumber(value, seed, hash);
	else hashText(value, seed, hash);
	return written(hash);
}

const written = ({ high, low }: Fingerprint) =>
	[high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(' ');

const content = (row: SurveyRow) => written(contentKeyOf(row));

describe('the hash of a text', () => {
	test.each([
		['', '0827c5e2 51612aed'],
		['a', '2a56f3bc fb6d1ba3'],
		['1234567', '74c37cd9 6a7edc60'],
		['12345678', '92139d3e ab54720a'],
		['123456789', '9c32a8d6 1e4ed8cb'],
		['64f1c0ffee00000000000001', '1f3d37b3 c0684244'],
		['Zufrieden, größtenteils', 'fe125d89 92b35df8'],
	])('%j is what earlier versions saved', (text, saved) => {
		expect(hashOf(text)).toBe(saved);
	});

	test('spreads ids that count up evenly, in each 16 bits of it', () => {
		const count = 20_000;
		const keys = Array.from({ length: count }, (_, number) => keyOf(recordId(number)));
		const quarters: Array<(key: Fingerprint) => number> = [
			({ high }) => high >>> 16,
			({ high }) => high & 0xffff,
			({ low }) => low >>> 16,
			({ low }) => low & 0xffff,
		];
		const values = 2 ** 16;
		for (const quarter of quarters) {
			const different = new Set(keys.map(quarter)).size;
			// As many values come up as would by chance.
			const expected = values * (1 - (1 - 1 / values) ** count);
			expect(Math.abs(different - expected)).toBeLessThan(expected / 50);
		}
	});

	test('differs where texts only differ in length, in zeros at the end or in one bit', () => {
		const texts = ['', '\0', '\0\0', 'a', 'a\0', 'aa', 'b', '\u0161', 'ä', 'Ä'];
		for (let length = 3; length < 20; length++) texts.push('a'.repeat(length));
		expect(new Set(texts.map(hashOf)).size).toBe(texts.length);
	});
});

describe('the hash of a number', () => {
	test.each([
		[0, 'c0502f54 da6674d8'],
		[1, 'd82e0db6 7db5f82a'],
		[-1, '13145a05 8db67e15'],
		[0.1, '8658388a 86ce8619'],
		[1e300, '9ef133df f69649a3'],
	])('%d is what earlier versions saved', (number, saved) => {
		expect(hashOf(number)).toBe(saved);
	});

	test('is shared by no two numbers', () => {
		fc.assert(
			fc.property(fc.double(), fc.double(), (a, b) => {
				expect(hashOf(a) === hashOf(b)).toBe(Object.is(a, b));
			}),
		);
	});
});

test('fingerprints add up as numbers of 64 bits', () => {
	const half = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, -(2 ** 31), 2 ** 31 - 1));
	const fingerprint = fc.record({ high: half, low: half });
	const number = ({ high, low }: Fingerprint) =>
		BigInt.asUintN(64, (BigInt(high) << 32n) + BigInt(low >>> 0));
	fc.assert(
		fc.property(fingerprint, fingerprint, (a, b) => {
			const sum = { ...a };
			addFingerprint(sum, b);
			expect(number(sum)).toBe(BigInt.asUintN(64, number(a) + number(b)));
			expect(sum).toEqual({ high: sum.high | 0, low: sum.low | 0 });
		}),
	);
});

describe('a row is known by its user id', () => {
	test.each<[SurveyRow[string], boolean, string | undefined]>([
		['u1', false, 'u1'],
		['', false, undefined],
		[7, false, '7'],
		[0, false, '0'],
		[null, false, undefined],
		[undefined, false, undefined],
		[true, false, undefined],
		['u1', true, undefined],
		[7, true, undefined],
	])('%j, in an anonymous survey: %j', (userId, anonymous, id) => {
		expect(userIdOf({ userId }, anonymous)).toBe(id);
	});
});

describe('a row without a user id is known by its content', () => {
	const row: SurveyRow = {
		'q.0': 9,
		'q.1': { a: 1, b: [2, 'x'] },
		userEmail: 'ada@example.com',
		userDisplayName: 'Ada',
		submittedDate: '2026-01-31T09:15:00.000Z',
	};

	test('as earlier versions saved it', () => {
		expect(content(row)).toBe('2fd7c149 01494a83');
	});

	test('in whatever order its fields come, without blanks and without what changes', () => {
		const same: SurveyRow = {
			submittedDate: '2026-01-31T09:15:00.000Z',
			userDisplayName: 'Ada',
			'q.1': { b: [2, 'x'], c: null, a: 1 },
			'q.0': 9,
			'q.2': null,
			'q.3': undefined,
			userEmail: 'ada@example.com',
			userId: 'hidden',
			read: true,
			responseSubmitted: true,
			submitted: true,
			responseDuration: 4,
			somethingNew: 5,
		};
		expect(content(same)).toBe(content(row));
	});

	test.each<[string, SurveyRow]>([
		['another answer', { 'q.0': 8 }],
		['text in place of a number', { 'q.0': '9' }],
		['no answer', { 'q.0': null }],
		['answers that change places', { 'q.0': { a: 1, b: [2, 'x'] }, 'q.1': 9 }],
		['an answer inside a matrix', { 'q.1': { a: 2, b: [2, 'x'] } }],
		['the other row of a matrix', { 'q.1': { c: 1, b: [2, 'x'] } }],
		['another order of a list', { 'q.1': { a: 1, b: ['x', 2] } }],
		['a list that goes on', { 'q.1': { a: 1, b: [2, 'x', 2] } }],
		['a list that begins with nothing', { 'q.1': { a: 1, b: [null, 2, 'x'] } }],
		['one more answer', { 'q.2': 'y' }],
		['another email', { userEmail: 'ada@example.org' }],
		['another name', { userDisplayName: 'Bea' }],
		['another time', { submittedDate: '2026-01-31T09:15:00.001Z' }],
	])('which %s makes another one', (_case, change) => {
		expect(content({ ...row, ...change })).not.toBe(content(row));
	});

	test('an answer far down a list stands where it stands, whatever came up before', () => {
		const at = (index: number): SurveyRow => ({
			'q.fresh': [...Array.from({ length: index }, () => null), 'x'],
		});
		const indexes = [3, 0, 1, 2, 1500, 1499, 4];
		const keys = indexes.map((index) => content(at(index)));
		expect(new Set(keys).size).toBe(indexes.length);
		expect(indexes.map((index) => content(at(index)))).toEqual(keys);
	});

	test('and so however many fields came up before', () => {
		const many: SurveyRow = Object.fromEntries(
			Array.from({ length: 2500 }, (_, number) => [`q.many${number}`, { [`r${number}`]: 1 }]),
		);
		const key = content(many);
		expect(content(many)).toBe(key);
		expect(content({ ...many, 'q.many2400': { r2400: 2 } })).not.toBe(key);
		expect(content({ ...many, somethingElse2400: 2 })).toBe(key);
	});
});

test('earlier stages of a row have no time yet and fewer answers, the latest stage first', () => {
	const person: SurveyRow = { userEmail: 'ada@example.com', userDisplayName: 'Ada' };
	const row: SurveyRow = {
		'q.10': 'last',
		submittedDate: '2026-01-31T09:15:00.000Z',
		'q.2': [1],
		...person,
		'q.1': 5,
		'q.4': 'x',
		read: true,
		responseDuration: 4,
	};
	expect(earlierKeysOfContent(row)).toEqual(
		[
			{ ...person, 'q.1': 5, 'q.2': [1], 'q.4': 'x', 'q.10': 'last' },
			{ ...person, 'q.1': 5, 'q.2': [1], 'q.4': 'x' },
			{ ...person, 'q.1': 5, 'q.2': [1] },
			{ ...person, 'q.1': 5 },
			person,
		].map(contentKeyOf),
	);
});
