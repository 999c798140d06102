import { ask, decide, isNew, listReads, notSeen, seen, shown } from '../check.mts';
import type { Check, ListRead, Probe } from '../check.mts';
import { idOf, refusalOf, rowsOf, totalOf, type Row } from '../responses.mts';

const LARGEST = 1000;
const UNKNOWN_ID = '0'.repeat(24);

type Query = Record<string, string | number>;

const pagedById = ({ name }: ListRead) => name === 'campaign' || name === 'broadcast';

/** Returns the most records that a list returned although it has more, or undefined. */
async function capOf(probe: Probe, list: ListRead): Promise<number | undefined> {
	const { operationId, ids } = list;
	const page = await probe.rows(operationId, { ids, query: { limit: LARGEST } });
	if (page.length === 0 || page.length >= LARGEST) return undefined;
	const rest: Query = pagedById(list)
		? { previousLastId: idOf(page.at(-1)), limit: LARGEST }
		: { skip: page.length, limit: LARGEST };
	const next = await probe.rows(operationId, { ids, query: rest });
	const known = new Set(page.map(idOf));
	return next.some((row) => !known.has(idOf(row))) ? page.length : undefined;
}

/** Returns how many records all pages of a list have together, if its `total` counts more. */
async function listedOf(probe: Probe, { operationId, ids }: ListRead): Promise<number | undefined> {
	const page = await probe.read(operationId, { ids, query: { limit: LARGEST } });
	const { length } = rowsOf(page);
	if (length === 0 || (totalOf(page) ?? 0) <= length) return undefined;
	const next = await probe.rows(operationId, { ids, query: { skip: length, limit: LARGEST } });
	const known = new Set(rowsOf(page).map(idOf));
	return next.every((row) => known.has(idOf(row))) ? length : undefined;
}

/** Returns the IDs of a list with at least three records, and a function that reads a page of it. */
async function longList(probe: Probe, isFit: (list: ListRead) => boolean) {
	for (const { operationId, ids } of (await listReads(probe)).filter(isFit)) {
		const page = async (query: Query) => await probe.read(operationId, { ids, query });
		const all = rowsOf(await page({ limit: LARGEST })).map(idOf);
		if (all.length >= 3) return { all, page };
	}
	return undefined;
}

const TOO_FEW = notSeen('no list has three records');

/** Whether texts are in ascending (1) or descending (-1) order. */
const isSorted = (texts: string[], direction: 1 | -1): boolean =>
	texts.every((text, n) => text.localeCompare(texts[n - 1] ?? text, 'en') * direction >= 0);

const ageOf = (row: Row): string => `${String(row.aDate)} ${idOf(row)}`;

