import {
	CONCURRENCY,
	readConcurrently,
} from '../../nodes/MessagingServiceTrigger/api/readConcurrently.ts';

const ids = Array.from({ length: 12 }, (_, number) => `c${number}`);

/**
 * Returns a slow `read`. `most.all` is the highest number of concurrent reads. `most.large` counts only reads of large
 * campaigns.
 */
function slowReads(isLarge: (id: string) => boolean = () => false) {
	const most = { all: 0, large: 0 };
	const inFlight = new Set<string>();
	const read = async (id: string): Promise<string> => {
		inFlight.add(id);
		most.all = Math.max(most.all, inFlight.size);
		most.large = Math.max(most.large, [...inFlight].filter(isLarge).length);
		await new Promise((resolve) => setImmediate(resolve));
		inFlight.delete(id);
		return id;
	};
	return { most, read };
}

test('reads all campaigns with limited concurrency, and returns them in the given order', async () => {
	const { most, read } = slowReads();
	const outcomes = await readConcurrently(ids, { deadline: Infinity }, read);
	expect([...outcomes.keys()]).toEqual(ids);
	expect(outcomes.get('c3')).toBe('c3');
	expect(most.all).toBe(CONCURRENCY);
});

test('starts the first read even after the deadline, but no other', async () => {
	const { read } = slowReads();
	const outcomes = await readConcurrently(ids, { deadline: 0 }, read);
	expect([...outcomes.keys()]).toEqual(['c0']);
	const isLarge = (id: string) => id === 'c5';
	expect((await readConcurrently(ids, { deadline: 0, isLarge }, read)).size).toBe(1);
});

test('reads only one large response at a time, and small ones concurrently', async () => {
	const isLarge = (id: string) => Number(id.slice(1)) % 2 === 0;
	const { most, read } = slowReads(isLarge);
	const outcomes = await readConcurrently(ids, { deadline: Infinity, isLarge }, read);
	expect([...outcomes.keys()].sort()).toEqual([...ids].sort());
	expect(most).toEqual({ all: CONCURRENCY, large: 1 });
});

test('starts no further reads after a result for which isLast is true', async () => {
	const isLast = (id: string) => id === 'c2';
	const { read } = slowReads();
	const results = await readConcurrently(ids, { deadline: Infinity, isLast }, read);
	expect([...results.keys()]).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
});
