import { runInNewContext } from 'node:vm';

import fc from '../kit/property.mts';

import type { FieldInfo } from '../../nodes/shared/field.ts';
import { toFutureTimestamp, toUtcTimestamp } from '../../nodes/shared/date.ts';
import {
	toChoice,
	parseJson,
	parseJsonObject,
	toNumber,
	toSwitch,
	toText,
} from '../../nodes/shared/values.ts';

const field: FieldInfo = {
	label: 'Field',
	timezone: 'Europe/Berlin',
	fail: (message) => new Error(message),
};

function descriptionOf(
	convert: (field: FieldInfo) => unknown,
	message: string,
): string | undefined {
	const fail = jest.fn((text: string, _description?: string) => new Error(text));
	expect(() => convert({ ...field, fail })).toThrow(message);
	return fail.mock.calls[0]?.[1];
}

describe('toText', () => {
	test('converts texts, numbers, booleans and missing values', () => {
		const values = ['a ', '', 7, 0, true, false, undefined, null];
		const texts = ['a ', '', '7', '0', 'true', 'false', '', ''];
		expect(values.map((value) => toText(value, field))).toEqual(texts);
	});
});

test('toNumber accepts numbers and numeric text', () => {
	expect([7, -0.5, '7', ' 7.5 ', '1e3'].map(toNumber)).toEqual([7, -0.5, 7, 7.5, 1000]);
	for (const other of ['', ' ', 'seven', true, null, undefined, ['7'], new Date(7)])
		expect(toNumber(other)).toBe(NaN);
});

describe('toChoice', () => {
	const statuses = ['draft', 'live', 'scheduled'];

	test.each([
		['LIVE', statuses, 'live'],
		[1, ['0', '1'], '1'],
		['onlyapi', ['onlyApi'], 'onlyApi'],
	])('%j is one of %j: %s', (value, listed, choice) => {
		expect(toChoice(value, listed, field)).toBe(choice);
	});

	test.each<[unknown, string]>([
		...[undefined, null, '', ' '].map((nothing): [unknown, string] => [nothing, 'empty']),
		...[' live', 'sent'].map((text): [unknown, string] => [text, `"${text}"`]),
		...[1, true].map((value): [unknown, string] => [value, String(value)]),
		[{}, 'an object'],
		[['live'], 'a list'],
		[() => 'x', 'a function'],
		['x'.repeat(60), `"${'x'.repeat(60)}"`],
		['x'.repeat(61), `"${'x'.repeat(59)}…"`],
	])('refuses %j and names it', (value, named) => {
		expect(() => toChoice(value, statuses, field)).toThrow(
			new Error(`Field must be draft, live or scheduled: it is ${named}`),
		);
	});
});

test('toSwitch accepts booleans, true, false, yes, no, 1 and 0 in any case, and nothing else', () => {
	for (const on of [true, 'TRUE', 'Yes', '1', 1]) expect(toSwitch(on, field)).toBe(true);
	for (const off of [false, 'false', 'No', '0', 0]) expect(toSwitch(off, field)).toBe(false);
	const known = ['true', 'false', 'yes', 'no', '1', '0'];
	const refuse = (value: unknown) =>
		expect(() => toSwitch(value, field)).toThrow(/^Field must be on or off: it is \S/);
	for (const value of [undefined, null, '', 'on', 2, [true]]) refuse(value);
	fc.assert(
		fc.property(fc.anything(), (value) => {
			if (typeof value === 'object' || !known.includes(String(value).toLowerCase())) refuse(value);
		}),
	);
});

describe('toUtcTimestamp', () => {
	test('returns every instant in UTC with milliseconds', () => {
		const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
		fc.assert(
			fc.property(fc.date(years), (date) => {
				expect(toUtcTimestamp(date.toISOString(), field)).toBe(date.toISOString());
			}),
		);
	});

	test.each<[unknown, string | undefined]>([
		...['', ' ', null].map((blank): [unknown, undefined] => [blank, undefined]),
		['2026-01-31T09:15', '2026-01-31T08:15:00.000Z'],
		['2026-01-31 09:15:00', '2026-01-31T08:15:00.000Z'],
		[' 2026-07-31 ', '2026-07-30T22:00:00.000Z'],
		['2026-01-31T09:15:00.5+0100', '2026-01-31T08:15:00.500Z'],
		['2026-01-31T09:15:00.123456789-05', '2026-01-31T14:15:00.123Z'],
		[1e12, '2001-09-09T01:46:40.000Z'],
		[1e13 - 1, '2286-11-20T17:46:39.999Z'],
		[runInNewContext('new Date(0)'), '1970-01-01T00:00:00.000Z'],
	])('%j becomes %s', (value, expected) => {
		expect(toUtcTimestamp(value, field)).toBe(expected);
	});

	test.each<unknown>([
		...['soon', '31/31/2026', 'Room 12', 'week 7', '-1', '1', '2026', '2026-01', '2026-1-1'],
		...['20260131', '2026-02-29', '2026-02-31T09:15:00', '2026-13-01', '2026-01-00'],
		...['2026-01-31T25:00', '2026-01-31T09:60', '2026-01-31T09:15+99:00'],
		...['2026-01-31T09:15:00 tomorrow', '1767225600000', 'Sat, 31 Jan 2026'],
		...[-1, 1, 46_053, 1_767_225_600, 1e12 - 1, 1e13, 1e15, 1_767_225_600_000.5, NaN],
		...[true, {}, [], new Date(NaN)],
		...[{ toISO: '2026-01-31' }, () => '2026-01-31'],
	])('refuses %j', (value) => {
		expect(() => toUtcTimestamp(value, field)).toThrow('Field is not a date: ');
	});

	test('a send time needs a time: an empty one leaves a blank behind', () => {
		expect(() => toFutureTimestamp('2100-01-31 ', field, 0)).toThrow('has no time');
		expect(toFutureTimestamp('2100-01-31', field, 0)).toMatch(/^2100-01-3/);
	});

	test('refuses a time in an unknown time zone', () => {
		const nowhere = { ...field, timezone: 'Nowhere/Here' };
		expect(() => toUtcTimestamp('2026-01-31T09:15', nowhere)).toThrow('not a valid date');
	});
});

describe('parseJson', () => {
	test.each<[unknown, unknown]>([
		['{"a":1}', { a: 1 }],
		[' [1, null] ', [1, null]],
		[
			[1, undefined],
			[1, null],
		],
		[false, false],
		[{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
		[' ', undefined],
		[null, undefined],
	])('%j becomes %j', (value, json) => {
		expect(parseJson(value, field)).toEqual(json);
	});

	test('names the field and describes the problem of invalid JSON', () => {
		const description = descriptionOf((own) => parseJson('{a', own), 'Field is not valid JSON');
		expect(description).toMatch(/JSON|position|property/);
	});

	test('refuses a value that JSON cannot hold', () => {
		const itself: Record<string, unknown> = {};
		itself.itself = itself;
		for (const value of [itself, () => 1, Symbol('a')])
			expect(() => parseJson(value, field)).toThrow('Field cannot be written as JSON');
	});
});

describe('parseJsonObject', () => {
	test.each([
		['[1]', 'a list'],
		['"a"', 'a string'],
		['null', 'null'],
	])('refuses %j: it is %s', (value, kind) => {
		const description = descriptionOf(
			(own) => parseJsonObject(value, own),
			'Field must be a JSON object',
		);
		expect(description).toMatch(new RegExp(`^It is ${kind}\\.`));
	});
});