export const listChecks: Check[] = [
	decide('pageCap', 'reads', 'Does a list return fewer records than asked for?', async (probe) => {
		const caps: Record<string, number> = {};
		for (const list of await listReads(probe)) {
			const cap = await capOf(probe, list);
			if (cap !== undefined) caps[list.name] = cap;
		}
		// Channels have no pages, so only their `total` can tell that some are missing.
		const channels = await probe.read('channel.getAll');
		const { length } = rowsOf(channels);
		if (length > 0 && (totalOf(channels) ?? 0) > length) caps.channel = length;
		return seen(
			caps,
			'the most, by list, as far as pages and `total` show; templates have neither',
		);
	}),
	decide('listedAtMost', 'reads', 'Do all pages together lack records?', async (probe) => {
		const most: Record<string, number> = {};
		for (const list of (await listReads(probe)).filter((one) => !pagedById(one))) {
			const listed = await listedOf(probe, list);
			if (listed !== undefined) most[list.name] = listed;
		}
		return seen(most, 'the records of all pages, by list, where `total` counts more');
	}),
	decide('channelListsWithoutEmail', 'reads', 'Are people without email listed?', async (probe) => {
		const list = (await listReads(probe)).find(({ name }) => name === 'channelRecipient');
		const query = { limit: LARGEST };
		const rows = list ? await probe.rows(list.operationId, { ids: list.ids, query }) : [];
		const without = rows.filter(({ email }) => typeof email !== 'string' || email === '');
		if (without.length === 0) return notSeen('every listed person shows an address');
		return seen(true, `${without.length} of ${rows.length} in a channel`);
	}),
	decide('limitAboveMaximum', 'reads', 'What happens to a limit above 1000?', async (probe) => {
		const asked = await probe.read('campaign.getAll', { query: { limit: LARGEST + 1 } });
		if (asked.status === undefined) return notSeen(asked.message);
		return asked.ok ? seen('clamp', 'it is accepted') : seen('refuse', refusalOf(asked));
	}),
	decide(
		'channelListDefaultLimit',
		'reads',
		'How many records of a channel come without a limit?',
		async (probe) => {
			for (const { name, operationId, ids } of (await listReads(probe)).reverse()) {
				const all = await probe.rows(operationId, { ids, query: { limit: LARGEST } });
				const some = ids.length === 0 ? [] : await probe.rows(operationId, { ids });
				if (some.length === 0 || some.length >= all.length) continue;
				return seen(some.length, `of ${all.length} (${name})`);
			}
			return notSeen('no list of a channel is long enough');
		},
	),
	decide('emptyList', 'reads', 'How does an empty list look?', async (probe) => {
		const query = { minLiveDate: '2199-01-01T00:00:00.000Z' };
		const list = await probe.read('campaign.getAll', { query });
		if (!list.ok) return notSeen(refusalOf(list));
		const { data } = list;
		if (data === null) return seen('null', '`data` is null');
		if (data === undefined) return seen('absent', 'there is no `data`');
		return Array.isArray(data) && data.length === 0
			? seen('array', '`data` is []')
			: isNew('campaigns that go live after 2199 are not none: minLiveDate is ignored');
	}),
	decide('totalInLists', 'reads', 'Do lists have a `total`?', async (probe) => {
		const list = await probe.read('recipientGroup.getAll', { query: { limit: 100 } });
		return list.ok ? seen(totalOf(list) !== undefined, 'groups') : notSeen(refusalOf(list));
	}),
	decide('totalMeans', 'reads', 'What does `total` count?', async (probe) => {
		const list = await longList(probe, (one) => !pagedById(one));
		if (!list) return TOO_FEW;
		const page = await list.page({ limit: 1, skip: 1 });
		const total = totalOf(page);
		const { length } = list.all;
		const how = `${total} for the second of ${length} records`;
		if (total === undefined) return notSeen('lists have no `total`');
		if (total === rowsOf(page).length) return seen('page', how);
		if (total === length - 1) return seen('rest', how);
		return total >= length ? seen('all', how) : isNew(how);
	}),
	decide('previousLastIdMeans', 'reads', 'Where does the next page begin?', async (probe) => {
		const list = await longList(probe, pagedById);
		if (!list) return TOO_FEW;
		const [first, second, third] = list.all;
		const page = await list.page({ limit: 2, previousLastId: second ?? '' });
		const next = idOf(rowsOf(page)[0]);
		if (next === third) return seen('after', 'after the record of previousLastId');
		if (next === second) return seen('from', 'with the record of previousLastId');
		return next === first ? seen('nothing', 'at the newest') : isNew('at another record, or none');
	}),
	decide('skipMeans', 'reads', 'Does `skip` skip records?', async (probe) => {
		const list = await longList(probe, (one) => !pagedById(one));
		if (!list) return TOO_FEW;
		const [next] = rowsOf(await list.page({ limit: 1, skip: 1 }));
		if (next === undefined) return isNew('the page is empty');
		return idOf(next) === list.all[0] ? seen('nothing', 'it is ignored') : seen('records', 'yes');
	}),
	decide('recipientGroupOrder', 'reads', 'In which order are groups?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		if (groups.length < 3) return notSeen('there are fewer than three groups');
		const ages = groups.map(ageOf);
		const orders = {
			oldestFirst: isSorted(ages, 1),
			newestFirst: isSorted(ages, -1),
			byName: isSorted(
				groups.map(({ name }) => String(name)),
				1,
			),
		};
		const [order, other] = Object.entries(orders).flatMap(([one, is]) => (is ? [one] : []));
		if (other !== undefined) return notSeen('age and name give the same order');
		return order === undefined ? isNew('age and name do not explain it') : seen(order, 'as listed');
	}),
	decide('errorStatusHttp', 'reads', 'Which HTTP status has a failure?', async (probe) => {
		const failure = await probe.read('campaign.get', { ids: [UNKNOWN_ID] });
		const { ok, status } = failure;
		if (status === undefined) return notSeen(failure.message);
		const isKnown = !ok && [200, 400].includes(status);
		return isKnown ? seen(status, refusalOf(failure)) : isNew(refusalOf(failure));
	}),
	ask('reads', 'How are unknown IDs refused?', async (probe) => {
		const answers: string[] = [];
		for (const resource of ['campaign', 'broadcast', 'recipientGroup', 'channel']) {
			const refused = await probe.read(`${resource}.get`, { ids: [UNKNOWN_ID] });
			answers.push(`${resource}: ${refused.ok ? 'accepted' : refusalOf(refused)}`);
		}
		return shown(answers.join('; '));
	}),
	ask('reads', 'How are a wrong limit and a wrong date refused?', async (probe) => {
		const answers: string[] = [];
		for (const query of [{ limit: 'x' }, { minLiveDate: 'yesterday' }] as Query[]) {
			const refused = await probe.read('campaign.getAll', { query });
			answers.push(refused.ok ? 'accepted' : refusalOf(refused));
		}
		return shown(answers.join('; '));
	}),
];
