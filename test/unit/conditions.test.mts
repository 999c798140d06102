import { conditionsIn } from '../../nodes/MessagingService/resources/channelRecipient/conditions.ts';
import type { Field } from '../../nodes/shared/field.ts';
import fc from '../kit/property.mts';

const field: Field = {
	label: 'Conditions',
	timezone: 'UTC',
	fail: (message) => new Error(message),
};
const read = (text: string) => conditionsIn(text, field);

test.each([
	['one', ['one']],
	['one\ntwo\r\nthree\rfour', ['one', 'two', 'three', 'four']],
	['{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
	['{\n  "a": 1\n}\nnext', ['{"a":1}', 'next']],
	['[\n{"a": [1,\n2]}\n]', ['[{"a":[1,2]}]']],
	// Text in brackets keeps its line breaks if it is not JSON.
	['(a and\nb)\nc', ['(a and\nb)', 'c']],
	// Large numbers keep their digits, and texts their blanks.
	[
		'{\n  "id": 12345678901234567890,\n  "name": "a  b"\n}',
		['{"id":12345678901234567890,"name":"a  b"}'],
	],
	// JSON on one line stays unchanged.
	['{ "a" : 1 }', ['{ "a" : 1 }']],
	// Inside brackets, a quoted bracket is text, also after an escaped quote.
	['{"a": "}"\n}', ['{"a":"}"}']],
	['{"a": "\\"{"\n}', ['{"a":"\\"{"}']],
	['{"a": "\\\\"\n}', ['{"a":"\\\\"}']],
	// Outside brackets, a quote is text.
	['6" wide (\n)', ['6" wide (\n)']],
	// A closing bracket without an opening one is text.
	[') a ]\n(b\nc)', [') a ]', '(b\nc)']],
	['', ['']],
])('splits %j into %j', (text, expected) => {
	expect(read(text)).toEqual(expected);
});

test.each(['{', 'a\n(b', '{"a": "}', '{\n}\n['])(
	'refuses %j, which has an unclosed bracket',
	(text) => {
		expect(() => read(text)).toThrow('Conditions has an unclosed bracket');
	},
);

test('reads the same JSON values whether each takes one line or several', () => {
	const json = fc.array(
		fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
	);
	fc.assert(
		fc.property(json, (values) => {
			const spread = values.map((value) => JSON.stringify(value, null, 2)).join('\n');
			const inLines = values.map((value) => JSON.stringify(value)).join('\n');
			const parsed = (text: string): unknown[] =>
				read(text).map((condition): unknown => JSON.parse(condition || 'null'));
			expect(parsed(spread)).toEqual(parsed(inLines));
			expect(parsed(inLines)).toHaveLength(Math.max(values.length, 1));
		}),
	);
});
