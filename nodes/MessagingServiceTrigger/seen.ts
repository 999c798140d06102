import { KEY_LENGTH } from './rows';

/**
 * The saved keys of a campaign. Each name says whether the rows have a user ID (`user`) or none (`other`), and which set
 * of events was seen, for example `user5`. The value has their keys, 8 bytes each, in base64.
 */
export type PackedKeys = Record<string, string>;

/** Whether a row has a user ID. */
export type Kind = 'user' | 'other';

/** The seen events of a campaign, as sets, by the keys of the rows. */
export type Seen = Record<Kind, Map<string, number>>;

/**
 * Unpacks saved keys.
 *
 * @param read the events whose first read is done, as a set. Saved keys of other events are ignored
 */
export function unpackKeys(packed: PackedKeys, read: number): Seen {
	const seen: Seen = { user: new Map(), other: new Map() };
	for (const [name, text] of Object.entries(packed)) {
		const ofKind = name.startsWith('user') ? seen.user : seen.other;
		const events = Number(name.at(-1)) & read;
		const keys = events === 0 ? '' : Buffer.from(text, 'base64').toString('latin1');
		for (let at = 0; at < keys.length; at += KEY_LENGTH)
			ofKind.set(keys.slice(at, at + KEY_LENGTH), events);
	}
	return seen;
}

/** Packs the keys, in the order in which they were first seen. */
export function packKeys(seen: Seen): PackedKeys {
	const groups: Record<string, string[]> = {};
	for (const [kind, keys] of Object.entries(seen))
		for (const [key, events] of keys) (groups[`${kind}${events}`] ??= []).push(key);
	const packed = Object.entries(groups).map(([name, keys]): [string, string] => [
		name,
		Buffer.from(keys.join(''), 'latin1').toString('base64'),
	]);
	return Object.fromEntries(packed);
}

/** Marks an event of a key as seen. */
export function mark(keys: Map<string, number>, { key, event }: { key: string; event: number }) {
	keys.set(key, (keys.get(key) ?? 0) | (1 << event));
}

/** Marks an event of a key as not seen. */
export function unmark(keys: Map<string, number>, { key, event }: { key: string; event: number }) {
	const others = (keys.get(key) ?? 0) & ~(1 << event);
	if (others === 0) keys.delete(key);
	else keys.set(key, others);
}
