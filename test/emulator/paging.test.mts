import { timeAfter, useEmulator } from './client.mts';

const { emulator, plain, ok, refused, expectViolations } = useEmulator({
	seed: { people: 3, campaigns: 250, otherCampaigns: 7, surveys: 0, broadcasts: 130 },
});

interface Item {
	_id: string;
	status: string;
	liveDate?: string;
	categories?: string[];
}

const DAY = 86_400_000;
const illegal = 'Illegal parameters';

describe.each([
	['campaign', 250],
	['broadcast', 130],
] as const)('%s', (name, total) => {
	const page = (query = '') => ok<Item[]>(`GET /${name}?${query}`);
	const refusal = (query: string) => refused(`GET /${name}?${query}`);

	async function allPages(limit: number): Promise<Item[][]> {
		const pages = [await page(`limit=${limit}`)];
		for (;;) {
			const next = await page(`limit=${limit}&previousLastId=${pages.at(-1)?.at(-1)?._id}`);
			if (next.length === 0) return pages;
			pages.push(next);
		}
	}

	test('returns 100 records by default, newest first', async () => {
		const ids = (await page()).map(({ _id }) => _id);
		expect(ids).toHaveLength(100);
		expect(ids).toEqual([...ids].sort().reverse());
	});

	test('returns every record once, page by page with previousLastId', async () => {
		const pages = await allPages(60);
		expect(new Set(pages.flat().map(({ _id }) => _id)).size).toBe(total);
		expect(pages.flat()).toHaveLength(total);
		expect(new Set(pages.slice(0, -1).map(({ length }) => length))).toEqual(new Set([60]));
	});

	test('accepts a limit of at most 1000', async () => {
		expect(await page('limit=1000')).toHaveLength(total);
		expect(await refusal('limit=1001')).toBe(illegal);
		expectViolations(1);
	});

	test('continues even if the record in previousLastId was deleted', async () => {
		const last = (await page('limit=3')).at(-1)?._id ?? '';
		const { campaigns, broadcasts } = emulator.state;
		(name === 'campaign' ? campaigns : broadcasts).delete(last);
		const [next] = await page(`limit=1&previousLastId=${last}`);
		expect(next && next._id < last).toBe(true);
	});

	test('filters by minimum and maximum live date; this excludes drafts, which have no live date', async () => {
		const [from, to] = [timeAfter(-20 * DAY), timeAfter(-10 * DAY)];
		const found = await page(`minLiveDate=${from}&maxLiveDate=${to}&limit=1000`);
		expect(found.length).toBeGreaterThan(0);
		for (const { liveDate = '' } of found) expect(liveDate > from && liveDate < to).toBe(true);
		expect(await refusal('minLiveDate=yesterday')).toBe(illegal);
	});

	test('with onlyApi, returns only records created via this API', async () => {
		expect(await page('onlyApi=true&limit=1000')).toHaveLength(total / 2);
	});

	test('allows the parameter "all" only to Super Users, and not together with onlyApi', async () => {
		await page('all=true');
		expect(await plain.refused(`GET /${name}?all=true`)).toBe(illegal);
		expectViolations(0);
		expect(await refusal('all=true&onlyApi=true')).toBe(illegal);
		expectViolations(1);
	});
});

test('with the parameter "all", includes the campaigns of other users', async () => {
	expect(await ok('GET /campaign?limit=1000')).toHaveLength(250);
	expect(await ok('GET /campaign?limit=1000&all=true')).toHaveLength(257);
	expect(await plain.ok('GET /campaign')).toHaveLength(7);
});

test('filters campaigns by status and category', async () => {
	const found = await ok<Item[]>('GET /campaign?status=4&category=HR&limit=1000');
	expect(found.length).toBeGreaterThan(0);
	for (const item of found) expect(item).toMatchObject({ status: '4', categories: ['HR'] });
	expect(await refused('GET /campaign?status=2')).toBe(illegal);
});
