import {
	isNew,
	listReads,
	notSeen,
	seen,
	type Answer,
	type Check,
	type ListRead,
	type Probe,
} from '../check.mts';
import { idOf, refusalOf, rowsOf, totalOf, type Row } from '../responses.mts';

const LARGEST = 1000;

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

/** Channels have no pages, so only their `total` can tell that some are missing. */
async function channelCap(probe: Probe): Promise<number | undefined> {
	const read = await probe.read('channel.getAll');
	const total = totalOf(read) ?? 0;
	const { length } = rowsOf(read);
	return length > 0 && total > length ? length : undefined;
}

/** Returns a list with at least three records, and all of them. */
async function longList(probe: Probe, isFit: (list: ListRead) => boolean) {
	for (const list of (await listReads(probe)).filter(isFit)) {
		const { operationId, ids } = list;
		const all = await probe.read(operationId, { ids, query: { limit: LARGEST } });
		if (rowsOf(all).length >= 3) return { ...list, all: rowsOf(all), total: totalOf(all) };
	}
	return undefined;
}

const TOO_FEW = 'no list has three records';

/** Whether values are in ascending (1) or descending (-1) order. */
function isSorted(values: string[], direction: 1 | -1): boolean {
	return values.every((value, n) => {
		const before = values[n - 1];
		return before === undefined || value.localeCompare(before, 'en') * direction >= 0;
	});
}

const ageOf = (row: Row): string => `${String(row.aDate)} ${idOf(row)}`;

