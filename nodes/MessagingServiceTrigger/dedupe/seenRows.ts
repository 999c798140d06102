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
 * events were seen, then that of the text itself.
 */
export type PackedRows = Record<string, string>;

const KINDS = ['user', 'dated', 'undated', 'alias'] as const;

/** Saved rows that are not what was saved. */
export class DamagedRowsError extends Error {}

/** The rows of one kind of which the same events were seen. */
type Group = { events: number; counts: Counts };

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

	/** Reads what `pack` gave. @throws DamagedRowsError when it is something else */
	static unpack(packed: PackedRows): SeenRows {
		const seen = new SeenRows();
		for (const [name, text] of Object.entries(packed)) {
			const kind = KINDS.find((known) => name.startsWith(known)) ?? 'user';
			const events = Number(name.slice(kind.length));
			const end = text.length - FINGERPRINT_LENGTH;
			if (
				!(events > 0 && events < 1 << EVENTS.length) ||
				text.slice(end) !== sealOf(name, text.slice(0, end))
			)
				throw new DamagedRowsError();
			const { counts } = seen.groupOf(kind, events);
			for (let at = 0; at < end; at += FINGERPRINT_LENGTH)
				addTo(counts, text.slice(at, at + FINGERPRINT_LENGTH), 1);
		}
		return seen;
	}

	/** What is to be saved; other events than the given ones are forgotten. */
	pack(wanted: number): PackedRows {
		const texts = new Map<string, string>();
		for (const kind of KINDS) {
			for (const { events, counts } of this.groups[kind]) {
				if ((events & wanted) === 0 || counts.size === 0) continue;
				const name = `${kind}${events & wanted}`;
				const keys: string[] = [];
				for (const [key, times] of counts) keys.push(times === 1 ? key : key.repeat(times));
				texts.set(name, (texts.get(name) ?? '') + keys.join(''));
			}
		}
		return Object.fromEntries([...texts].map(([name, text]) => [name, text + sealOf(name, text)]));
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

/** By this a text is told from one that was damaged. */
function sealOf(name: string, text: string): string {
	return fingerprint(name + text);
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
