import {
	namedInErrorLog,
	saysNamedUnknown,
	saysUnknown,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/outcomes.ts';

const recipient = (value: string) => ({ key: value.toLowerCase(), value });
const ada = recipient('Ada@people.example');
const brien = recipient("o'brien@people.example");
const id = recipient('R7');
const sent = [ada, brien, recipient('da@people.example'), id];

test.each<[unknown, object, message: string]>([
	[{ email: 'ADA@people.example' }, ada, ''],
	[{ value: ' ada@people.example ', error: 'unknown' }, ada, 'unknown'],
	[{ recipient: { email: 'ada@people.example' }, reason: 'not found' }, ada, 'not found'],
	[
		{ message: 'No such recipient (<ada@people.example>).' },
		ada,
		'No such recipient (<ada@people.example>).',
	],
	[{ message: `No such recipient: ${brien.value}.` }, brien, `No such recipient: ${brien.value}.`],
	[{ id: 'R7', message: `Ask ${ada.value}` }, id, `Ask ${ada.value}`],
	[{ email: ada.value, code: 404, known: false, hint: null }, ada, ''],
])('the line %j names one recipient', (line, who, message) => {
	const [found, ...others] = [...(namedInErrorLog([line], sent) ?? [])];
	expect(found).toMatchObject([who, { message }]);
	expect(others).toEqual([]);
});

test.each<[string, unknown[]]>([
	['only a position', [{ index: 0, message: 'Not found' }]],
	['part of an address', [{ message: 'a@people.example not found' }]],
	['two recipients in one message', [{ message: `${ada.value} or ${brien.value}` }]],
	['one recipient twice', [{ email: ada.value }, { email: ada.value }]],
	['another recipient', [{ email: ' grace@people.example ', message: `Ask ${ada.value}` }]],
	['unreadable entries', [null, 7]],
])('an error log with %s names nobody', (_what, log) => {
	expect(namedInErrorLog(log, sent)).toBeUndefined();
});

test.each([
	['Not all emails founded as recipient in system', true],
	...[
		'Recipient not found',
		'Unknown email address',
		'User does not exist',
		'RECIPIENT_NOT_FOUND',
	].map((text): [string, boolean] => [text, true]),
	...[
		'Tenant not found',
		'Group of the recipient not found',
		'p1@people.example: Tenant not found',
	].map((text): [string, boolean] => [text, false]),
	...['unknown', 'Not found', '', 'Recipient has withdrawn consent', 'Object does not exist'].map(
		(text): [string, boolean] => [text, false],
	),
])('the message %j means unknown: %s', (message, isUnknown) => {
	expect(saysUnknown(message)).toBe(isUnknown);
});

test('a bare "not found" is enough only in a line that names the recipient in a field of its own', () => {
	expect(saysNamedUnknown({ message: 'Not found', isOwnField: true })).toBe(true);
	expect(saysNamedUnknown({ message: 'Not found', isOwnField: false })).toBe(false);
	expect(saysNamedUnknown({ message: 'Tenant not found', isOwnField: true })).toBe(false);
});