export const listChecks: Check[] = [
	{
		asks: 'Does a list return fewer records than it has and was asked for?',
		decides: 'pageCap',
		needs: 'reads',
		look: async (probe) => {
			const caps: Record<string, number> = {};
			for (const list of await listReads(probe)) {
				const cap = await capOf(probe, list);
				if (cap !== undefined) caps[list.name] = cap;
			}
			const channels = await channelCap(probe);
			if (channels !== undefined) caps.channel = channels;
			const found = Object.entries(caps).map(([name, most]) => `${name} ${most}`);
			// A list of templates has neither pages nor `total`.
			return found.length > 0
				? seen(`Yes, at most: ${found.join(', ')}`, caps)
				: seen('No, as far as pages and `total` show (templates have neither)', {});
		},
	},
	{
		asks: 'What happens to a limit above 1000?',
		decides: 'limitAboveMaximum',
		needs: 'reads',
		look: async (probe) => {
			const asked = await probe.read('campaign.getAll', { query: { limit: LARGEST + 1 } });
			if (asked.status === undefined) return notSeen(asked.message);
			return asked.ok
				? seen('It is accepted', 'clamp')
				: seen(`It is refused with ${refusalOf(asked)}`, 'refuse');
		},
	},
	{
		asks: 'How many records of a channel come without a limit?',
		decides: 'channelListDefaultLimit',
		needs: 'reads',
		look: async (probe) => {
			for (const { name, operationId, ids } of (await listReads(probe)).reverse()) {
				if (ids.length === 0) continue;
				const all = await probe.rows(operationId, { ids, query: { limit: LARGEST } });
				const some = await probe.rows(operationId, { ids });
				if (some.length === 0 || some.length >= all.length) continue;
				return seen(`${some.length} of ${all.length} (${name})`, some.length);
			}
			return notSeen('no list of a channel is long enough');
		},
	},
	{
		asks: 'How does an empty list look?',
		decides: 'emptyList',
		needs: 'reads',
		look: async (probe) => {
			const query = { minLiveDate: '2199-01-01T00:00:00.000Z' };
			const { ok, data, ...rest } = await probe.read('campaign.getAll', { query });
			if (!ok) return notSeen(`the list was refused: ${refusalOf({ ok, data, ...rest })}`);
			if (data === null) return seen('`data` is null', 'null');
			if (data === undefined) return seen('There is no `data`', 'absent');
			if (!Array.isArray(data)) return isNew(`\`data\` is of the type ${typeof data}`);
			return data.length === 0
				? seen('`data` is []', 'array')
				: isNew('The service ignores minLiveDate: a campaign is listed that goes live after 2199');
		},
	},
	{
		asks: 'Do lists have a `total`?',
		decides: 'totalInLists',
		needs: 'reads',
		look: async (probe) => {
			const list = await probe.read('recipientGroup.getAll', { query: { limit: 100 } });
			if (!list.ok) return notSeen(`the list of groups was refused: ${refusalOf(list)}`);
			const has = totalOf(list) !== undefined;
			return seen(has ? 'Groups do' : 'Groups do not', has);
		},
	},
	{
		asks: 'What does `total` count?',
		decides: 'totalMeans',
		needs: 'reads',
		look: async (probe) => {
			const list = await longList(probe, (one) => !pagedById(one));
			if (!list) return notSeen(TOO_FEW);
			const { operationId, ids, all } = list;
			const page = await probe.read(operationId, { ids, query: { limit: 1, skip: 1 } });
			const total = totalOf(page);
			if (total === undefined) return notSeen('lists have no `total`');
			const meanings: Record<number, [string, string]> = {
				[all.length]: ['All records', 'all'],
				[rowsOf(page).length]: ['The records of the page', 'page'],
				[all.length - 1]: ['The records from this page on', 'rest'],
			};
			const [sentence, value] = meanings[total] ?? [];
			if (value !== undefined) return seen(sentence ?? '', value);
			return total > all.length
				? seen('More records than the list returns, so probably all', 'all')
				: isNew(`It is ${total} for ${all.length} records`);
		},
	},
	{
		asks: 'Where does the page after `previousLastId` begin?',
		decides: 'previousLastIdMeans',
		needs: 'reads',
		look: async (probe) => {
			const list = await longList(probe, pagedById);
			if (!list) return notSeen(TOO_FEW);
			const { operationId, ids, all } = list;
			const [first, second, third] = all.map(idOf);
			const query = { limit: 2, previousLastId: second ?? '' };
			const [next] = (await probe.rows(operationId, { ids, query })).map(idOf);
			if (next === third) return seen('After this record', 'after');
			if (next === second) return seen('With this record', 'from');
			if (next === first) return seen('At the newest record: it is ignored', 'nothing');
			return next === undefined ? isNew('It is empty') : isNew('At another record');
		},
	},
	{
		asks: 'Does `skip` skip records?',
		decides: 'skipMeans',
		needs: 'reads',
		look: async (probe) => {
			const list = await longList(probe, (one) => !pagedById(one));
			if (!list) return notSeen(TOO_FEW);
			const { operationId, ids, all } = list;
			const [next] = await probe.rows(operationId, { ids, query: { limit: 1, skip: 1 } });
			if (next === undefined) return isNew('The page is empty');
			return idOf(next) === idOf(all[0])
				? seen('No, it is ignored', 'nothing')
				: seen('Yes', 'records');
		},
	},
	{
		asks: 'In which order are recipient groups?',
		decides: 'recipientGroupOrder',
		needs: 'reads',
		look: async (probe) => {
			const groups = await probe.groups();
			if (groups.length < 3) return notSeen('there are fewer than three groups');
			const orders = {
				oldestFirst: isSorted(groups.map(ageOf), 1),
				newestFirst: isSorted(groups.map(ageOf), -1),
				byName: isSorted(
					groups.map(({ name }) => String(name)),
					1,
				),
			};
			const found = Object.entries(orders).filter(([, is]) => is);
			const [only, other] = found.map(([order]) => order);
			if (other !== undefined)
				return notSeen(`it could be ${found.map(([one]) => one).join(' or ')}`);
			return only === undefined ? isNew('In none that age or name explain') : seen(only, only);
		},
	},
	{
		asks: 'Which HTTP status has a failure?',
		decides: 'errorStatusHttp',
		needs: 'reads',
		look: async (probe) => {
			const exchange = await probe.read('campaign.get', { ids: ['0'.repeat(24)] });
			if (exchange.ok) return isNew('An ID that does not exist is no failure');
			if (exchange.status === undefined) return notSeen(exchange.message);
			const sentence = refusalOf(exchange);
			return [200, 400].includes(exchange.status)
				? seen(sentence, exchange.status)
				: isNew(sentence);
		},
	},
	...(['campaign', 'broadcast', 'recipientGroup', 'channel'] as const).map(
		(resource): Check => ({
			asks: `How does the service refuse an unknown ID (${resource})?`,
			needs: 'reads',
			look: async (probe) => {
				const exchange = await probe.read(`${resource}.get`, { ids: ['0'.repeat(24)] });
				return exchange.ok ? isNew('It is accepted') : seen(refusalOf(exchange));
			},
		}),
	),
	{
		asks: 'How does the service refuse a wrong limit and a wrong date?',
		needs: 'reads',
		look: async (probe): Promise<Answer> => {
			const wrong: Query[] = [{ limit: 'x' }, { minLiveDate: 'yesterday' }];
			const answers: string[] = [];
			for (const query of wrong) {
				const exchange = await probe.read('campaign.getAll', { query });
				answers.push(exchange.ok ? 'accepted' : refusalOf(exchange));
			}
			return seen(answers.join('; '));
		},
	},
];
