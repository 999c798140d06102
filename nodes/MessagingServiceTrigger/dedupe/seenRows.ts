import { EVENTS } from '../events';
import { fingerprint, FINGERPRINT_LENGTH } from './fingerprint';
import type { RowKind } from './rowKey';

/** How often each fingerprint was counted. */
export type Counts = Map<string, number>;

/**
 * What a fingerprint stands for: a row by what it is known by, or an alias of one that is known by another key: the edited
 * form of a row, or one that lost its user ID.
 */
export type SeenKind = RowKind | 'alias';

/**
 * What is saved of a campaign's rows: under a kind and a set of events (`user1`) the fingerprints of the rows of which these
 * events were seen, in base64, then that of the text itself.
 */
export type PackedRows = Record<string, string>;

/** The keys of the rows of a response, by kind and set of events. */
export type PresentKeys = Partial<Record<SeenKind, string[][]>>;

const KINDS = ['user', 'dated', 'undated', 'alias'] as const;

/** Characters that a fingerprint takes in base64: alone, and among others. */
const SEAL_LENGTH = 12;
export const BASE64_LENGTH = (FINGERPRINT_LENGTH * 4) / 3;

/** The saved rows were changed or damaged. */
export class DamagedRowsError extends Error {}

/** The rows of one kind of which the same events were seen, without the unchanged ones. */
type Group = { events: number; counts: Counts };

/** The fingerprints of unchanged rows of one kind and of which the same events were seen, one after the other. */
type Unchanged = { kind: SeenKind; events: number; keys: string };

/**
 * The rows of one campaign that were seen, each with the events that were seen of it: once for a row with a user ID, as
 * often as equal rows were there for one without.
 */
export class SeenRows {
	private readonly groups: Record<SeenKind, Group[]> = {
		user: [],
		dated: [],
		undated: [],
		alias: [],
	};

	private readonly unchanged: Unchanged[] = [];

	/**
	 * Reads what `pack` gave.
	 *
	 * @param present the keys of the response; a row that it has as often as it was seen, under each kind and set of events, is
	 * unchanged: `pack` saves it again, all else ignores it
	 * @returns the rows, and the keys of those that changed
	 * @throws DamagedRowsError when it is something else
	 */
	static unpack(
		packed: PackedRows,
		present: PresentKeys = {},
	): { seen: SeenRows; changed: Set<string> } {
		const seen = new SeenRows();
		const changed = new Set<string>();
		const saved = Object.entries(packed).map(([name, text]) => unpackText(name, text));
		for (const kind of KINDS) {
			for (let events = 1; events < 1 << EVENTS.length; events++) {
				const before = saved.find((group) => group.kind === kind && group.events === events);
				const now = present[kind]?.[events]?.join('');
				addDifference(changed, sorted(before?.keys), sorted(now));
			}
		}
		for (const { kind, events, keys } of saved) {
			const { counts } = seen.groupOf(kind, events);
			let unchanged = '';
			let from = 0;
			for (let at = 0; at < keys.length; at += FINGERPRINT_LENGTH) {
				const key = keys.slice(at, at + FINGERPRINT_LENGTH);
				if (!changed.has(key)) continue;
				addTo(counts, key, 1);
				unchanged += keys.slice(from, at);
				from = at + FINGERPRINT_LENGTH;
			}
			seen.unchanged.push({ kind, events, keys: unchanged + keys.slice(from) });
		}
		return { seen, changed };
	}

	/** What is to be saved; other events than the given ones are forgotten. */
	pack(wanted: number): PackedRows {
		const texts = new Map<string, string>();
		const add = (kind: SeenKind, events: number, keys: string): void => {
			const name = `${kind}${events & wanted}`;
			if ((events & wanted) !== 0 && keys !== '') texts.set(name, (texts.get(name) ?? '') + keys);
		};
		for (const { kind, events, keys } of this.unchanged) add(kind, events, keys);
		for (const kind of KINDS) {
			for (const { events, counts } of this.groups[kind]) {
				const keys: string[] = [];
				for (const [key, times] of counts) keys.push(times === 1 ? key : key.repeat(times));
				add(kind, events, keys.join(''));
			}
		}
		return Object.fromEntries(
			[...texts].map(([name, keys]) => {
				const text = toBase64(keys);
				return [name, text + sealOf(name, text)];
			}),
		);
	}

