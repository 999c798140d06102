import { isObject } from '../../emulator/server/guards.mts';
import {
	accepted,
	arrived,
	ask,
	decide,
	isNew,
	LARGEST,
	listsOf,
	need,
	seen,
	shown,
	type Check,
	type List,
	type Probe,
	type Survey,
} from '../check.mts';
import { dataOf, idOf, refusalOf, rowsIn, totalOf, type Row } from '../responses.mts';
import type { Call, Exchange } from '../service.mts';

const UNKNOWN_ID = '0'.repeat(24);

const rowsOf = ({ data }: Exchange): Row[] => rowsIn(data);

const pagedById = ({ name }: List) => name === 'campaign' || name === 'broadcast';
const pagedBySkip = (list: List) => !pagedById(list);

/** Reads the page after the largest one. Returns the rows of the largest page, and whether the next one has others. */
async function twoPages(list: List) {
	const page = await list.page();
	const rows = rowsOf(page);
	if (rows.length === 0 || rows.length >= LARGEST) return { page, rows, hasMore: undefined };
	const next: Call['query'] = pagedById(list)
		? { previousLastId: idOf(rows.at(-1)) }
		: { skip: rows.length };
	const known = new Set(rows.map(idOf));
	const more = rowsOf(await list.page({ ...next, limit: LARGEST }));
	return { page, rows, hasMore: more.some((row) => !known.has(idOf(row))) };
}

/** Returns the IDs of a list with at least three records, and the function that reads a page of it. */
async function longList(probe: Probe, isFit: (list: List) => boolean) {
	for (const { page } of (await listsOf(probe)).filter(isFit)) {
		const ids = rowsOf(await page()).map(idOf);
		if (ids.length >= 3) return { ids, page };
	}
	throw new Error('no list has three records');
}

/** Whether texts are in ascending (1) or descending (-1) order. */
const isSorted = (texts: string[], direction: 1 | -1): boolean =>
	texts.every((text, n) => text.localeCompare(texts[n - 1] ?? text, 'en') * direction >= 0);

