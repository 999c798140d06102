import { addToList } from '../shared/listsByKey';
import { eventNumbersIn, type EventSet } from './events';

/** Length of a key in characters, one per byte. */
export const KEY_LENGTH = 8;

/**
 * The saved keys of a campaign, by kind of row and set of seen events. `user5` has the keys of the rows with a user ID
 * whose seen events are the set 5, and `other5` those of the rows without a user ID. A value has 8 bytes per key, in
 * base64.
 */
export type PackedKeys = Record<string, string>;

/**
 * For each key, two sets of events in one number: `seen + 8 * shown`. `seen` are the seen events, and `shown` those that
 * the current read shows. One map instead of two saves a tenth of the time of a poll.
 */
export type EventsByKey = Map<string, number>;

/** The keys of the rows with a user ID (`user`), and of the rows without one (`other`). */
export type SeenEvents = Record<'user' | 'other', EventsByKey>;

/** One event of the row with a key. */
type KeyEvent = { key: string; event: number };

/** Selects the seen events from a number of `EventsByKey`. */
const SEEN_MASK = 7;

/** The shown events are shifted by this many bits in a number of `EventsByKey`. */
const SHOWN_SHIFT = 3;

/**
 * Unpacks saved keys.
 *
 * @param readEvents the events whose first read is done. Saved keys of other events are ignored
 */
export function unpackKeys(packed: PackedKeys, readEvents: EventSet): SeenEvents {
	const seen: SeenEvents = { user: new Map(), other: new Map() };
	for (const [name, base64] of Object.entries(packed)) {
		const ofKind = name.startsWith('user') ? seen.user : seen.other;
		const events = Number(name.at(-1)) & readEvents;
		if (events === 0) continue;
		const keys = Buffer.from(base64, 'base64').toString('latin1');
		for (let at = 0; at < keys.length; at += KEY_LENGTH)
			ofKind.set(keys.slice(at, at + KEY_LENGTH), events);
	}
	return seen;
}

/** Packs the keys for the saved state, in the order in which they were first seen. Leaves out keys without a seen event. */
export function packKeys(seen: SeenEvents): PackedKeys {
	const groups = new Map<string, string[]>();
	for (const [kind, keys] of Object.entries(seen))
		for (const [key, events] of keys) addToList(groups, `${kind}${events & SEEN_MASK}`, key);
	// 0 is the empty set.
	const withEvents = [...groups].filter(([name]) => !name.endsWith('0'));
	const pack = (keys: string[]): string => Buffer.from(keys.join(''), 'latin1').toString('base64');
	return Object.fromEntries(withEvents.map(([name, keys]) => [name, pack(keys)]));
}

/** Marks an event of a key as seen. */
export function markSeen(keys: EventsByKey, { key, event }: KeyEvent): void {
	keys.set(key, (keys.get(key) ?? 0) | (1 << event));
}

/** Marks an event of a key as not seen. */
export function markUnseen(keys: EventsByKey, { key, event }: KeyEvent): void {
	keys.set(key, (keys.get(key) ?? 0) & ~(1 << event));
}

/** Marks events of a key as shown by the current read. Returns the set of these events that are not marked as seen. */
export function markShown(keys: EventsByKey, key: string, shown: EventSet): EventSet {
	const events = keys.get(key) ?? 0;
	keys.set(key, events | (shown << SHOWN_SHIFT));
	return shown & ~events;
}

/** Whether the current read shows a key. */
export function isShown(keys: EventsByKey, key: string): boolean {
	return (keys.get(key) ?? 0) >> SHOWN_SHIFT !== 0;
}

/** Returns the seen events that the current read does not show. All rows of the read must be marked (`markShown`). */
export function vanishedEvents(keys: EventsByKey): KeyEvent[] {
	const vanished: KeyEvent[] = [];
	keys.forEach((events, key) => {
		const notShown = events & SEEN_MASK & ~(events >> SHOWN_SHIFT);
		for (const event of eventNumbersIn(notShown)) vanished.push({ key, event });
	});
	return vanished;
}
