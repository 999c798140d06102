import { start, useEmulator } from './client.mts';

const context = useEmulator({
	seed: { people: 3, campaigns: 250, otherCampaigns: 7, surveys: 0, broadcasts: 130 },
});

interface Item {
	_id: string;
	status: string;
	liveDate?: string;
	categories?: string[];
}

async function allPages(path: string, query: Record<string, string | number>): Promise<Item[][]> {
	const pages: Item[][] = [];
	let previousLastId: string | undefined;
	for (;;) {
		const { data } = await context.client.ok<Item[]>('GET', path, {
			query: { ...query, ...(previousLastId === undefined ? {} : { previousLastId }) },
		});
		if (data.length === 0) return pages;
		pages.push(data);
		previousLastId = data.at(-1)?._id;
	}
}

describe.each([
	['campaign', 250],
	['broadcast', 130],
] as const)('%s', (list, total) => {
	const path = `/${list}`;

	test('100 by default, newest first', async () => {
		const { data } = await context.client.ok<Item[]>('GET', path);
		expect(data).toHaveLength(100);
		const ids = data.map((item) => item._id);
		expect(ids).toEqual([...ids].sort().reverse());
	});

	test('pages by previousLastId hold everything once', async () => {
		const pages = await allPages(path, { limit: 60 });
		const ids = pages.flat().map((item) => item._id);
		expect(ids).toHaveLength(total);
		expect(new Set(ids).size).toBe(total);
		expect(pages.slice(0, -1).map((page) => page.length)).toEqual(
			Array.from({ length: pages.length - 1 }, () => 60),
		);
	});

	test('a service that caps its pages answers with less than asked for', async () => {
		context.emulator.switches.pageCap = { [list]: 40 };
		const pages = await allPages(path, { limit: 1000 });
		expect(pages[0]).toHaveLength(40);
		expect(pages.flat()).toHaveLength(total);
	});

	test('1000 at most', async () => {
		expect(
			(await context.client.ok<Item[]>('GET', path, { query: { limit: 1000 } })).data,
		).toHaveLength(total);
		expect(await context.client.refused('GET', path, { query: { limit: 1001 } })).toBe(
			'Illegal parameters',
		);
		expect(context.emulator.violations).toHaveLength(1);
		context.emulator.switches.limitAboveMaximum = 'clamp';
		expect(
			(await context.client.ok<Item[]>('GET', path, { query: { limit: 5000 } })).data,
		).toHaveLength(total);
	});

	test('the record of previousLastId may be gone', async () => {
		const { data } = await context.client.ok<Item[]>('GET', path, { query: { limit: 3 } });
		const [, , last] = data;
		const store =
			list === 'campaign' ? context.emulator.state.campaigns : context.emulator.state.broadcasts;
		store.delete(last?._id ?? '');
		const next = await context.client.ok<Item[]>('GET', path, {
			query: { limit: 1, previousLastId: last?._id ?? '' },
		});
		expect(next.data).toHaveLength(1);
		expect((next.data[0]?._id ?? '') < (last?._id ?? '')).toBe(true);
	});

	test('dates cut on both sides, and drafts have none', async () => {
		const minLiveDate = new Date(start - 20 * 86_400_000).toISOString();
		const maxLiveDate = new Date(start - 10 * 86_400_000).toISOString();
		const { data } = await context.client.ok<Item[]>('GET', path, {
			query: { minLiveDate, maxLiveDate, limit: 1000 },
		});
		expect(data.length).toBeGreaterThan(0);
		for (const item of data) {
			expect((item.liveDate ?? '') > minLiveDate && (item.liveDate ?? '') < maxLiveDate).toBe(true);
		}
		expect(await context.client.refused('GET', path, { query: { minLiveDate: 'yesterday' } })).toBe(
			'Illegal parameters',
		);
	});

	test('only what was created via this API', async () => {
		const { data } = await context.client.ok<Item[]>('GET', path, {
			query: { onlyApi: 'true', limit: 1000 },
		});
		expect(data).toHaveLength(total / 2);
	});

	test('all is for Super Users, and excludes onlyApi', async () => {
		await context.client.ok('GET', path, { query: { all: 'true' } });
		expect(await context.plain.refused('GET', path, { query: { all: 'true' } })).toBe(
			'Illegal parameters',
		);
		expect(context.emulator.violations).toEqual([]);
		expect(
			await context.client.refused('GET', path, { query: { all: 'true', onlyApi: 'true' } }),
		).toBe('Illegal parameters');
		expect(context.emulator.violations).toHaveLength(1);
	});
});

test('previousLastId may mean "from here", or nothing at all', async () => {
	const ids = async (previousLastId?: string) =>
		(
			await context.client.ok<Item[]>('GET', '/campaign', {
				query: { limit: 3, ...(previousLastId === undefined ? {} : { previousLastId }) },
			})
		).data.map((item) => item._id);
	const page = await ids();
	context.emulator.switches.previousLastIdMeans = 'from';
	const next = await ids(page[2]);
	expect(next).toHaveLength(3);
	expect(next[0]).toBe(page[2]);
	context.emulator.switches.previousLastIdMeans = 'nothing';
	expect(await ids(page[2])).toEqual(page);
});

test('all lists the campaigns of others, too', async () => {
	const own = await context.client.ok<Item[]>('GET', '/campaign', { query: { limit: 1000 } });
	expect(own.data).toHaveLength(250);
	const all = await context.client.ok<Item[]>('GET', '/campaign', {
		query: { limit: 1000, all: 'true' },
	});
	expect(all.data).toHaveLength(257);
	const plain = await context.plain.ok<Item[]>('GET', '/campaign');
	expect(plain.data).toHaveLength(7);
});

test('campaigns by status and category', async () => {
	const { data } = await context.client.ok<Item[]>('GET', '/campaign', {
		query: { status: '4', category: 'HR', limit: 1000 },
	});
	expect(data.length).toBeGreaterThan(0);
	for (const item of data) {
		expect(item.status).toBe('4');
		expect(item.categories).toEqual(['HR']);
	}
	expect(await context.client.refused('GET', '/campaign', { query: { status: '2' } })).toBe(
		'Illegal parameters',
	);
});
