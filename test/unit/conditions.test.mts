import { conditionsIn } from '../../nodes/MessagingService/resources/channelRecipient/conditions.ts';
import { fieldCalled } from '../kit/field.mts';
import fc from '../kit/property.mts';

const read = (text: string) => conditionsIn(text, fieldCalled('Conditions'));

test.each([
	['one\ntwo\r\nthree\rfour', ['one', 'two', 'three', 'four']],
	// A quoted bracket is text, also after an escaped quote.
	['{"a": "}"}\n{"a": "\\"{"}', ['{"a": "}"}', '{"a": "\\"{"}']],
	// A closing bracket without an opening one is text.
	[') a ]\n(b c)', [') a ]', '(b c)']],
	[' a \n\n', ['a', '', '']],
])('splits %j into %j', (text, expected) => {
	expect(read(text)).toEqual(expected);
});

test.each([
	['a\n(b', 2],
	['{"a": "}"', 1],
	['{}\n(a\nor b)', 2],
	// Only a single condition may be JSON over several lines.
	['{\n  "a": 1\n}\nnext', 1],
])('refuses %j, because a bracket of line %d is not closed', (text, line) => {
	expect(() => read(text)).toThrow(`Conditions: line ${line} has a bracket that is not closed`);
});

test.each([
	['{\n  "a": [\n    1\n  ]\n}\n', ['{ "a": [ 1 ] }']],
	// Numbers keep their digits, and texts their blanks.
	[
		'{\r\n\t"id": 12345678901234567890,\r\n"n": "a  b"}',
		['{ "id": 12345678901234567890, "n": "a  b"}'],
	],
])('reads %j, pretty-printed JSON, as %j', (text, expected) => {
	expect(read(text)).toEqual(expected);
});

test('reads the same JSON whether it takes one line or several', () => {
	const json = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
	fc.assert(
		fc.property(json, (value) => {
			const lines = [0, 2].map((indent) => read(JSON.stringify(value, null, indent)));
			const parsed = lines.map((conditions) => conditions.map((one): unknown => JSON.parse(one)));
			const expected: unknown = JSON.parse(JSON.stringify(value));
			expect(parsed).toEqual([[expected], [expected]]);
		}),
	);
});
