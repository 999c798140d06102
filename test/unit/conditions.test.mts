import { conditionsIn } from '../../nodes/MessagingService/resources/channelRecipient/conditions.ts';
import type { FieldInfo } from '../../nodes/shared/field.ts';
import fc from '../kit/property.mts';

const field: FieldInfo = {
	label: 'Conditions',
	timezone: 'UTC',
	fail: (message) => new Error(message),
};
const read = (text: string) => conditionsIn(text, field);

test.each([
	['one', ['one']],
	['one\ntwo\r\nthree\rfour', ['one', 'two', 'three', 'four']],
	['{"a":1}\n{ "b" : [2] }', ['{"a":1}', '{ "b" : [2] }']],
	// A quoted bracket is text, also after an escaped quote.
	['{"a": "}"}\n{"a": "\\"{"}', ['{"a": "}"}', '{"a": "\\"{"}']],
	// A closing bracket without an opening one is text.
	[') a ]\n(b c)', [') a ]', '(b c)']],
	['', ['']],
])('splits %j into %j', (text, expected) => {
	expect(read(text)).toEqual(expected);
});

test.each([
	['{', 1],
	['a\n(b', 2],
	['{"a": "}"', 1],
	['{}\n[\n]', 2],
	['{\n "a": 1\n}', 1],
])('refuses %j, because a bracket of line %d is not closed', (text, line) => {
	expect(() => read(text)).toThrow(`Conditions: line ${line} has a bracket that is not closed`);
});

test('reads JSON values of one line each', () => {
	const json = fc.array(
		fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
	);
	fc.assert(
		fc.property(json, (values) => {
			const lines = values.map((value) => JSON.stringify(value));
			expect(read(lines.join('\n'))).toEqual(lines.length > 0 ? lines : ['']);
		}),
	);
});
