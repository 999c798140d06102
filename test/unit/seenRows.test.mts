import fc from '../kit/property.mts';

import { BitReader, BitWriter } from '../../nodes/MessagingServiceTrigger/seen/bitText.ts';
import {
	KIND,
	SeenRows,
	type PackedRows,
} from '../../nodes/MessagingServiceTrigger/seen/seenRows.ts';
import { bytesEach, keyOf } from '../kit/seenRows.mts';
import { parseAs } from '../kit/typed.mts';

describe('bit text', () => {
	test('gives back what was written, in characters that JSON does not escape', () => {
		const piece = fc.oneof(
			fc.record({ bits: fc.integer({ min: 1, max: 32 }), value: fc.nat(0xffff_ffff) }),
			fc.record({ unary: fc.nat(200) }),
		);
		fc.assert(
			fc.property(fc.array(piece), (pieces) => {
				const writer = new BitWriter(10);
				for (const part of pieces) {
					if ('unary' in part) writer.writeUnary(part.unary);
					else writer.writeWord(part.value, part.bits);
				}
				const text = writer.finish();
				expect(JSON.stringify(text)).toHaveLength(text.length + 2);
				const reader = new BitReader(text);
				for (const part of pieces) {
					if ('unary' in part) expect(reader.readUnary()).toBe(part.unary);
					else expect(reader.readWord(part.bits)).toBe(lowest(part.value, part.bits));
				}
			}),
		);
	});

	test('a text that breaks off does not read for ever', () => {
		expect(() => new BitReader('').readUnary()).toThrow(RangeError);
	});
});

function lowest(value: number, bits: number): number {
	return bits === 32 ? value | 0 : value % 2 ** bits;
}

describe('seen rows', () => {
	const word = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, -(2 ** 31), 2 ** 31 - 1));
	const entry = fc.record({
		high: word,
		low: fc.oneof(word, fc.nat(3)),
		counts: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
	});

	test('survive packing and JSON with every count', () => {
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 200 }), (entries) => {
				const seen = new SeenRows();
				for (const { counts, ...key } of entries) {
					for (const [event, count] of counts.entries())
						seen.add(seen.placeOf(key, KIND.user), event, count);
				}
				const again = SeenRows.unpack(parseAs(JSON.stringify(seen.pack(7))));
				for (const key of entries) {
					for (const event of [0, 1, 2]) {
						expect(again.count(again.placeOf(key, KIND.user), event)).toBe(
							seen.count(seen.placeOf(key, KIND.user), event),
						);
					}
				}
				expect(again.pack(7)).toEqual(seen.pack(7));
			}),
		);
	});

	test('forget the events that are no longer looked for', () => {
		const seen = new SeenRows();
		for (const event of [0, 1, 2]) seen.add(seen.placeOf(keyOf('a'), KIND.user), event, 1);
		const again = SeenRows.unpack(seen.pack(0b010));
		expect(again.eventsAt(again.placeOf(keyOf('a'), KIND.user))).toBe(0b010);
	});

	test('refuse what is no packed rows', () => {
		const seen = new SeenRows();
		for (const id of ['a', 'b', 'c']) seen.add(seen.placeOf(keyOf(id), KIND.user), 0, 1);
		const { '1': text = '' } = seen.pack(7);
		const damaged: PackedRows[] = [
			{ '1': '~~~~~~' },
			{ '1': '' },
			{ '1': text.slice(0, -2) },
			{ '1': `${text}##` },
			{ '1': `${text.slice(0, 20)}#${text.slice(21)}` },
			{ '0': text },
			{ x: text },
			{ '32': text },
		];
		for (const packed of damaged) expect(() => SeenRows.unpack(packed)).toThrow(RangeError);
	});

	test.each([
		[200, 1],
		[1_000, 1],
		[1_000, 2],
		[1_000, 3],
	])('%i respondents with %i events take at most 9 bytes each and event', (count, events) => {
		expect(bytesEach(count, events)).toBeLessThanOrEqual(9);
	});
});
