import { EVENTS } from '../events';
import { fingerprint, FINGERPRINT_LENGTH } from './fingerprint';
import type { RowKind } from './rowKey';

/** The number of rows with each fingerprint. */
export type Counts = Map<string, number>;

/**
 * What a fingerprint stands for: a row, or an alias. An alias is the new form of a row that was edited or lost its user ID;
 * the row stays saved under its old key.
 */
export type FingerprintKind = RowKind | 'alias';

/**
 * The saved rows of a campaign. Each name is a kind and a set of seen events (`user1`). Its value has the fingerprints of
 * the rows of this kind with these seen events, in base64, followed by a checksum.
 */
export type PackedRows = Record<string, string>;

/** The keys of the rows of the survey data, by kind and set of events. */
export type PresentKeys = Partial<Record<FingerprintKind, string[][]>>;

const KINDS = ['user', 'dated', 'undated', 'alias'] as const;

/** Lengths in base64: of a checksum with its padding, and of one fingerprint in a list, without padding. */
const SEAL_LENGTH = 12;
export const BASE64_LENGTH = (FINGERPRINT_LENGTH * 4) / 3;

/** The saved rows were changed or damaged. */
export class DamagedRowsError extends Error {}

/** Rows of one kind with the same seen events. Unchanged rows are stored separately (`Unchanged`). */
type Group = { events: number; counts: Counts };

/** Unchanged rows of one kind with the same seen events. `keys` has their fingerprints, concatenated. */
type Unchanged = { kind: FingerprintKind; events: number; keys: string };

/**
 * The seen rows of a campaign with their seen events. A row with a user ID counts once. If several rows without a user ID
 * are equal, each of them counts.
 */
export class RowFingerprints {
	private readonly groups: Record<FingerprintKind, Group[]> = {
		user: [],
		dated: [],
		undated: [],
		alias: [],
	};

	private readonly unchanged: Unchanged[] = [];

