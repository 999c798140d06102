import {
	CONCURRENCY,
	readConcurrently,
} from '../../nodes/MessagingServiceTrigger/api/readConcurrently.ts';

const ids = Array.from({ length: 12 }, (_, number) => `c${number}`);

/** Reads that end when they are told to; tells how many were under way at most, in all and of the large ones. */
function slowReads(isLarge: (id: string) => boolean = () => false) {
	const most = { all: 0, large: 0 };
	const underWay = new Set<string>();
	const read = async (id: string): Promise<string> => {
		underWay.add(id);
		most.all = Math.max(most.all, underWay.size);
		most.large = Math.max(most.large, [...underWay].filter(isLarge).length);
		await new Promise((resolve) => setImmediate(resolve));
		underWay.delete(id);
		return id;
	};
	return { most, read };
}

test('reads all in their order, a few at a time', async () => {
	const { most, read } = slowReads();
	const outcomes = await readConcurrently(ids, { deadline: Infinity }, read);
	expect([...outcomes.keys()]).toEqual(ids);
	expect(outcomes.get('c3')).toBe('c3');
	expect(most.all).toBe(CONCURRENCY);
});

test('begins the first one even if the time is over, and no other', async () => {
	const { read } = slowReads();
	const outcomes = await readConcurrently(ids, { deadline: 0 }, read);
	expect([...outcomes.keys()]).toEqual(['c0']);
	const isLarge = (id: string) => id === 'c5';
	expect((await readConcurrently(ids, { deadline: 0, isLarge }, read)).size).toBe(1);
});

test('reads large answers one at a time, and the others beside them', async () => {
	const isLarge = (id: string) => Number(id.slice(1)) % 2 === 0;
	const { most, read } = slowReads(isLarge);
	const outcomes = await readConcurrently(ids, { deadline: Infinity, isLarge }, read);
	expect([...outcomes.keys()].sort()).toEqual([...ids].sort());
	expect(most).toEqual({ all: CONCURRENCY, large: 1 });
});

test('begins nothing more after a result that is the last one', async () => {
	const isLast = (id: string) => id === 'c2';
	const { read } = slowReads();
	const results = await readConcurrently(ids, { deadline: Infinity, isLast }, read);
	expect([...results.keys()]).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
});
