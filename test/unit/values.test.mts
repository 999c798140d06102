import fc from '../kit/property.mts';

import { normaliseBaseUrl } from '../../nodes/shared/service/baseUrl.ts';
import { buildPath } from '../../nodes/shared/service/path.ts';
import type { Field } from '../../nodes/shared/field.ts';
import { toChoice, toJson, toList, toSwitch, toUtcTimestamp } from '../../nodes/shared/values.ts';

const field: Field = {
	label: 'Field',
	timezone: 'Europe/Berlin',
	fail: (message) => new Error(message),
};

describe('toList', () => {
	test.each([
		['a, b;c\nd\r\ne', ['a', 'b', 'c', 'd', 'e']],
		[' a ,, a ;', ['a']],
		[
			['a ', 'b', '', 'a', null, 3],
			['a', 'b', '3'],
		],
		[['a,b'], ['a,b']],
		[7, ['7']],
		[undefined, []],
		[null, []],
		['', []],
	])('%j gives %j', (value, expected) => {
		expect(toList(value, field)).toEqual(expected);
	});

	test('never gives blanks, repeats or untrimmed entries', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const list = toList(text, field);
				expect(new Set(list).size).toBe(list.length);
				for (const entry of list) {
					expect(entry).toBe(entry.trim());
					expect(entry).not.toBe('');
				}
			}),
		);
	});

	test.each([[[{}]], [{ a: 1 }], [[['a']]]])('%j is refused', (value) => {
		expect(() => toList(value, field)).toThrow('Field must be a list');
	});
});

describe('toChoice', () => {
	const statuses = ['draft', 'live', 'scheduled'];

	test('takes a listed value in any case, and gives it as listed', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...statuses, 'onlyApi', '0', '1'),
				fc.mixedCase(fc.constantFrom('draft', 'live', 'scheduled', 'onlyApi', '0', '1')),
				(listed, written) => {
					const read = () => toChoice(written, [listed, 'other'], field);
					if (written.toLowerCase() === listed.toLowerCase()) expect(read()).toBe(listed);
					else expect(read).toThrow(/^Field must be \S+ or other: it is "/);
				},
			),
		);
	});

	test('takes a number for its text', () => {
		expect(toChoice(1, ['0', '1'], field)).toBe('1');
	});

	test('never gives anything but a listed value', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				try {
					expect(statuses).toContain(toChoice(value, statuses, field));
				} catch (error) {
					expect(error).toMatchObject({
						message: expect.stringMatching(/^Field must be draft, live or scheduled: it is \S/),
					});
				}
			}),
		);
	});

	test.each([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		[' ', 'empty'],
		[' live', '" live"'],
		['sent', '"sent"'],
		[1, '1'],
		[true, 'true'],
		[{}, 'an object'],
		[['live'], 'a list'],
	])('%j is refused and named', (value, named) => {
		expect(() => toChoice(value, statuses, field)).toThrow(
			`Field must be draft, live or scheduled: it is ${named}`,
		);
	});
});

describe('toSwitch', () => {
	test.each([
		[true, true],
		['true', true],
		['TRUE', true],
		['yes', true],
		['Yes', true],
		['1', true],
		[1, true],
		[false, false],
		['false', false],
		['No', false],
		['0', false],
		[0, false],
	])('%j is %j', (value, expected) => {
		expect(toSwitch(value, field)).toBe(expected);
	});

	test('takes nothing else for on or off', () => {
		const known = ['true', 'false', 'yes', 'no', '1', '0'];
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const isKnown = typeof value !== 'object' && known.includes(String(value).toLowerCase());
				if (isKnown) expect(typeof toSwitch(value, field)).toBe('boolean');
				else expect(() => toSwitch(value, field)).toThrow(/^Field must be on or off: it is \S/);
			}),
		);
	});

	test.each([undefined, null, '', 'on', 'maybe', 2, {}, [], [true]])('%j is refused', (value) => {
		expect(() => toSwitch(value, field)).toThrow('Field must be on or off');
	});
});

describe('toUtcTimestamp', () => {
	test('gives every instant in UTC with milliseconds', () => {
		const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
		fc.assert(
			fc.property(fc.date(years), (date) => {
				expect(toUtcTimestamp(date.toISOString(), field)).toBe(date.toISOString());
			}),
		);
	});

	test.each(['', ' ', null, undefined])('%j gives nothing', (value) => {
		expect(toUtcTimestamp(value, field)).toBeUndefined();
	});

	test.each(['soon', '31/31/2026', {}])('%j is refused', (value) => {
		expect(() => toUtcTimestamp(value, field)).toThrow('Field is not a date');
	});
});

test('toJson takes text and objects', () => {
	expect(toJson('{"a":1}', field)).toEqual({ a: 1 });
	expect(toJson({ a: 1 }, field)).toEqual({ a: 1 });
	expect(toJson('', field)).toBeUndefined();
	expect(() => toJson('{a', field)).toThrow('Field is not valid JSON');
});

describe('normaliseBaseUrl', () => {
	test.each([
		['https://m.example.com', 'https://m.example.com'],
		[' https://M.example.com/// ', 'https://m.example.com'],
		['https://m.example.com/int/v1/', 'https://m.example.com'],
		['http://intranet:8080/messages/int/v1', 'http://intranet:8080/messages'],
	])('%j becomes %j', (typed, expected) => {
		expect(normaliseBaseUrl(typed)).toBe(expected);
		expect(normaliseBaseUrl(expected)).toBe(expected);
	});

	test('a password in the address does not come out in the error', () => {
		expect(() => normaliseBaseUrl('https://ada:secret@m.example.com')).toThrow(
			expect.objectContaining({ message: expect.not.stringContaining('secret') }),
		);
	});
});

test('whatever the id, the path reaches its own endpoint', () => {
	const service = 'http://127.0.0.1';
	fc.assert(
		fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
			let path: string;
			try {
				path = buildPath(
					'/int/v1/campaign/:campaignId/close',
					() => id,
					(message) => new Error(message),
				);
			} catch (error) {
				expect(String(error)).toMatch(/Campaign|URI malformed/);
				return;
			}
			const segments = new URL(path, service).pathname.split('/');
			expect(segments).toHaveLength(6);
			expect(segments.at(-1)).toBe('close');
			expect(decodeURIComponent(segments[4] ?? '')).toBe(id.trim());
		}),
	);
});