const listChecks: Check[] = [
	decide('pageCap', 'reads', 'Does a list return fewer records than asked for?', async (probe) => {
		const caps: Record<string, number> = {};
		for (const list of await listsOf(probe)) {
			const { rows, hasMore } = await twoPages(list);
			if (hasMore) caps[list.name] = rows.length;
		}
		// Channels have no pages, so only their `total` can tell that some are missing.
		const channels = await probe.read('channel.getAll');
		const { length } = rowsOf(channels);
		if (length > 0 && (totalOf(channels) ?? 0) > length) caps.channel = length;
		return seen(caps, 'by list, as far as pages and `total` show; templates have neither');
	}),
	decide('listedAtMost', 'reads', 'Do all pages together lack records?', async (probe) => {
		const most: Record<string, number> = {};
		for (const list of (await listsOf(probe)).filter(pagedBySkip)) {
			const { page, rows, hasMore } = await twoPages(list);
			const lacks = (totalOf(page) ?? 0) > rows.length && hasMore === false;
			if (lacks) most[list.name] = rows.length;
		}
		return seen(most, 'the records of all pages, by list, where `total` counts more');
	}),
	decide('channelListsWithoutEmail', 'reads', 'Are people without email listed?', async (probe) => {
		const list = (await listsOf(probe)).find(({ name }) => name === 'channelRecipient');
		const rows = list ? rowsOf(await list.page()) : [];
		const without = rows.filter(({ email }) => typeof email !== 'string' || email === '');
		need(without.length > 0, 'every listed person shows an address');
		return seen(true, `${without.length} of ${rows.length} in a channel`);
	}),
	decide('limitAboveMaximum', 'reads', 'What happens to a limit above 1000?', async (probe) => {
		const query = { limit: LARGEST + 1 };
		const asked = arrived(await probe.read('campaign.getAll', { query }));
		return asked.ok ? seen('clamp', 'it is accepted') : seen('refuse', refusalOf(asked));
	}),
	decide('channelListDefaultLimit', 'reads', 'The default page of a channel?', async (probe) => {
		const ofChannels = (await listsOf(probe)).filter(({ name }) => name.startsWith('channel'));
		for (const { name, page } of ofChannels.reverse()) {
			const [all, some] = [rowsOf(await page()).length, rowsOf(await page({})).length];
			if (some > 0 && some < all) return seen(some, `of ${all} (${name})`);
		}
		throw new Error('no list of a channel is long enough');
	}),
	decide('emptyList', 'reads', 'How does an empty list look?', async (probe) => {
		const query = { minLiveDate: '2199-01-01T00:00:00.000Z' };
		const { data } = accepted(await probe.read('campaign.getAll', { query }));
		if (data === null) return seen('null', '`data` is null');
		if (data === undefined) return seen('absent', 'there is no `data`');
		return Array.isArray(data) && data.length === 0
			? seen('array', '`data` is []')
			: isNew('campaigns that go live after 2199 are not none: minLiveDate is ignored');
	}),
	decide('totalInLists', 'reads', 'Do lists have a `total`?', async (probe) => {
		const list = await probe.read('recipientGroup.getAll', { query: { limit: 100 } });
		return seen(totalOf(accepted(list)) !== undefined, 'groups');
	}),
	decide('totalMeans', 'reads', 'What does `total` count?', async (probe) => {
		const list = await longList(probe, pagedBySkip);
		const page = await list.page({ limit: 1, skip: 1 });
		const total = need(totalOf(page), 'lists have no `total`');
		const { length } = list.ids;
		const how = `${total} for the second of ${length} records`;
		if (total === rowsOf(page).length) return seen('page', how);
		if (total === length - 1) return seen('rest', how);
		return total >= length ? seen('all', how) : isNew(how);
	}),
	decide('previousLastIdMeans', 'reads', 'Where does the next page begin?', async (probe) => {
		const list = await longList(probe, pagedById);
		const [first, second, third] = list.ids;
		const page = await list.page({ limit: 2, previousLastId: second ?? '' });
		const next = idOf(rowsOf(page)[0]);
		if (next === third) return seen('after', 'after the record of previousLastId');
		if (next === second) return seen('from', 'with the record of previousLastId');
		return next === first ? seen('nothing', 'at the newest') : isNew('at another record, or none');
	}),
	decide('skipMeans', 'reads', 'Does `skip` skip records?', async (probe) => {
		const list = await longList(probe, pagedBySkip);
		const [next] = rowsOf(await list.page({ limit: 1, skip: 1 }));
		if (next === undefined) return isNew('the page is empty');
		return idOf(next) === list.ids[0] ? seen('nothing', 'it is ignored') : seen('records', 'yes');
	}),
	decide('recipientGroupOrder', 'reads', 'In which order are groups?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		need(groups.length >= 3, 'there are fewer than three groups');
		const ages = groups.map((group) => `${String(group.aDate)} ${idOf(group)}`);
		const names = groups.map(({ name }) => String(name));
		const found = [
			...(isSorted(ages, 1) ? ['oldestFirst'] : []),
			...(isSorted(ages, -1) ? ['newestFirst'] : []),
			...(isSorted(names, 1) ? ['byName'] : []),
		];
		need(found.length < 2, 'age and name give the same order');
		return found.length === 0
			? isNew('age and name do not explain it')
			: seen(found[0], 'as listed');
	}),
	decide('errorStatusHttp', 'reads', 'Which HTTP status has a failure?', async (probe) => {
		const failure = arrived(await probe.read('campaign.get', { ids: [UNKNOWN_ID] }));
		const { ok, status = 0 } = failure;
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
];

const numbersIn = (row: Row): number[] =>
	Object.keys(row).flatMap((key) => (/^q\.\d+$/.test(key) ? [Number(key.slice(2))] : []));

const isSubmitted = (row: Row) => row.submitted === true;

const hasAnswer = (surveys: Survey[], numberOf: (survey: Survey) => number): boolean =>
	surveys.some((survey) => survey.rows.some((row) => numbersIn(row).includes(numberOf(survey))));

/** Whether answers count from 0 or 1, or undefined if no answer proves it. */
function numberingOf(surveys: Survey[]): 'from0' | 'from1' | undefined {
	if (hasAnswer(surveys, () => 0)) return 'from0';
	// If the numbers start at 1, the last one is the number of questions.
	const last = ({ data }: Survey) => Object.keys(data.questions ?? []).length || -1;
	return hasAnswer(surveys, last) ? 'from1' : undefined;
}

/** Names the form of `questions`, or undefined if no switch has it. */
function formOf(questions: unknown): string | undefined {
	if (questions === undefined) return 'absent';
	if (questions === null) return 'null';
	if (Array.isArray(questions)) {
		if (questions.every(isObject)) return 'list';
		return questions.every((one) => typeof one === 'string') ? 'titles' : undefined;
	}
	if (!isObject(questions)) return undefined;
	return Object.keys(questions).every((key) => /^q\.\d+$/.test(key)) ? 'byKey' : 'byId';
}

const recordChecks: Check[] = [
	decide('questionNumbering', 'reads', 'Do answers count from q.0 or q.1?', async (probe) => {
		const numbering = numberingOf(await probe.surveys());
		const none = 'no answer has the number 0 or that of the last question';
		return seen(need(numbering, none), 'an answer proves it');
	}),
	decide('firstQuestionAnswered', 'reads', 'Is a first question answered?', async (probe) => {
		const surveys = await probe.surveys();
		const isAnswered = surveys.some(({ rows }) => rows.some(isSubmitted));
		need(isAnswered, 'no survey has a submitted response');
		const first = numberingOf(surveys) === 'from1' ? 1 : 0;
		const has = hasAnswer(surveys, () => first);
		return seen(has, 'as far as the numbers show');
	}),
	decide('anonymousRowsNamed', 'reads', 'Do anonymous rows name people?', async (probe) => {
		const anonymous = (await probe.surveys()).filter(({ data }) => data.anonymous === true);
		const rows = anonymous.flatMap((survey) => survey.rows);
		need(rows.length > 0, 'no anonymous survey has a row');
		const names = (row: Row) => Boolean(row.userId ?? row.userEmail ?? row.userDisplayName);
		return seen(rows.some(names), `in ${rows.length} rows`);
	}),
	decide('surveyDataLists', 'reads', 'Does survey data list everybody?', async (probe) => {
		const surveys = await probe.surveys();
		const hasActed = (row: Row) => row.read === true || isSubmitted(row);
		if (surveys.some(({ rows }) => !rows.every(hasActed))) {
			return seen('everybody', 'some rows show that the person did nothing');
		}
		for (const { id, rows } of surveys) {
			const report = dataOf(await probe.read('campaign.getReport', { ids: [id] }));
			const count = Number(report.recipientsAmount);
			if (rows.length < count) return seen('whoActed', `${rows.length} rows, ${count} recipients`);
		}
		throw new Error('every recipient acted, or no report counts them');
	}),
	decide('surveyQuestionsForm', 'reads', 'Which form have `questions`?', async (probe) => {
		const [survey] = await probe.surveys();
		const questions = survey?.data.questions;
		need(!Array.isArray(questions) || questions.length > 0, 'the survey has no question');
		const form = formOf(questions);
		return form === undefined ? isNew(`another: ${typeof questions}`) : seen(form, 'of one survey');
	}),
	decide('leadsTruncated', 'reads', 'Does a group show all its members?', async (probe) => {
		let most = 0;
		for (const group of (await probe.first('recipientGroup')).slice(0, 4)) {
			const read = await probe.read('recipientGroup.get', { ids: [idOf(group)] });
			const { leads, leadsTotal } = dataOf(read);
			if (!Array.isArray(leads) || typeof leadsTotal !== 'number') continue;
			if (leads.length < leadsTotal) return seen(leads.length, `of ${leadsTotal}`);
			most = Math.max(most, leadsTotal);
		}
		need(most >= 2, 'no group has two members');
		return seen(null, `all, up to ${most}`);
	}),
	decide('leadsInLists', 'reads', 'Do groups in a list have `leads`?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		need(groups.length > 0, 'there is no group');
		const has = groups.some((group) => 'leads' in group);
		return seen(has, `in ${groups.length} groups`);
	}),
	decide('extraBroadcastFields', 'reads', 'Do broadcasts show title and text?', async (probe) => {
		const [broadcast] = await probe.first('broadcast');
		const { data } = await probe.read('broadcast.get', { ids: [idOf(broadcast) || 'none'] });
		const shownOne = need(isObject(data) && data, 'no broadcast can be read');
		return seen('title' in shownOne || 'message' in shownOne, 'in the newest one');
	}),
	decide('broadcastStatusCodes', 'reads', 'Codes of scheduled and closed ones?', async (probe) => {
		const codes: Record<string, string> = {};
		for (const { status, liveDate } of await probe.first('broadcast')) {
			if (typeof status !== 'string' || ['0', '1'].includes(status)) continue;
			codes[Date.parse(String(liveDate)) > Date.now() ? 'scheduled' : 'closed'] = status;
		}
		const text = JSON.stringify(codes);
		need('scheduled' in codes && 'closed' in codes, `the list does not show both: ${text}`);
		return seen(codes, 'by their dates');
	}),
	ask('reads', 'How are dates written, and do the clocks agree?', async (probe) => {
		const [campaign] = (await probe.first('campaign')).filter(({ liveDate }) => liveDate);
		const form = String(campaign?.liveDate).replace(/\d/g, '0');
		const { headers, at } = await probe.read('profile.get');
		const seconds = Math.round((Date.parse(headers.date ?? '') - at) / 1000);
		return shown(`${form}; the service's clock differs by ${seconds} s`);
	}),
];

export const readChecks = [...listChecks, ...recordChecks];
