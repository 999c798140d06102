import { readRows } from '../../nodes/MessagingService/resources/recipientGroup/sync/syncRun.ts';

const only = (value: unknown, identifyBy: 'email' | 'id' = 'email') =>
	readRows([value], identifyBy)[0];
const ada = { itemIndex: 0, recipient: { key: 'ada@example.com', value: 'ada@example.com' } };

test.each([
	...['ada@example.com', 'ada@example.com;', 'ada@example.com ;', 'ada@example.com.'],
	...['Ada Lovelace <ada@example.com>', '"Lovelace, Ada" <ada@example.com>;'],
	...['mailto:ada@example.com', 'Ada < mailto:ada@example.com >'],
	...['\u200Bada@example.com\uFEFF', '\u200B Ada <ada@example.com> \u200B'],
])('an address is read from %j', (given) => {
	expect(only(given)).toEqual(ada);
});

test.each(["o'hara+news@mail.example.co.uk", 'ada@intranet', 'a.b-c_d@x.example'])(
	'%s is an address',
	(given) => {
		expect(only(given)).toEqual({ itemIndex: 0, recipient: { key: given, value: given } });
	},
);

test.each([
	...['ada', '@example.com', 'ada@.com', 'ada@example..com', 'ada@@example.com', 'a.@example.com'],
	...['ada@example.com, bea@example.com', 'ada@example.com;bea@example.com', 'x ada@example.com'],
	...['Ada <ada@example.com> x', 'a@b <ada@example.com>', '"ada"@example.com'],
	...["'ada@example.com'", "'ada@example.com", '`ada@example.com', 'jörg@example.com', 7, true],
	...[['ada@example.com'], { email: 'ada@example.com' }],
])('%j is invalid, and holds removals back', (given) => {
	const row = only(given);
	expect(row).toMatchObject({
		status: 'invalid',
		reason: expect.stringMatching(/^Invalid address/),
	});
	expect(row).not.toHaveProperty('isBlank');
});

test.each(['', ' ', '-', '--', 'N/A', 'n/a ', 'None', '\u200B', null, undefined])(
	'%j is no address, and holds nothing back',
	(given) => {
		const reason: unknown = expect.stringMatching(/^No address/);
		expect(only(given)).toMatchObject({ status: 'invalid', isBlank: true, reason });
	},
);

test('an ID is one word, and no address', () => {
	expect(only(' 64f1 ', 'id')).toEqual({ itemIndex: 0, recipient: { key: '64f1', value: '64f1' } });
	for (const given of ['a b', 'ada@example.com', 'a,b']) {
		expect(only(given, 'id')).toMatchObject({ status: 'invalid' });
	}
});

test('an address is a duplicate only within a group, in any case', () => {
	const rows = readRows(
		['ada@example.com', 'Ada@example.com', 'ada@example.com'],
		'email',
		[0, 0, 1],
	);
	expect(rows.map((row) => ('status' in row ? row.reason : 'valid'))).toEqual([
		...['valid', 'The same recipient as in item 0', 'valid'],
	]);
});
