import {
	readRecipients,
	type IdentifyBy,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/readRecipients.ts';

const only = (value: unknown, identifyBy: IdentifyBy) => readRecipients([value], identifyBy)[0];

describe('an email address', () => {
	test.each([
		['ada@example.com', 'ada@example.com', 'ada@example.com'],
		[' Ada@Example.com\n', 'Ada@Example.com', 'ada@example.com'],
		[
			"o'hara+news@mail.example.co.uk",
			"o'hara+news@mail.example.co.uk",
			"o'hara+news@mail.example.co.uk",
		],
	])('is sent trimmed and identified in lower case: %j', (given, value, key) => {
		expect(only(given, 'email')).toEqual({ itemIndex: 0, recipient: { key, value } });
	});

	test.each([
		'ada',
		'@example.com',
		'ada@.com',
		'ada@example..com',
		'ada@@example.com',
		'ada@example.com, bea@example.com',
		'ada@example.com;bea@example.com',
		'ada lovelace@example.com',
		'x ada@example.com',
		'ada@example.com x',
		'Ada <ada@example.com> x',
		'a@b <ada@example.com>',
		'x"ada"@example.com',
		7,
		true,
	])('is not %j', (given) => {
		expect(only(given, 'email')).toEqual({
			itemIndex: 0,
			given: String(given),
			status: 'invalid',
			reason: 'Not an email address',
			unreadable: true,
		});
	});

	test.each([
		'ada@example.com;',
		'Ada Lovelace <ada@example.com>',
		'"Lovelace, Ada" <ada@example.com>;',
		'mailto:ada@example.com',
		'\u200Bada@example.com\uFEFF',
		'\u200B Ada <ada@example.com> \u200B',
		'Ada < mailto:ada@example.com >',
		'ada@example.com ;',
		'ada@example.com.',
		'"ada"@example.com',
	])('is extracted from %j', (given) => {
		const address = 'ada@example.com';
		expect(only(given, 'email')).toEqual({
			itemIndex: 0,
			recipient: { key: address, value: address },
		});
	});

	test('may have an intranet host as its domain', () => {
		expect(only('ada@intranet', 'email')).toMatchObject({ recipient: { key: 'ada@intranet' } });
	});

	test.each(['', ' ', '-', '--', 'N/A', 'n/a ', 'None', null, undefined])(
		'is missing in %j',
		(given) => {
			expect(only(given, 'email')).toMatchObject({
				status: 'invalid',
				reason: 'The item has no email address',
				unreadable: false,
			});
		},
	);
});

describe('a recipient ID', () => {
	test.each([
		['64f1c0ffee', '64f1c0ffee'],
		[' 64F1 ', '64F1'],
		[7, '7'],
		['ada@example.com', 'ada@example.com'],
	])('is sent trimmed and keeps its case: %j', (given, value) => {
		expect(only(given, 'id')).toEqual({ itemIndex: 0, recipient: { key: value, value } });
	});

	test.each(['a b', 'a,b', 'a;b', '<a>', '"a"'])('is not %j', (given) => {
		expect(only(given, 'id')).toMatchObject({ status: 'invalid', reason: 'Not a recipient ID' });
	});
});

test.each<[unknown, string, string]>([
	[undefined, '', 'The item has no email address'],
	[null, '', 'The item has no email address'],
	[' ', '', 'The item has no email address'],
	[['a@example.com'], '["a@example.com"]', 'A list or an object instead of one email address'],
	[{ a: 1 }, '{"a":1}', 'A list or an object instead of one email address'],
])('refuses %j as a recipient', (value, given, reason) => {
	expect(only(value, 'email')).toMatchObject({
		itemIndex: 0,
		given,
		status: 'invalid',
		reason: expect.stringContaining(reason),
	});
	expect(only(value, 'id')).toMatchObject({ reason: expect.stringContaining('recipient ID') });
});

test('reports a repeated recipient as a duplicate of its first item; IDs are case-sensitive', () => {
	const emails = readRecipients(['x', 'A@example.com', 'a@EXAMPLE.com ', 'a@example.com'], 'email');
	expect(emails.slice(1)).toEqual([
		{ itemIndex: 1, recipient: { key: 'a@example.com', value: 'A@example.com' } },
		{
			itemIndex: 2,
			given: 'a@EXAMPLE.com',
			status: 'duplicate',
			reason: 'The same recipient as in item 1',
		},
		{
			itemIndex: 3,
			given: 'a@example.com',
			status: 'duplicate',
			reason: 'The same recipient as in item 1',
		},
	]);
	expect(readRecipients(['a', 'A', 'a'], 'id')).toEqual([
		{ itemIndex: 0, recipient: { key: 'a', value: 'a' } },
		{ itemIndex: 1, recipient: { key: 'A', value: 'A' } },
		{ itemIndex: 2, given: 'a', status: 'duplicate', reason: 'The same recipient as in item 0' },
	]);
});
