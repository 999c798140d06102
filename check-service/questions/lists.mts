import { idOf } from '../created.mts';
import { asking, isNew, LARGEST, need, seen, type List, type Probe } from '../probe.mts';

const reads = asking('reads');

const pagedById = ({ name }: List) => name === 'campaign' || name === 'broadcast';
const pagedBySkip = (list: List) => !pagedById(list);

/** Reads the largest page of each list, and the next one. `hasMore`: whether the next one has other records. */
async function pages(probe: Probe) {
	const found = [];
	for (const list of await probe.lists()) {
		const { rows, total = 0 } = await list.page();
		const known = rows.map(idOf);
		if (known.length === 0 || known.length >= LARGEST) continue;
		const more: Record<string, string | number> = { limit: LARGEST };
		if (pagedById(list)) more.previousLastId = known.at(-1) ?? '';
		else more.skip = known.length;
		const others = (await list.page(more)).rows.map(idOf);
		const hasMore = others.some((id) => !known.includes(id));
		found.push({ list, count: known.length, total, hasMore });
	}
	return found;
}

const countsOf = (found: Awaited<ReturnType<typeof pages>>): Record<string, number> =>
	Object.fromEntries(found.map(({ list, count }) => [list.name, count]));

/** Returns the IDs of a list with at least three records, and the function that reads a page of it. */
async function longList(probe: Probe, isFit: (list: List) => boolean) {
	for (const { page } of (await probe.lists()).filter(isFit)) {
		const ids = (await page()).rows.map(idOf);
		if (ids.length >= 3) return { ids, page };
	}
	throw new Error('no list has three records');
}

const isAscending = (texts: string[]): boolean =>
	texts.every((text, n) => text.localeCompare(texts[n - 1] ?? text, 'en') >= 0);

export const listQuestions = {
	pageCap: reads('Does a list return fewer records than asked for?', async (probe) => {
		const caps = countsOf((await pages(probe)).filter(({ hasMore }) => hasMore));
		// Channels have no pages, so only their `total` can tell that some are missing.
		const { rows, total = 0 } = await probe.read('channel.getAll', { ids: [], query: {} });
		if (rows.length > 0 && total > rows.length) caps.channel = rows.length;
		return seen(caps, 'by list, as far as pages and `total` show; templates have neither');
	}),
	listedAtMost: reads('Do all pages together lack records?', async (probe) => {
		const cut = (await pages(probe)).filter(
			({ list, count, total, hasMore }) => pagedBySkip(list) && total > count && !hasMore,
		);
		return seen(countsOf(cut), 'the records of all pages, by list, where `total` counts more');
	}),
	channelListsWithoutEmail: reads('Are people without email listed?', async (probe) => {
		const list = (await probe.lists()).find(({ name }) => name === 'channelRecipient');
		const without = (await list?.page())?.rows.filter(({ email }) => !email) ?? [];
		need(without.length > 0, 'every listed person shows an address');
		return seen(true, `${without.length} in a channel`);
	}),
	emptyList: reads('How does an empty list look?', async (probe) => {
		const call = { query: { minLiveDate: '2199-01-01T00:00:00.000Z' } };
		const { ok, data, rows, said } = await probe.read('campaign.getAll', call);
		need(ok, said);
		if (rows.length > 0) return isNew('some go live after 2199: minLiveDate is ignored');
		if (data === undefined) return seen('absent', 'there is no `data`');
		return seen(data === null ? 'null' : 'array', `\`data\` is ${JSON.stringify(data)}`);
	}),
	totalMeans: reads('What does `total` count?', async (probe) => {
		const list = await longList(probe, pagedBySkip);
		const { total, rows } = await list.page({ limit: 1, skip: 1 });
		if (total === undefined) return seen('absent', 'lists have no `total`');
		const { length } = list.ids;
		const how = `${total} for the second of ${length} records`;
		if (total === rows.length) return seen('page', how);
		if (total === length - 1) return seen('rest', how);
		return total >= length ? seen('all', how) : isNew(how);
	}),
	previousLastIdMeans: reads('Where does the next page begin?', async (probe) => {
		const { ids, page } = await longList(probe, pagedById);
		const [next] = (await page({ limit: 2, previousLastId: ids[1] ?? '' })).rows;
		const value = ['nothing', 'from', 'after'][ids.indexOf(idOf(next))];
		const how = 'at the newest record, with that of previousLastId, or after it';
		return value ? seen(value, how) : isNew('at another record, or none');
	}),
	skipMeans: reads('Does `skip` skip records?', async (probe) => {
		const { ids, page } = await longList(probe, pagedBySkip);
		const [next] = (await page({ limit: 1, skip: 1 })).rows;
		if (next === undefined) return isNew('the page is empty');
		return idOf(next) === ids[0] ? seen('nothing', 'it is ignored') : seen('records', 'yes');
	}),
	recipientGroupOrder: reads('In which order are groups?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		need(groups.length >= 3, 'there are fewer than three groups');
		const ages = groups.map((group) => `${String(group.aDate)} ${idOf(group)}`);
		const found = [
			...(isAscending(ages) ? ['oldestFirst'] : []),
			...(isAscending([...ages].reverse()) ? ['newestFirst'] : []),
			...(isAscending(groups.map(({ name }) => String(name))) ? ['byName'] : []),
		];
		need(found.length < 2, 'age and name give the same order');
		return found[0] ? seen(found[0], 'as listed') : isNew('age and name do not explain it');
	}),
};
