import { namedInErrorLog } from '../../nodes/MessagingService/resources/recipientGroup/sync/errorLog.ts';
import type { Recipient } from '../../nodes/MessagingService/resources/recipientGroup/sync/readRecipients.ts';

const recipient = (value: string): Recipient => ({ key: value.toLowerCase(), value });
const ada = recipient('Ada@people.example');
const brien = recipient("o'brien@people.example");
const da = recipient('da@people.example');
const id = recipient('R7');
const sent = [ada, brien, da, id];

test.each<[string, unknown]>([
	['an email field', { email: 'Ada@people.example' }],
	['another field', { value: 'ADA@people.example', error: 'unknown' }],
	['a nested field', { recipient: { email: 'ada@people.example' }, reason: 'unknown' }],
	['a nested list', { emails: ['ada@people.example'] }],
	['a sentence', { message: 'Recipient ada@people.example not found.' }],
	['a sentence with quotes', { message: 'Recipient "ada@people.example" not found' }],
	['the end of a sentence', { message: 'No such recipient: <ada@people.example>.' }],
	['the end of a sentence with brackets', { message: 'No such recipient (<ada@people.example>).' }],
	['a plain text', 'ada@people.example'],
	['a field with blanks', { email: ' ada@people.example ' }],
	['a field, not in a sentence about another', { a: 'Ask da@people.example', b: ada.value }],
	['a sentence with other signs', { message: 'Not found: ... <ada@people.example>' }],
])('finds the recipient in %s', (_where, element) => {
	expect([...(namedInErrorLog([element], sent)?.keys() ?? [])]).toEqual([ada]);
});

test('treats an apostrophe as part of the address, also in a sentence', () => {
	const log = [{ message: `No such recipient: ${brien.value}.` }];
	expect([...(namedInErrorLog(log, sent)?.keys() ?? [])]).toEqual([brien]);
});

test('finds the recipient of an ID although the message beside it names another recipient', () => {
	const log = [{ id: 'R7', message: `Ask ${ada.value}` }];
	expect([...(namedInErrorLog(log, sent)?.keys() ?? [])]).toEqual([id]);
});

test('does not treat a number, a boolean or null as a message', () => {
	const log = [{ email: ada.value, code: 404, known: false, hint: null }];
	expect([...(namedInErrorLog(log, sent) ?? [])]).toEqual([[ada, '']]);
});

test('keeps the message of the service for each recipient', () => {
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
	['only a position', [{ index: 0, message: 'Not found' }]],
	['a code without a recipient', [{ code: 'RECIPIENT_NOT_FOUND' }]],
	['part of an address', [{ message: 'a@people.example not found' }]],
	['two recipients in one message', [{ message: `${ada.value} or ${da.value}` }]],
	['one recipient twice', [{ email: ada.value }, { email: ada.value }]],
	['a recipient who was not sent', [{ email: 'grace@people.example' }]],
	['a sentence', [{ email: ' grace@people.example ', message: `Ask ${ada.value}` }]],
	['the end of a very long text', [{ message: `${'x '.repeat(1_000)}${ada.value}` }]],
	['unreadable entries', [null, 7]],
])('does not guess a recipient from %s', (_what, log) => {
	expect(namedInErrorLog(log, sent)).toBeUndefined();
});
