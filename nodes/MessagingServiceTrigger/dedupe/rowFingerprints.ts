import { BitReader, BitWriter } from './bitText';
import { EVENT_COUNT } from '../events';
import type { Fingerprint } from './hash';

/**
 * What is saved of a campaign's rows: by the set of events seen of a row plus 8 times the kind of its key, the rows'
 * fingerprints as text.
 */
export type PackedRows = Record<string, string>;

/** What a row is known by. Saved, so the numbers never change. */
export const KIND = {
	/** The user id. */
	user: 0,
	/** Its content, with a time of submission. */
	dated: 1,
	/** Its content, without a time of submission. */
	undated: 2,
	/**
	 * Its content, after it was most likely known by another key: the edited form of a row, or one that lost its user id.
	 * It has a place of its own beside that of an equal row, see ALIAS.
	 */
	alias: 3,
} as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** How many rows of which an event was seen are missing from an answer, by kind, and how many aliases are in it. */
export type Tally = { missing: number[]; aliases: number };

/** Makes another key of a key. */
const ALIAS: Readonly<Fingerprint> = { high: 0x5bd1_e996, low: 0x27d4_eb2d };

const KINDS: readonly Kind[] = [KIND.user, KIND.dated, KIND.undated, KIND.alias];

/** How many sets of events there are. */
const SETS = 1 << EVENT_COUNT;

/** Bits kept of a fingerprint's upper half; the 32 of the lower one are all kept. */
const HIGH_BITS = 31;

/** Marks a place of the table as taken, in the bit that the upper half leaves free. */
const TAKEN = 0x8000_0000 | 0;

/** Where the lower half of a 64-bit number lies in memory, in 32-bit words. */
const LOW_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;

/**
 * The rows of one campaign that were seen, each with how often each event was seen of it: once for a row with a user id,
 * as often as equal rows were there for one without.
 *
 * Only fingerprints of 63 bits are kept, so a new row is missed when its fingerprint is there already. The chance that
 * this ever happens to any of n rows is below n² / 2 / 2^63: for n = 100,000 it is 5.4e-10, below one in a billion.
 * Saved are sorted fingerprints in Elias-Fano form: b = log2 n bits of each (rounded up) are told by its place in the
 * order, which takes up to 2.0 bits, and the other 63 - b stand as they are; a check sum ends the text. For n = 100,000 these are 48.3 bits a row,
 * 7.4 bytes in text of 6.5 bits a byte; for n = 1,000 8.5 bytes. A row of which several events were seen stands once.
 */
export class RowFingerprints {
	private places: number;
	/** Open addressing: a row lies at the first free place from where its lower half points. */
	private highs: Int32Array;
	private lows: Int32Array;
	private counts: Uint32Array;
	private kinds: Uint8Array;
	/** How often each event is there in the answer that is being compared; only where that matters. */
	private present: Uint32Array | undefined;
	private taken = 0;
	/** Whether there is a row of the kind `alias`. */
	hasAliases = false;

	/** @param expected about how many rows there will be */
	constructor(expected = 0) {
		this.places = 64;
		while (this.places < 2 * expected) this.places *= 2;
		this.highs = new Int32Array(this.places);
		this.lows = new Int32Array(this.places);
		this.counts = new Uint32Array(this.places * EVENT_COUNT);
		this.kinds = new Uint8Array(this.places);
	}

	/**
	 * Reads what `pack` gave.
	 *
	 * @param expected about how many rows there will be
	 * @throws RangeError when it is something else
	 */
	static unpack(packed: PackedRows, expected = 0): RowFingerprints {
		let total = 0;
		const groups: Array<{ group: number; length: number; reader: BitReader }> = [];
		for (const [name, text] of Object.entries(packed)) {
			const group = Number(name);
			if (!Number.isInteger(group) || group < 1 || group >= SETS * KINDS.length)
				throw new RangeError('There is no such group of rows');
			const reader = new BitReader(text);
			const length = reader.readWord(32);
			if (length < 0 || length > text.length)
				throw new RangeError('The text is shorter than the rows it tells of');
			groups.push({ group, length, reader });
			total += length;
		}
		const seen = new RowFingerprints(Math.max(total, expected) + 100);
		for (const { group, length, reader } of groups) seen.addSorted(group, length, reader);
		return seen;
	}

