import { eventNumbers, EVENTS } from './events';
import { KEY_LENGTH } from './rows';

/**
 * The saved keys of a campaign. A name says what the rows have, a user ID or none, and the set of their events that were
 * seen (`user5`, `other1`). The value has their keys, 8 bytes each, in base64.
 */
export type PackedKeys = Record<string, string>;

/** How often each key was seen. */
export type Counts = Map<string, number>;

/** The seen events of a campaign. */
export type Seen = {
	/** For each user ID, the set of events that were seen. */
	users: Map<string, number>;
	/** For each event, how many rows without a user ID were seen, by key. */
	others: Counts[];
};

/** The saved keys cannot be read: polling without them would emit all rows again. */
export class UnreadableKeysError extends Error {}

const NAME = /^(user|other)([1-7])$/;

/**
 * Unpacks saved keys.
 *
 * @param read the events whose first read is done, as a set; what was saved of others does not count
 * @throws UnreadableKeysError
 */
export function unpackKeys(packed: PackedKeys, read: number): Seen {
	const seen: Seen = { users: new Map(), others: EVENTS.map(() => new Map()) };
	for (const [name, text] of Object.entries(packed)) {
		const [, kind, set] = NAME.exec(name) ?? [];
		const keys = Buffer.from(text, 'base64').toString('latin1');
		const isWhole =
			keys.length % KEY_LENGTH === 0 && text.length === Math.ceil(keys.length / 3) * 4;
		if (kind === undefined || !isWhole) throw new UnreadableKeysError();
		const events = Number(set) & read;
		const numbers = eventNumbers(events);
		for (let at = 0; at < keys.length && events !== 0; at += KEY_LENGTH) {
			const key = keys.slice(at, at + KEY_LENGTH);
			if (kind === 'user') seen.users.set(key, events);
			else for (const event of numbers) add(countsOf(seen, event), key, 1);
		}
	}
	return seen;
}

/** Packs the keys, in the order in which they were first seen. */
export function packKeys({ users, others }: Seen): PackedKeys {
	const groups = ['user', 'other'].map((kind) => ({ kind, sets: new Array<string[]>() }));
	const [ofUsers, ofOthers] = groups.map(({ sets }) => (events: number, key: string) => {
		const keys = (sets[events] ??= []);
		keys.push(key);
	});
	for (const [key, events] of users) if (events !== 0) ofUsers?.(events, key);
	const left = others.map((counts) => new Map(counts));
	for (const counts of left) {
		for (const [key, most] of counts) {
			for (let count = most; count > 0; count--) {
				let events = 0;
				for (const [event, other] of left.entries()) {
					if (!other.has(key)) continue;
					events |= 1 << event;
					if (other !== counts) add(other, key, -1);
				}
				ofOthers?.(events, key);
			}
		}
		counts.clear();
	}
	const packed = groups.flatMap(({ kind, sets }) =>
		[...sets.entries()].map(([events, keys = []]) => [
			`${kind}${events}`,
			Buffer.from(keys.join(''), 'latin1').toString('base64'),
		]),
	);
	return Object.fromEntries(packed.filter(([, text]) => text !== ''));
}

/** Returns how often each key without a user ID was seen with an event. */
export function countsOf({ others }: Seen, event: number): Counts {
	return (others[event] ??= new Map());
}

/** Adds to the count of a key. */
export function add(counts: Counts, key: string, times: number): void {
	const sum = (counts.get(key) ?? 0) + times;
	if (sum === 0) counts.delete(key);
	else counts.set(key, sum);
}

/** Returns how many keys were saved, to tell a large response before it is read. */
export function keysIn(packed: PackedKeys = {}): number {
	const length = Object.values(packed).reduce((sum, text) => sum + text.length, 0);
	return Math.floor((length * 3) / 4 / KEY_LENGTH);
}
