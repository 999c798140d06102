import { cached } from '../../nodes/shared/cache.ts';

test('keeps the entries that were used last, and creates a dropped one again', () => {
	const cache = new Map<string, number>();
	let created = 0;
	const entry = (key: string) => cached(cache, key, 2, () => ++created);
	expect([entry('a'), entry('b'), entry('a')]).toEqual([1, 2, 1]);
	expect(entry('c')).toBe(3);
	expect([...cache.keys()]).toEqual(['a', 'c']);
	expect(entry('b')).toBe(4);
});