	/**
	 * Reads the result of `pack`.
	 *
	 * @param present the keys of the survey data. A row is unchanged if its key occurs as often in the survey data as in the
	 *   saved rows, counted separately for each kind and set of events. Only `pack` uses unchanged rows.
	 * @returns the rows, and the keys of changed rows
	 * @throws DamagedRowsError if the data is invalid
	 */
	static unpack(
		packed: PackedRows,
		present: PresentKeys = {},
	): { seen: RowFingerprints; changed: Set<string> } {
		const seen = new RowFingerprints();
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

	/**
	 * Marks the rows of the first survey data as seen, except those of users who have several rows. No Map of the rows is
	 * built, because it would take much memory.
	 *
	 * @returns `seen`: the rows marked as seen; `changed`: the keys of the users who have several rows, which are still to be
	 *   added to `seen`
	 */
	static ofBaseline(present: PresentKeys & { user: string[][] }): {
		seen: RowFingerprints;
		changed: Set<string>;
	} {
		const seen = new RowFingerprints();
		const changed = new Set<string>();
		const users = sorted(present.user.flat().join(''));
		users.forEach((user, index) => {
			if (user === users[index - 1]) addKey(changed, users, index);
		});
		for (const kind of KINDS) {
			present[kind]?.forEach((keys, events) => {
				const unique = keys.filter((key) => !changed.has(key));
				seen.unchanged.push({ kind, events, keys: unique.join('') });
			});
		}
		return { seen, changed };
	}

	/** Returns the rows to save, with the given events only. */
	pack(wanted: number): PackedRows {
		const texts = new Map<string, string>();
		const add = (kind: FingerprintKind, events: number, keys: string): void => {
			const name = `${kind}${events & wanted}`;
			if ((events & wanted) !== 0 && keys !== '') texts.set(name, (texts.get(name) ?? '') + keys);
		};
		for (const { kind, events, keys } of this.unchanged) add(kind, events, keys);
		for (const kind of KINDS) {
			for (const { events, counts } of this.groups[kind]) {
				const keys: string[] = [];
				for (const [key, times] of counts) keys.push(key.repeat(times));
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

	/** Returns the seen events of a row, as a set: a number with one bit per event. */
	eventsOf(kind: FingerprintKind, key: string): number {
		let events = 0;
		for (const group of this.groups[kind]) if (group.counts.has(key)) events |= group.events;
		return events;
	}

	/** Returns the number of rows with this key for which the event was seen. */
	count(kind: FingerprintKind, event: number, key: string): number {
		let sum = 0;
		for (const { events, counts } of this.groups[kind])
			if (events & (1 << event)) sum += countOf(counts, key);
		return sum;
	}

	/** Returns the number of rows of this kind for which the event was seen, by key. */
	counts(kind: FingerprintKind, event: number): Counts {
		const sums: Counts = new Map();
		for (const { events, counts } of this.groups[kind])
			if (events & (1 << event)) for (const [key, times] of counts) addTo(sums, key, times);
		return sums;
	}

	/** Returns the number of rows of this kind for which the event was seen. */
	total(kind: FingerprintKind, event: number): number {
		let sum = 0;
		for (const { events, counts } of this.groups[kind])
			if (events & (1 << event)) for (const times of counts.values()) sum += times;
		return sum;
	}

	/** Marks an event of a row as seen. */
	add(kind: FingerprintKind, event: number, key: string): void {
		const without = this.groups[kind].find(
			({ events, counts }) => (events & (1 << event)) === 0 && counts.has(key),
		);
		if (without) addTo(without.counts, key, -1);
		addTo(this.groupOf(kind, (without?.events ?? 0) | (1 << event)).counts, key, 1);
	}

	/** Marks an event of a row as unseen. */
	remove(kind: FingerprintKind, event: number, key: string): void {
		const group = this.groups[kind].find(
			({ events, counts }) => (events & (1 << event)) !== 0 && counts.has(key),
		);
		if (!group) return;
		addTo(group.counts, key, -1);
		const others = group.events & ~(1 << event);
		if (others !== 0) addTo(this.groupOf(kind, others).counts, key, 1);
	}

	private groupOf(kind: FingerprintKind, events: number): Group {
		const known = this.groups[kind].find((group) => group.events === events);
		if (known) return known;
		const group: Group = { events, counts: new Map() };
		this.groups[kind].push(group);
		return group;
	}
}

/** Returns the fingerprints in a saved text. @throws DamagedRowsError */
function unpackText(name: string, sealed: string): Unchanged {
	const kind = KINDS.find((known) => name.startsWith(known)) ?? 'user';
	const events = Number(name.slice(kind.length));
	const text = sealed.slice(0, -SEAL_LENGTH);
	if (!(events < 1 << EVENTS.length) || sealed !== text + sealOf(name, text))
		throw new DamagedRowsError();
	return { kind, events, keys: Buffer.from(text, 'base64').toString('latin1') };
}

/** Returns the checksum of a saved text. */
function sealOf(name: string, text: string): string {
	return toBase64(fingerprint(name + text));
}

function toBase64(text: string): string {
	return Buffer.from(text, 'latin1').toString('base64');
}

/** Returns fingerprints as sorted numbers; for 100,000 of them this is cheaper than a Map. */
function sorted(keys = ''): BigUint64Array {
	const numbers = new BigUint64Array(keys.length / FINGERPRINT_LENGTH);
	Buffer.from(numbers.buffer).write(keys, 'latin1');
	return numbers.sort();
}

/** Adds to `keys` the fingerprints that occur more often in one list than in the other. */
function addDifference(keys: Set<string>, a: BigUint64Array, b: BigUint64Array): void {
	for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
		const [x, y] = [a[i], b[j]];
		if (x !== undefined && (y === undefined || x < y)) addKey(keys, a, i++);
		else if (x === y) {
			i++;
			j++;
		} else addKey(keys, b, j++);
	}
}

function addKey(keys: Set<string>, { buffer }: BigUint64Array, index: number): void {
	const at = index * FINGERPRINT_LENGTH;
	keys.add(Buffer.from(buffer, at, FINGERPRINT_LENGTH).toString('latin1'));
}

/** Returns the count of a key. */
function countOf(counts: Counts | undefined, key: string): number {
	return counts?.get(key) ?? 0;
}

/** Adds to the count of a key and returns the sum. */
export function addTo(counts: Counts, key: string, times: number): number {
	const sum = countOf(counts, key) + times;
	if (sum === 0) counts.delete(key);
	else counts.set(key, sum);
	return sum;
}
