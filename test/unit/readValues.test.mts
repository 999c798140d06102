import { addressIn, ASCII_EMAIL, EMAIL, toEmails, toPeople } from '../../nodes/shared/email.ts';
import {
	findByName,
	isBlank,
	isNoValue,
	normalizeName,
	toList,
	toName,
} from '../../nodes/shared/values.ts';
import { fieldCalled } from '../kit/field.mts';

const field = fieldCalled('The field');

describe('an address', () => {
	test.each([
		' \u200banna@x.io\u00a0',
		'an\u00adna@x.io',
		'"Lovelace, Anna" < anna@x.io >;',
		'<MAILTO:anna@x.io>.',
		'\u202a\u2066anna@x.io\u2069\u202c,',
	])('is read from %j', (written) => {
		expect(addressIn(written)).toBe('anna@x.io');
	});

	test.each([
		...['anna', 'anna@x.io,,', 'anna@x.io <ben@x.io>', "'anna@x.io'", 'smtp:anna@x.io'],
		...['anna@x-.io', 'anna@x.io-'],
	])('is not read from %j', (written) => {
		expect(addressIn(written)).not.toMatch(EMAIL);
	});

	test('has ASCII letters only in Sync', () => {
		const addresses = ['anna@x.io', "o'brien+hr@mail-1.x.io", 'anna@intranet'];
		for (const one of [...addresses, 'jürgen@bücher.example', 'аnna@x.io']) {
			expect(one).toMatch(EMAIL);
			expect(ASCII_EMAIL.test(one)).toBe(addresses.includes(one));
		}
	});

	test('is blank if the cell says that there is none', () => {
		const blank = [
			...['', ' \u200b', '-', '--', '–', '—', '?', 'N/A', 'NA', 'n.a.', 'TBD', 'none'],
		];
		const others = ['x', '–x', 'no', 'null', 'nil', 'unknown', '#N/A', '0', '??'];
		expect([...blank, ...others].filter(isNoValue)).toEqual(blank);
	});
});

const ADA = 'ada@x.io';
const GRACE = 'grace@x.io';

describe('a list of addresses', () => {
	test.each<[unknown, string[]]>([
		['ada@x.io, grace@x.io;\r\nADA@x.io', [ADA, GRACE]],
		['Lovelace, Ada <ada@x.io>, Hopper, Grace M. <grace@x.io>,', [ADA, GRACE]],
		['"Lovelace; Ada, Dr." <ada@x.io>; grace@x.io', [ADA, GRACE]],
		['[HR] Ada <ada@x.io>\nmailto:grace@x.io', [ADA, GRACE]],
		['Lovelace, Ada (HR, Oslo) <ada@x.io>', [ADA]],
		['["ada@x.io", "Hopper, Grace <grace@x.io>"]', [ADA, GRACE]],
		[
			['Lovelace, Ada <ada@x.io>', null, '\u200b', 'grace@x.io.'],
			[ADA, GRACE],
		],
		[' , ;', []],
	])('%j', (value, expected) => {
		expect(toEmails(value, field)).toEqual(expected);
	});

	test.each<[unknown, string]>([
		['Lovelace; Ada <ada@x.io>', 'contains an invalid email address: "Lovelace"'],
		['bob.x.io, Ada <ada@x.io>', 'contains an invalid email address: "bob.x.io"'],
		...['ben', '4711', 'ada_l', 'x\\ada', '"Ada" L'].map((text): [string, string] => [
			`${text}, Ada <ada@x.io>`,
			'contains an invalid email address',
		]),
		['ada@x.io grace@x.io', 'contains an invalid email address: "ada@x.io grace@x.io"'],
		['Ada <ada@x.io, Grace <grace@x.io>', 'contains an invalid email address: "Ada <ada@x.io'],
		['[ada@x.io](mailto:ada@x.io)', 'contains an invalid email address: "[ada@x.io](mailto'],
		['["ada@x.io", grace@x.io]', 'looks like a JSON list but is not valid JSON'],
		['n/a', 'contains an invalid email address: "n/a"'],
		[[{ email: ADA }], 'must be a list of texts'],
		['ada@x.io, [object Object]', 'must be a list of texts'],
	])('refuses %j', (value, problem) => {
		expect(() => toEmails(value, field)).toThrow(`The field ${problem}`);
	});

	test('may hold IDs and user names', () => {
		const given = 'anna.b, 4711, Mailto:Ada@x.io; ADA@X.IO\nAnna.b';
		expect(toPeople(given, field)).toEqual(['anna.b', '4711', 'Ada@x.io', 'Anna.b']);
		expect(toPeople('Lovelace, Ada <ada@x.io>', field)).toEqual([ADA]);
		expect(() => toPeople(['Doe, J', 'ada@'], field)).toThrow('"ada@"');
	});
});

test.each<[unknown, string[]]>([
	[' ["a, b", 3, "a, b", null] ', ['a, b', '3']],
	['a, b;c\nd\r\ne,, a ;', ['a', 'b', 'c', 'd', 'e']],
	[undefined, []],
	['[64001122334455667788, 1.5]', ['64001122334455667788', '1.5']],
	['[HR] News, [IT] News', ['[HR] News', '[IT] News']],
	[
		['[HR] News', ' \u200bb\u00a0'],
		['[HR] News', 'b'],
	],
])('the list %j', (value, expected) => {
	expect(toList(value, field)).toEqual(expected);
});

test.each<[unknown, string]>([
	...['[HR] News, [IT]', '["a", "b"', '[ “a”, “b”', "['a']", '[‘a', '[a]', '[object Object]'].map(
		(text): [string, string] => [text, 'looks like a JSON list but is not valid JSON'],
	),
	['["a", ["b"]]', 'must be a list of texts'],
	['[{}]', 'must be a list of texts'],
	['a, [object Object]', 'must be a list of texts'],
	[[NaN], 'contains NaN'],
])('the list %j is refused', (value, problem) => {
	expect(() => toList(value, field)).toThrow(`The field ${problem}`);
});

describe('a name', () => {
	test.each<[unknown, string]>([
		[' Sales\u00a0Team\u200b', 'Sales\u00a0Team'],
		['Sales\r\n Team', 'Sales Team'],
		[2026, '2026'],
		['a = b', 'a = b'],
		['No', 'No'],
		['N/A team', 'N/A team'],
	])('%j', (value, name) => {
		expect(toName(value, field)).toBe(name);
	});

	test.each(['#N/A', '#n/b', '#NV', '#BEZUG!', '#¿NOMBRE?', '##', '-', '–', 'None', '=a'])(
		'%j stands for a failed or empty cell',
		(value) => {
			expect(() => toName(value, field)).toThrow('which is not a name');
		},
	);

	test('looks like another in spite of case, blanks, invisible characters and composition', () => {
		const like = [
			'Café  Team',
			' CAFE\u0301\u00a0team',
			'ca\u200bfé\u2003TEAM\ufeff',
			'Café\tTeam',
		];
		expect(new Set(like.map(normalizeName))).toEqual(new Set(['café team']));
		expect(normalizeName('Team ²')).not.toBe(normalizeName('Team 2'));
	});
});

test('finds a record whose name is a number', () => {
	expect(findByName([{ name: 7 }, {}], '7')).toEqual([{ name: 7 }]);
});

test('a text of invisible characters is blank', () => {
	expect(isBlank('\u200b \u00ad')).toBe(true);
});
