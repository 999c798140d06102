/**
 * Returns an entry of a cache, and creates it if there is none. If the cache then has more than `most` entries, drops those
 * that were not used for longest, so that a process that runs for months does not fill its memory.
 */
export function cached<Key, Value>(
	cache: Map<Key, Value>,
	key: Key,
	most: number,
	create: () => Value,
): Value {
	const value = cache.get(key) ?? create();
	// The used entry becomes the last one.
	cache.delete(key);
	cache.set(key, value);
	for (const oldest of cache.keys()) {
		if (cache.size <= most) break;
		cache.delete(oldest);
	}
	return value;
}