	/** The place of a row, which is taken for it when it has none. Good until another one is taken. */
	placeOf({ high, low }: Fingerprint, kind: Kind): number {
		const upper = (high >>> 1) | TAKEN;
		let place = this.find(upper, low);
		if (this.highs[place] !== 0) return place;
		if (2 * this.taken >= this.places) {
			this.grow();
			place = this.find(upper, low);
		}
		this.take(place, upper, low, kind);
		return place;
	}

	/** The place of a row; `undefined` when it has none. */
	knownPlaceOf({ high, low }: Fingerprint): number | undefined {
		const place = this.find((high >>> 1) | TAKEN, low);
		return this.highs[place] === 0 ? undefined : place;
	}

	/** How often an event, by its number, was seen of the row at a place. */
	count(place: number, event: number): number {
		return this.counts[place * EVENT_COUNT + event] ?? 0;
	}

	/** How often an event is there in the answer so far, of the row at a place. */
	presentCount(place: number, event: number): number {
		return this.present?.[place * EVENT_COUNT + event] ?? 0;
	}

	/** Counts an event in the answer once more, and gives how often it is there so far. */
	countPresent(place: number, event: number): number {
		this.present ??= new Uint32Array(this.counts.length);
		const count = this.presentCount(place, event) + 1;
		this.present[place * EVENT_COUNT + event] = count;
		return count;
	}

	/** The place of a key as an alias; `undefined` when it is none. */
	aliasPlaceOf({ high, low }: Fingerprint): number | undefined {
		return this.hasAliases ? this.knownPlaceOf(aliasOf(high, low)) : undefined;
	}

	/** Adds to how often an event was seen under a key that is an alias. */
	addAlias({ high, low }: Fingerprint, event: number, times: number): void {
		this.add(this.placeOf(aliasOf(high, low), KIND.alias), event, times);
	}

	/** Counts the rows of which an event was seen against the answer so far. */
	tally(event: number): Tally {
		const missing = KINDS.map(() => 0);
		let aliases = 0;
		for (let place = 0; place < this.places; place++) {
			const count = this.count(place, event);
			if (count === 0) continue;
			const kind = KINDS[this.kinds[place] ?? 0] ?? KIND.user;
			if (kind === KIND.alias) {
				aliases += this.aliasesThere(place, event, count);
			} else {
				const present = Math.min(this.presentCount(place, event), count);
				missing[kind] = (missing[kind] ?? 0) + count - present;
			}
		}
		return { missing, aliases };
	}

	private aliasesThere(place: number, event: number, count: number): number {
		const own = this.find(
			(this.highs[place] ?? 0) ^ (ALIAS.high >>> 1),
			(this.lows[place] ?? 0) ^ ALIAS.low,
		);
		const others = this.presentCount(own, event) - this.count(own, event);
		return Math.max(0, Math.min(others, count));
	}

	/** Whether nothing was seen yet. */
	get isEmpty(): boolean {
		return this.taken === 0;
	}

	/** The set of events seen of the row at a place. */
	eventsAt(place: number): number {
		let events = 0;
		for (let event = 0; event < EVENT_COUNT; event++) {
			if (this.count(place, event) > 0) events |= 1 << event;
		}
		return events;
	}

	/** Adds to how often an event was seen of the row at a place. */
	add(place: number, event: number, times: number): void {
		const at = place * EVENT_COUNT + event;
		this.counts[at] = this.count(place, event) + times;
	}

	/** What is to be saved; other events than the given ones are forgotten. */
	pack(events: number): PackedRows {
		const groups = new Map<number, number[]>();
		const enter = (group: number, place: number) => {
			const members = groups.get(group);
			if (members) members.push(place);
			else groups.set(group, [place]);
		};
		for (let place = 0; place < this.places; place++) {
			if (this.highs[place] === 0) continue;
			// A row counted more than once stands more than once, each time with what is left of its events.
			for (let time = 1; ; time++) {
				let group = 0;
				for (let event = 0; event < EVENT_COUNT; event++) {
					if (this.count(place, event) >= time) group |= 1 << event;
				}
				if ((group & events) === 0) break;
				enter((group & events) + SETS * (this.kinds[place] ?? 0), place);
			}
		}
		const packed: PackedRows = {};
		for (const [group, members] of groups) packed[group] = this.packSorted(members);
		return packed;
	}

