import type { Recipient } from './types';

/** Returns the IDs of people as recipients. @param known recipients with some of these IDs, as they are written */
export function asRecipients(ids: Iterable<string>, known: Recipient[] = []): Recipient[] {
	const written = new Map(known.map((one) => [one.key, one]));
	return Array.from(ids, (id) => written.get(id) ?? { key: id, value: id });
}

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Adds items to a list one by one: spreading 200,000 of them as arguments would overflow the call stack. */
export function append<Item>(target: Item[], items: Iterable<Item>): void {
	for (const item of items) target.push(item);
}
