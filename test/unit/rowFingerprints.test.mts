import fc from '../kit/property.mts';

import { BitReader, BitWriter } from '../../nodes/MessagingServiceTrigger/dedupe/bitText.ts';
import {
	KIND,
	RowFingerprints,
	type PackedRows,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowFingerprints.ts';
import { bytesEach, keyOf, recordId } from './rowFingerprints.mts';
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
				const seen = new RowFingerprints();
				for (const { counts, ...key } of entries) {
					for (const [event, count] of counts.entries())
						seen.add(seen.placeOf(key, KIND.user), event, count);
				}
				const again = RowFingerprints.unpack(parseAs(JSON.stringify(seen.pack(7))));
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
		const seen = new RowFingerprints();
		for (const event of [0, 1, 2]) seen.add(seen.placeOf(keyOf('a'), KIND.user), event, 1);
		const again = RowFingerprints.unpack(seen.pack(0b010));
		expect(again.eventsAt(again.placeOf(keyOf('a'), KIND.user))).toBe(0b010);
	});

	test('are those that earlier versions saved', () => {
		const seen = new RowFingerprints();
		for (const number of [0, 1, 2, 3])
			seen.add(seen.placeOf(keyOf(recordId(number)), KIND.user), 0, 1);
		const dated = seen.placeOf(keyOf('dated'), KIND.dated);
		seen.add(dated, 0, 2);
		seen.add(dated, 2, 1);
		seen.add(seen.placeOf(keyOf('undated'), KIND.undated), 2, 1);
		seen.addAlias(keyOf('alias'), 0, 1);
		const saved = {
			'1': '####)O`Ml3ip;,5i.AmM.8BTsOj3J$iiM%S+H|a3(`-<;a/;##',
			'9': '####%-`HU2@tf1}1FG..',
			'13': '####%-`HU2@tf1}1FG..',
			'20': '####%kQc{XdR6V>&sp{g',
			'25': '####%>t04q]^M&u)RWU^',
		};
		expect(seen.pack(7)).toEqual(saved);
		const again = RowFingerprints.unpack(saved);
		expect(again.pack(7)).toEqual(saved);
		expect(again.hasAliases).toBe(true);
		expect(again.eventsAt(again.placeOf(keyOf(recordId(3)), KIND.user))).toBe(0b001);
		expect(again.count(again.placeOf(keyOf('dated'), KIND.dated), 0)).toBe(2);
	});

	test('stay, however many come after them, and so does what is there in the answer', () => {
		const seen = new RowFingerprints();
		const count = 3000;
		// Many share a half with others: each is known by both.
		const keyAt = (number: number) => ({
			high: (number % 60) * 64,
			low: Math.imul(Math.floor(number / 60), 0x9e37_79b1),
		});
		for (let number = 0; number < count; number++) {
			const place = seen.placeOf(keyAt(number), number % 2 === 0 ? KIND.dated : KIND.undated);
			seen.add(place, number % 3, 1 + (number % 5));
			if (number % 7 === 0) seen.countPresent(place, number % 3);
		}
		const missing = [0, 0];
		for (let number = 0; number < count; number++) {
			const place = seen.knownPlaceOf(keyAt(number));
			if (place === undefined) throw new Error(`Row ${number} is not known`);
			expect(seen.eventsAt(place)).toBe(1 << (number % 3));
			expect(seen.count(place, number % 3)).toBe(1 + (number % 5));
			expect(seen.presentCount(place, number % 3)).toBe(number % 7 === 0 ? 1 : 0);
			// A kind once given stays.
			expect(seen.placeOf(keyAt(number), KIND.user)).toBe(place);
			const rest = (number % 5) + (number % 7 === 0 ? 0 : 1);
			if (number % 3 === 0) missing[number % 2] = (missing[number % 2] ?? 0) + rest;
		}
		expect(seen.tally(0)).toEqual({ missing: [0, ...missing, 0], aliases: 0 });
		expect(seen.knownPlaceOf(keyAt(count + 60))).toBeUndefined();
		expect(seen.hasAliases).toBe(false);
	});

	test('are counted in the answer event by event, also where nothing was seen', () => {
		const seen = new RowFingerprints();
		const [first, second] = [0, 1].map((low) => seen.placeOf({ high: 0, low }, KIND.dated));
		if (first === undefined || second === undefined) throw new Error('No places');
		expect(seen.presentCount(first, 0)).toBe(0);
		expect([0, 0, 2].map((event) => seen.countPresent(first, event))).toEqual([1, 2, 1]);
		expect([0, 1, 2].map((event) => seen.presentCount(first, event))).toEqual([2, 0, 1]);
		expect([0, 1, 2].map((event) => seen.presentCount(second, event))).toEqual([0, 0, 0]);
		// Nothing is missing where nothing was seen, however often it is there.
		expect(seen.tally(0)).toEqual({ missing: [0, 0, 0, 0], aliases: 0 });
	});

	test('that stand in for others are apart from equal ones, and count while they are there', () => {
		const key = keyOf('edited');
		const seen = new RowFingerprints();
		expect(seen.aliasPlaceOf(key)).toBeUndefined();
		const own = seen.placeOf(key, KIND.dated);
		seen.add(own, 0, 1);
		seen.addAlias(key, 0, 2);
		expect(seen.count(own, 0)).toBe(1);
		expect(seen.count(seen.aliasPlaceOf(key) ?? NaN, 0)).toBe(2);
		expect(seen.aliasPlaceOf(keyOf('other'))).toBeUndefined();
		const aliases = [1, 2, 3, 4].map(() => {
			seen.countPresent(own, 0);
			return seen.tally(0);
		});
		// The first one there is the own one, and no more stand in than were noted.
		expect(aliases).toEqual(
			[0, 1, 2, 2].map((count) => ({ missing: [0, 0, 0, 0], aliases: count })),
		);
	});

	test('refuse a text that is too short for the rows it tells of', () => {
		for (const length of [0x8000_0000, 1000, 13]) {
			const writer = new BitWriter(64);
			writer.writeWord(length, 32);
			writer.writeWord(0, 32);
			const text = writer.finish();
			expect(text.length).toBeLessThan(13);
			expect(() => RowFingerprints.unpack({ 1: text })).toThrow(
				'shorter than the rows it tells of',
			);
		}
	});

	test('refuse what is no packed rows', () => {
		const seen = new RowFingerprints();
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
		for (const packed of damaged) expect(() => RowFingerprints.unpack(packed)).toThrow(RangeError);
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