	/** The set of events seen of a row. */
	eventsOf(kind: SeenKind, key: string): number {
		let events = 0;
		for (const group of this.groups[kind]) if (group.counts.has(key)) events |= group.events;
		return events;
	}

	/** How often an event, by its number, was seen of equal rows. */
	count(kind: SeenKind, event: number, key: string): number {
		let sum = 0;
		for (const { events, counts } of this.groups[kind])
			if (events & (1 << event)) sum += countOf(counts, key);
		return sum;
	}

	/** How often an event was seen of each row of a kind. */
	counts(kind: SeenKind, event: number): Counts {
		const sums: Counts = new Map();
		for (const { events, counts } of this.groups[kind])
			if (events & (1 << event)) for (const [key, times] of counts) addTo(sums, key, times);
		return sums;
	}

	/** How often an event was seen of all rows of a kind together. */
	total(kind: SeenKind, event: number): number {
		let sum = 0;
		for (const { events, counts } of this.groups[kind])
			if (events & (1 << event)) for (const times of counts.values()) sum += times;
		return sum;
	}

	/** Notes an event of a row. */
	add(kind: SeenKind, event: number, key: string): void {
		const without = this.groups[kind].find(
			({ events, counts }) => (events & (1 << event)) === 0 && counts.has(key),
		);
		if (without) addTo(without.counts, key, -1);
		addTo(this.groupOf(kind, (without?.events ?? 0) | (1 << event)).counts, key, 1);
	}

	/** Takes back an event that was seen of a row. */
	remove(kind: SeenKind, event: number, key: string): void {
		const group = this.groups[kind].find(
			({ events, counts }) => (events & (1 << event)) !== 0 && counts.has(key),
		);
		if (!group) return;
		addTo(group.counts, key, -1);
		const others = group.events & ~(1 << event);
		if (others !== 0) addTo(this.groupOf(kind, others).counts, key, 1);
	}

	private groupOf(kind: SeenKind, events: number): Group {
		const known = this.groups[kind].find((group) => group.events === events);
		if (known) return known;
		const group: Group = { events, counts: new Map() };
		this.groups[kind].push(group);
		return group;
	}
}

/** The fingerprints in a saved text. @throws DamagedRowsError */
function unpackText(name: string, sealed: string): Unchanged {
	const kind = KINDS.find((known) => name.startsWith(known)) ?? 'user';
	const events = Number(name.slice(kind.length));
	const text = sealed.slice(0, -SEAL_LENGTH);
	if (!(events > 0 && events < 1 << EVENTS.length) || sealed !== text + sealOf(name, text))
		throw new DamagedRowsError();
	return { kind, events, keys: Buffer.from(text, 'base64').toString('latin1') };
}

/** By this a text is told from one that was damaged. */
function sealOf(name: string, text: string): string {
	return toBase64(fingerprint(name + text));
}

function toBase64(text: string): string {
	return Buffer.from(text, 'latin1').toString('base64');
}

/** Fingerprints as numbers, in order: 100,000 of them cost less than as keys of a Map. */
function sorted(keys = ''): BigUint64Array {
	const numbers = new BigUint64Array(keys.length / FINGERPRINT_LENGTH);
	Buffer.from(numbers.buffer).write(keys, 'latin1');
	return numbers.sort();
}

/** Notes the fingerprints that one list has more often than the other. */
function addDifference(keys: Set<string>, a: BigUint64Array, b: BigUint64Array): void {
	const add = ({ buffer }: BigUint64Array, index: number): void => {
		const at = index * FINGERPRINT_LENGTH;
		keys.add(Buffer.from(buffer, at, FINGERPRINT_LENGTH).toString('latin1'));
	};
	for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
		const [x, y] = [a[i], b[j]];
		if (x !== undefined && (y === undefined || x < y)) add(a, i++);
		else if (x === y) {
			i++;
			j++;
		} else add(b, j++);
	}
}

/** How often a key was counted. */
function countOf(counts: Counts | undefined, key: string): number {
	return counts?.get(key) ?? 0;
}

/** Adds to how often a key was counted, and gives the sum. */
export function addTo(counts: Counts, key: string, times: number): number {
	const sum = countOf(counts, key) + times;
	if (sum === 0) counts.delete(key);
	else counts.set(key, sum);
	return sum;
}