	private packSorted(members: number[]): string {
		const { length } = members;
		const numbers = new BigUint64Array(length);
		const words = new Uint32Array(numbers.buffer);
		for (let index = 0; index < length; index++) {
			const place = members[index] ?? 0;
			words[2 * index + LOW_WORD] = this.lows[place] ?? 0;
			words[2 * index + 1 - LOW_WORD] = (this.highs[place] ?? 0) & ~TAKEN;
		}
		numbers.sort();

		const lowerBits = HIGH_BITS - orderBits(length);
		const writer = new BitWriter(64 + length * (lowerBits + 32 + 2));
		writer.writeWord(length, 32);
		let before = 0;
		let sum = 0;
		for (let index = 0; index < length; index++) {
			const high = words[2 * index + 1 - LOW_WORD] ?? 0;
			const upper = high >>> lowerBits;
			writer.writeUnary(upper - before);
			before = upper;
			writer.writeWord(high, lowerBits);
			const low = words[2 * index + LOW_WORD] ?? 0;
			writer.writeWord(low, 32);
			sum = checkSum(sum, high, low);
		}
		writer.writeWord(sum, 32);
		return writer.finish();
	}

	private addSorted(group: number, length: number, reader: BitReader): void {
		const events = group % SETS;
		const kind = KINDS[Math.floor(group / SETS)] ?? KIND.user;
		const lowerBits = HIGH_BITS - orderBits(length);
		const key: Fingerprint = { high: 0, low: 0 };
		let upper = 0;
		let sum = 0;
		for (let index = 0; index < length; index++) {
			upper += reader.readUnary();
			const high = (upper << lowerBits) | reader.readWord(lowerBits);
			key.high = high << 1;
			key.low = reader.readWord(32);
			sum = checkSum(sum, high, key.low);
			const place = this.placeOf(key, kind);
			for (let event = 0; event < EVENT_COUNT; event++) {
				if ((events & (1 << event)) !== 0) this.add(place, event, 1);
			}
		}
		if (reader.readWord(32) !== sum || !reader.isAtEnd)
			throw new RangeError('The text is not the one that was written');
	}

	/** Where a row is, or would be. */
	private find(high: number, low: number): number {
		const mask = this.places - 1;
		let place = low & mask;
		for (;;) {
			const there = this.highs[place];
			if (there === 0 || (there === high && this.lows[place] === low)) return place;
			place = (place + 1) & mask;
		}
	}

	private take(place: number, high: number, low: number, kind: Kind): void {
		this.highs[place] = high;
		this.lows[place] = low;
		this.kinds[place] = kind;
		this.hasAliases ||= kind === KIND.alias;
		this.taken++;
	}

	private grow(): void {
		const { places, highs, lows, counts, kinds, present } = this;
		this.places = 2 * places;
		this.highs = new Int32Array(this.places);
		this.lows = new Int32Array(this.places);
		this.counts = new Uint32Array(this.places * EVENT_COUNT);
		this.kinds = new Uint8Array(this.places);
		if (present) this.present = new Uint32Array(this.places * EVENT_COUNT);
		this.taken = 0;
		for (let place = 0; place < places; place++) {
			const high = highs[place] ?? 0;
			const low = lows[place] ?? 0;
			if (high === 0) continue;
			const moved = this.find(high, low);
			this.take(moved, high, low, KINDS[kinds[place] ?? 0] ?? KIND.user);
			const from = place * EVENT_COUNT;
			this.counts.set(counts.subarray(from, from + EVENT_COUNT), moved * EVENT_COUNT);
			if (!present) continue;
			this.present?.set(present.subarray(from, from + EVENT_COUNT), moved * EVENT_COUNT);
		}
	}
}

function aliasOf(high: number, low: number): Fingerprint {
	return { high: high ^ ALIAS.high, low: low ^ ALIAS.low };
}

function checkSum(sum: number, high: number, low: number): number {
	return (Math.imul(sum ^ high, 0x01000193) + low) | 0;
}

/** How many of the highest bits are told by the place in the order: log2 of the length, rounded up. */
function orderBits(length: number): number {
	return Math.min(length <= 1 ? 0 : 32 - Math.clz32(length - 1), HIGH_BITS);
}

/**
 * One of each, for good: V8 throws away the code that it has optimised for a class together with the last object of it,
 * and polls are minutes apart.
 *
 * @public
 */
export const keptForSpeed = [new RowFingerprints(), new BitReader(''), new BitWriter(0)];
