import { namedInErrorLog } from '../../nodes/MessagingService/resources/recipientGroup/sync/errorLog.ts';
import type { Recipient } from '../../nodes/MessagingService/resources/recipientGroup/sync/readRecipients.ts';

const recipient = (value: string): Recipient => ({ key: value.toLowerCase(), value });
const ada = recipient('Ada@people.example');
const brien = recipient("o'brien@people.example");
const da = recipient('da@people.example');
const sent = [ada, brien, da];

test.each<[string, unknown]>([
	['a field', { email: 'Ada@people.example' }],
	['any field', { value: 'ADA@people.example', error: 'unknown' }],
	['a field inside', { recipient: { email: 'ada@people.example' }, reason: 'unknown' }],
	['a list inside', { emails: ['ada@people.example'] }],
	['a sentence', { message: 'Recipient ada@people.example not found.' }],
	['a sentence with quotes', { message: 'Recipient "ada@people.example" not found' }],
	['the end of a sentence', { message: 'No such recipient: <ada@people.example>.' }],
	['the end of a sentence with brackets', { message: 'No such recipient (<ada@people.example>).' }],
	['the text itself', 'ada@people.example'],
])('finds the recipient in %s', (_where, element) => {
	expect([...(namedInErrorLog([element], sent)?.keys() ?? [])]).toEqual([ada]);
});

test('takes an apostrophe for a part of the address, also in a sentence', () => {
	const log = [{ message: `No such recipient: ${brien.value}.` }];
	expect([...(namedInErrorLog(log, sent)?.keys() ?? [])]).toEqual([brien]);
});

test('a code, a switch or nothing beside the recipient is no word of the service', () => {
	const log = [{ email: ada.value, code: 404, known: false, hint: null }];
	expect([...(namedInErrorLog(log, sent) ?? [])]).toEqual([[ada, '']]);
});

test('keeps what the service says', () => {
	const log = [
		{ email: ada.value, message: 'Not found in system' },
		{ message: `${brien.value} is unknown` },
		{ email: da.value },
	];
	expect([...(namedInErrorLog(log, sent) ?? [])]).toEqual([
		[ada, 'Not found in system'],
		[brien, "o'brien@people.example is unknown"],
		[da, ''],
	]);
});

test.each<[string, unknown[]]>([
	['a position alone', [{ index: 0, message: 'Not found' }]],
	['nobody', [{ code: 'RECIPIENT_NOT_FOUND' }]],
	['part of an address', [{ message: 'a@people.example not found' }]],
	['two recipients at once', [{ message: `${ada.value} or ${da.value}` }]],
	['one recipient twice', [{ email: ada.value }, { email: ada.value }]],
	['somebody else', [{ email: 'grace@people.example' }]],
	['nothing readable', [null, 7]],
])('does not guess from %s', (_what, log) => {
	expect(namedInErrorLog(log, sent)).toBeUndefined();
});
