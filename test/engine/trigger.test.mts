import { readFile } from 'node:fs/promises';

import type { IDataObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { advanceClock, resetClock, useFakeSleep } from '../kit/fakeSleep.mts';
import {
	isVersion2,
	schedulings,
	TriggerHost,
	type HostOptions,
	type Scheduling,
} from '../kit/poll.mts';
import { watchLog } from '../kit/log.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

// What the trigger emits in random histories, triggerModel tells; here is what a person sees.
useFakeSleep();
const service = useService({
	...{ seed: 7, people: 40, campaigns: 6, surveys: 2, anonymousSurveys: 1, responsesPerSurvey: 5 },
});

const log = watchLog();

const SURVEY_DATA = '/int/v1/campaign/:id/surveyData';
let hosts = 0;
let responses = 0;

/** Returns the ID of a seeded survey. Surveys are numbered from the oldest: 0 and 1 show names, 2 is anonymous. */
function survey(number = 0): string {
	const surveys = [...service.emulator.state.campaigns.values()].filter(({ survey }) => survey);
	return required(surveys[number], `survey ${number}`)._id;
}

function trigger(
	parameters: INodeParameters = {},
	options: Partial<HostOptions> = {},
): TriggerHost {
	return new TriggerHost({
		credential: service.accessKey,
		parameters: { events: ['surveySubmitted'], campaignIds: [survey()], ...parameters },
		workflowId: `trigger ${++hosts}`,
		...options,
	});
}

/** Submits a response with a unique text to a survey. Returns the text. */
function respond(
	campaignId = survey(),
	more: Parameters<typeof service.emulator.submitResponse>[1] = {},
): string {
	const text = `Response ${++responses}`;
	service.emulator.submitResponse(campaignId, { answers: { 'Why?': text }, ...more });
	return text;
}

const texts = (items: IDataObject[]): unknown[] =>
	items.map(({ answers }) => (answers as IDataObject)['Why?']);

const ok = (data: unknown): IDataObject => ({
	...{ statusCode: 200, headers: {} },
	body: parseAs<IDataObject>(JSON.stringify({ success: true, data })),
});

/** Responds to each request for survey data with these rows, and to others with an empty list. */
const serve =
	(rows: (id: string) => IDataObject[] | undefined, more: IDataObject = {}) =>
	({ url }: IHttpRequestOptions) => {
		const [, id] = /(\w+)\/surveyData$/.exec(url) ?? [];
		return ok(id ? { anonymous: false, questions: [], ...more, result: rows(id) } : []);
	};

/** Watches surveys whose rows the test changes, and notes which are read. What else their data has comes from `data`. */
async function watchRows(
	parameters: INodeParameters = {},
	data: IDataObject = {},
	first: IDataObject[] = [],
) {
	const rows: { a: IDataObject[]; b: IDataObject[] } = { a: first, b: [] };
	const host = trigger({ campaignIds: ['a'], ...parameters });
	const reads: string[] = [];
	host.options.respond = serve((id) => {
		reads.push(id);
		return id === 'b' ? rows.b : rows.a;
	}, data);
	await host.activate();
	return { host, rows, reads };
}

/** The setting with which every poll reads every survey. */
const ALWAYS = { options: { maxReadGapMinutes: 0 } };

/** Returns how many surveys are read meanwhile. */
async function readsDuring(work: () => Promise<void>): Promise<number> {
	service.emulator.clearRequests();
	await work();
	return service.emulator.requestCount('GET', SURVEY_DATA);
}

test('emits each new response once, in the documented form', async () => {
	const host = trigger();
	await host.activate();
	const text = respond(survey(), { responseDuration: 42 });
	respond(survey(1));
	await host.poll();
	await host.poll();
	const titles = ['How do you feel?', 'Would you recommend us?', 'What do you like?'];
	const unanswered = [...titles, 'How satisfied are you?'].map((title) => [title, null]);
	const item = {
		event: 'surveySubmitted',
		campaignId: survey(),
		campaignName: 'Survey 1',
		anonymous: false,
		userId: expect.any(String),
		userDisplayName: expect.any(String),
		userEmail: expect.any(String),
		submittedDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		responseDuration: 42,
		answers: { ...(Object.fromEntries(unanswered) as IDataObject), 'Why?': text },
	};
	expect(host.executions).toEqual([[item]]);
	expect(Object.keys(host.items[0] ?? {})).toEqual(Object.keys(item));
});

test.each<[INodeParameters, string]>([
	[{ events: ['deleted'] }, 'Events must be surveySubmitted, campaignResponded, campaignRead or'],
	[{ events: [] }, 'Events is empty'],
	[{ campaignIds: [] }, 'Survey Names or IDs is empty'],
	[{ watch: 'some' }, 'Watch must be all or selected: it is "some"'],
	[{ watch: 'All' }, 'Watch must be "all", not "All"'],
	[{ output: 'list' }, 'Output must be raw, simplified or table'],
	[{ options: { emitExisting: 'maybe' } }, 'Emit Existing must be on or off'],
	[{ options: { maxReadGapMinutes: -1 } }, 'Max Read Gap (Minutes) must be'],
	[{ watch: 'all', filters: { liveWithinDays: 'few' } }, 'Live Within Days must be'],
	[{ watch: 'all', filters: { liveWithinDays: 0 } }, 'Live Within Days must be'],
	[{ watch: 'all', filters: { category: '={{ undefined }}' } }, 'Category has no value'],
	[{ watch: 'all', filters: { scope: '={{ undefined }}' } }, 'Scope must be'],
	[{ output: '={{ undefined }}' }, 'Output must be'],
	[{ watch: 'all', filters: { category: {} } }, 'Category must be text'],
	[{ watch: 'all', filters: { scope: '' } }, 'Scope must be'],
])('sends nothing with the wrong setting %j', async (parameters, message) => {
	await expect(trigger(parameters).activate()).rejects.toThrow(message);
	expect(service.requests).toEqual([]);
});

test('reads all pages of the list with the filters, and accepts choices in upper or lower case', async () => {
	service.emulator.switches.pageCap.campaign = 2;
	const filters = { category: 'Culture ', scope: 'onlyApi', liveWithinDays: '30' };
	const watch = '={{ "ALL" }}';
	const host = trigger({ events: 'SurveySubmitted; campaignRead', watch, filters });
	await host.activate();
	const lists = service.requests.filter(({ path }) => path === '/int/v1/campaign');
	expect(lists.length).toBeGreaterThan(1);
	const minLiveDate = expect.any(String);
	const query = { limit: '1000', category: 'Culture', onlyApi: 'true', minLiveDate };
	expect(lists[0]?.query).toEqual(query);
	expect(lists[0]?.query.minLiveDate).toBe('1970-01-01T00:00:00.000Z');
	const text = respond(survey(2));
	service.emulator.clearRequests();
	await host.poll();
	expect(texts(host.items)).toEqual([text, text]);
	const from = Date.parse(String(service.requests[0]?.query.minLiveDate));
	expect(Math.abs(Date.now() - 30 * 86_400_000 - from)).toBeLessThan(60_000);
});

test.each([
	['recipients', 10_001, 1],
	['rows', 0, 20_000],
])('reads four surveys at once, but only one with many %s', async (_, recipientAmount, length) => {
	const campaignIds = ['large1', 'large2', 'small1', 'small2', 'small3', 'small4'];
	const reading: string[] = [];
	const most = { all: 0, large: 0 };
	const result = Array.from({ length }, (_, userId) => ({ submitted: true, userId }));
	const isLarge = (id = '') => id.startsWith('large');
	const host = trigger({ campaignIds });
	host.options.respond = async ({ url }) => {
		const [, id] = /(\w+)\/surveyData/.exec(url) ?? [];
		if (!id)
			return ok(campaignIds.map((_id) => ({ _id, ...(isLarge(_id) && { recipientAmount }) })));
		reading.push(id);
		most.all = Math.max(most.all, reading.length);
		most.large = Math.max(most.large, reading.filter((each) => isLarge(each)).length);
		await new Promise(setImmediate);
		reading.splice(reading.indexOf(id), 1);
		return ok({ anonymous: false, questions: [], result: isLarge(id) ? result : [] });
	};
	await host.activate();
	// The number of rows is known only after the first read.
	most.large = 0;
	await host.poll();
	expect(most).toEqual({ all: 4, large: 1 });
});

test('reads 300 quiet campaigns evenly, and none less often than the gap', async () => {
	const campaignIds = Array.from({ length: 300 }, (_, number) => `quiet${number}`);
	const readAt = new Map<string, number>();
	const host = trigger({ campaignIds });
	host.options.respond = (request) => {
		if (request.url.endsWith('/surveyData')) readAt.set(request.url, Date.now());
		return serve(() => [])(request);
	};
	// A time of the last news that lies in the future counts as none.
	advanceClock(1e10);
	await host.activate();
	advanceClock(-1e10);
	// Without news for long, the gap is as long as it may be.
	for (let day = 0; day < 2; day++) await host.poll().finally(() => advanceClock(86_400_000));
	for (let minute = 0; minute < 12; minute++) {
		const begun = Date.now();
		await host.poll();
		const reads = [...readAt.values()];
		if (minute > 0) expect(reads.filter((at) => at >= begun).length).toBeLessThan(2 * 60);
		for (const at of reads) expect(begun - at).toBeLessThan(330_000);
		advanceClock(60_000);
	}
});

test('reads some campaigns although more are due than a poll may emit items', async () => {
	const host = trigger({ watch: 'all' });
	const campaigns = Array.from({ length: 10_050 }, (_, n) => ({ _id: `c${n}`, status: '1' }));
	// This response ends the reads of the poll, so that the test is short.
	const refusal = { statusCode: 429, headers: {}, body: { success: false, message: 'Slow down' } };
	host.options.respond = (request) => {
		if (request.url.endsWith('/surveyData')) return refusal;
		return ok(request.qs?.previousLastId === undefined ? campaigns : []);
	};
	await expect(host.activate()).rejects.toThrow('Slow down');
});

const UNKNOWN = ['0'.repeat(24), '1'.repeat(24)] as const;

test.each(schedulings)(
	'publishing names each campaign that cannot be read, or is not a survey: %s',
	async (scheduling) => {
		const all = [...service.emulator.state.campaigns.values()];
		const other = first(all.filter((each) => !each.survey));
		const parameters = {
			campaignIds: [UNKNOWN[0], survey(), other._id, UNKNOWN[1]],
			options: { emitExisting: true },
		};
		const host = trigger(parameters, { scheduling });
		const missing = "does not exist or is not shared with the key's owner";
		const problems = UNKNOWN.map((id) => `"${id}" ${missing}`);
		const notSurvey = `"${other.name}" is not a survey`;
		await expect(host.activate()).rejects.toMatchObject({
			message: expect.stringMatching(problems.join('.*')),
			description: expect.stringContaining('Not Found.'),
		});
		await expect(host.activate()).rejects.toThrow(notSurvey);
		expect(host.items).toEqual([]);
		// A restart and a change of the leader do not fail, and name them in n8n's log.
		log.clear();
		await host.restart();
		expect(log.lines.flat().sort()).toEqual([
			`Campaign ${other._id} is not a survey`,
			...UNKNOWN.map((id) => expect.stringContaining(`“${id}” does not exist`)),
		]);
		await host.activate('leadershipChange');
		const text = respond();
		// If n8n loads the workflow for each poll, one poll fails.
		for (let poll = 0; poll < 2; poll++) await host.poll().catch(() => {});
		expect(texts(host.items).slice(5)).toEqual([text]);
		await expect(host.activate('update')).rejects.toThrow(notSurvey);
	},
);

test('a campaign on the list whose responses are refused stops publishing, too', async () => {
	const host = trigger();
	await host.activate();
	const text = respond();
	host.options.parameters.campaignIds = [survey(), survey(1)];
	const path = `/campaign/${survey(1)}/surveyData`;
	const stop = service.emulator.faults.on(path, { refuse: 'Forbidden' }, { times: Infinity });
	const message = '"Survey 2" does not show its responses';
	await expect(host.activate('update')).rejects.toThrow(message);
	await trigger({ campaignIds: [survey(), survey(1)] }).activate('init');
	expect(log.lines.at(-1)).toEqual([expect.stringContaining('“Survey 2” could not be read')]);
	// So does one that no list shows.
	const showLists = service.emulator.faults.on(
		'GET /campaign',
		{ status: 403 },
		{ times: Infinity },
	);
	const { campaignIds } = host.options.parameters;
	await expect(trigger({ campaignIds }).activate()).rejects.toThrow(message);
	showLists();
	stop();
	// What the failed publication found comes now.
	await host.activate('update');
	expect(texts(host.items)).toEqual([text]);
});

test('a survey that was read before and is refused now is named once a day', async () => {
	const gone = survey(1);
	const host = trigger({ campaignIds: [survey(), gone] });
	await host.activate();
	service.emulator.state.campaigns.delete(gone);
	log.clear();
	const text = respond();
	await host.activate('update');
	for (let hour = 0; hour < 30; hour++) await host.poll().finally(() => advanceClock(3_600_000));
	expect(texts(host.items)).toEqual([text]);
	const line = `Campaign “Survey 2” does not exist or is not shared with the key's owner: Not Found. (remove it from Survey Names or IDs)`;
	expect(log.lines).toEqual([[line], [line]]);
	// If nothing else is watched, the poll fails, but no restart.
	host.options.parameters.campaignIds = [gone];
	const message = "does not exist or is not shared with the key's owner";
	const description = expect.stringContaining('Remove');
	const error = { message: `"Survey 2" ${message}`, description };
	await expect(host.poll()).rejects.toMatchObject(error);
	await host.activate('init');
	await expect(host.poll()).rejects.toThrow(`"${gone}" ${message}`);
	resetClock();
});

test('the items of a poll are in the order of their dates', async () => {
	const { host, rows } = await watchRows({ campaignIds: ['a', 'b'] });
	const row = (day: number) => ({
		...{ userId: day, submitted: true },
		submittedDate: `2126-01-0${day}`,
	});
	// Two people answered on one account. A response without a date comes first.
	Object.assign(rows, {
		a: [5, 3, 3, 2].map(row),
		b: [...[4, 1].map(row), { userId: 6, submitted: true }],
	});
	await host.poll();
	expect(host.items.map(({ userId }) => userId)).toEqual([6, 1, 2, 3, 4, 5]);
});

test('of rows that the first read lacks, those dated up to five minutes before it are events', async () => {
	const rows: IDataObject[] = [];
	const host = trigger({ campaignIds: ['a'], options: { maxReadGapMinutes: 0 } });
	// By the service's clock, an hour behind n8n's.
	const begun = Date.now() - 3_600_000;
	const headers = { date: new Date(begun).toUTCString() };
	host.options.respond = (request) => ({ ...serve(() => rows)(request), headers });
	await host.activate();
	for (const userId of [6, 4, -1])
		rows.push({ userId, submitted: true, submittedDate: begun - userId * 60_000 });
	await host.poll();
	expect(host.items.map(({ userId }) => userId)).toEqual([4, -1]);
});

test('an event that is selected again counts as added and is read at once, even if no poll read the survey meanwhile', async () => {
	const { host, rows, reads } = await watchRows({ events: ['surveySubmitted', 'campaignRead'] });
	const publish = async (...events: string[]) => {
		host.options.parameters.events = events;
		reads.length = 0;
		await host.activate('update');
		return reads;
	};
	// A quiet survey is not due.
	advanceClock(36_000_000);
	await host.poll();
	expect(await publish('surveySubmitted')).toEqual([]);
	rows.a.push({ userId: 1, read: true });
	expect(await publish('surveySubmitted', 'campaignRead')).toEqual(['a']);
	advanceClock(360_000);
	await host.poll();
	expect(host.items).toEqual([]);
	resetClock();
});

test('what a poll has no room for comes with the next one, and the closing after it', async () => {
	const sent = watchAll();
	const [survey, other] = ['large', 'other'].map((id) => sent.send(id, 1)) as [Sent, Sent];
	sent.host.options.parameters.events = ['surveySubmitted', 'surveyClosed'];
	await sent.host.activate();
	for (let person = 0; person < 10_005; person++) sent.answer(survey);
	sent.answer(other);
	survey.isClosed = true;
	for (let polls = 0; polls < 4; polls++) await sent.pollAfter(1 / 1440);
	const { items, executions } = sent.host;
	expect(executions[0]).toHaveLength(9_998);
	expect(new Set(items.map(({ userId }) => userId)).size).toBe(10_007);
	expect([items.length, items.at(-1)?.event]).toEqual([10_007, 'surveyClosed']);
	resetClock();
});

test.each([true, false])(
	'a survey that was anonymous (%s) and changes counts as added, unless a response does not say it',
	async (anonymous) => {
		const survey: { anonymous?: boolean } = { anonymous };
		const { host, rows } = await watchRows(ALWAYS, survey, [{ userId: 1, submitted: true }]);
		survey.anonymous = !anonymous;
		await host.poll();
		expect(host.items).toEqual([]);
		rows.a.push({ userId: 2, submitted: true });
		await host.poll();
		expect(host.items).toHaveLength(1);
		survey.anonymous = undefined;
		rows.a.push({ userId: 3, submitted: true });
		await host.poll();
		expect(host.items.map(({ userId }) => userId)).toEqual(anonymous ? [2, 3] : [null, null]);
	},
);

test.each([1, undefined])(
	'a person first opens, then answers, then submits (user ID %s)',
	async (userId) => {
		const events = ['surveySubmitted', 'campaignResponded', 'campaignRead'];
		const { host, rows } = await watchRows({ ...ALWAYS, events });
		const all = { read: true, responseSubmitted: true, submitted: true };
		const date = { submittedDate: '2126-01-31' };
		// The rows of one person have the same date, and the last event comes first.
		rows.a.push({ userId, submitted: true, ...date }, { userId, ...all, ...date });
		await host.poll();
		const told = (items: IDataObject[]) => [...new Set(items.map(({ event }) => event))];
		const inOrder = ['campaignRead', 'campaignResponded', 'surveySubmitted'];
		expect(told(host.items)).toEqual(inOrder);
		rows.a.shift();
		expect(told(await host.sample())).toEqual(inOrder);
	},
);

test.each([
	[' Live', 'CLOSED'],
	[1, 3],
])(
	'reads the statuses %j and %j, and the closing follows the last response',
	async (live, closed) => {
		let status = live;
		const rows: IDataObject[] = [];
		const host = trigger({ campaignIds: ['a'], events: ['surveyClosed', 'surveySubmitted'] });
		host.options.respond = (request) =>
			request.url.endsWith('/campaign') ? ok([{ _id: 'a', status }]) : serve(() => rows)(request);
		await host.activate();
		status = closed;
		rows.push({ userId: 1, submitted: true, submittedDate: '2126-01-31' });
		await host.poll();
		expect(host.items.map(({ event }) => event)).toEqual(['surveySubmitted', 'surveyClosed']);
		expect(log.lines.at(-1)).toEqual([expect.stringContaining('its report has no number')]);
	},
);

test('what a poll finds while the workflow is published comes once', async () => {
	const { host, rows } = await watchRows(ALWAYS);
	rows.a.push({ userId: 1, submitted: true });
	let isPublished = false;
	host.options.respond = async (request) => {
		if (!isPublished) {
			isPublished = true;
			// n8n 2 discards the items of the poll that is running, and n8n 1 emits them.
			await host.activate('update');
		}
		return serve(() => rows.a)(request);
	};
	await host.poll();
	await host.poll();
	expect(host.items).toHaveLength(1);
});

test('triggers that poll at the same time do not wait for each other', async () => {
	const workflowId = `trigger ${++hosts}`;
	const ofWorkflow = ['1', '2'].map((id) => trigger({}, { workflowId, node: { id } }));
	const all = [...ofWorkflow, trigger({}, { node: { id: '1' } })];
	await Promise.all(all.map(async (host) => await host.activate()));
	const text = respond();
	await Promise.all(all.map(async (host) => await host.poll()));
	expect(all.map(({ items }) => texts(items))).toEqual([[text], [text], [text]]);
});

const onVersion1 = isVersion2 ? test.skip : test;
onVersion1('a workflow that was loaded just before a poll ended repeats nothing', async () => {
	const host = trigger();
	await host.activate();
	respond();
	const { staticData } = host.database;
	await host.poll();
	host.database.staticData = staticData;
	host.kill(false);
	await host.activate('update');
	expect(host.items).toHaveLength(1);
});

test('the first poll after a change of the leader reads every survey', async () => {
	const host = trigger();
	await host.activate();
	advanceClock(36_000_000);
	const pollAMinuteLater = async () => {
		advanceClock(60_000);
		await host.poll();
	};
	// Only some of the polls of a quiet survey read it.
	while ((await readsDuring(pollAMinuteLater)) > 0);
	respond();
	host.kill(false);
	expect(await readsDuring(async () => await host.activate('leadershipChange'))).toBe(1);
	expect(host.items).toHaveLength(1);
});

test.each([
	['kept for seven days', 6, [1, 2]],
	['then forgotten', 8, [2]],
])('without a Date header, a survey that is deselected is %s', async (_what, days, emitted) => {
	const { host, rows } = await watchRows({ campaignIds: ['a', 'b'] });
	const publish = async (campaignIds: string[]) => {
		Object.assign(host.options.parameters, { campaignIds });
		host.kill(false);
		await host.activate('update');
	};
	await publish(['a']);
	rows.b.push({ userId: 1, submitted: true, submittedDate: new Date(Date.now()).toISOString() });
	for (let half = 0; half < 2; half++) {
		advanceClock((days / 2) * 86_400_000);
		await publish(['a']);
	}
	await publish(['a', 'b']);
	rows.b.push({ userId: 2, submitted: true, submittedDate: new Date(Date.now()).toISOString() });
	advanceClock(360_000);
	await host.poll();
	expect(host.items.map(({ userId }) => userId)).toEqual(emitted);
});

test.each([
	[{}, '{}'],
	[{ scope: 'mine', liveWithinDays: 3 }, '{}'],
	[{ scope: 'all', category: ' Culture ' }, '{"category":"Culture","all":"true"}'],
])('saves the filters %j as every earlier version does: %s', async (filters, saved) => {
	const host = trigger({ watch: 'all', filters });
	log.clear();
	await host.activate();
	expect(String(log.lines)).not.toContain('not a survey');
	expect(JSON.parse(host.database.staticData)).toMatchObject({
		'node:Messaging Service': { filters: saved },
	});
});

test('adopts the state of an earlier build, which has no IDs of the node and its credential', async () => {
	const rows: IDataObject[] = [{ userId: 1, submitted: true }];
	const host = trigger({ campaignIds: ['c1'] });
	host.options.respond = serve(() => rows);
	const checksum = 'L1F7gSwyoRE1QtN+M/rpN9UfWhboRKKqWXaEK3HU7OA=';
	const campaign = { since: { 0: 1795701520928 }, read: 1, anonymous: false, rows: 1 };
	const campaigns = { c1: { ...campaign, keys: { user1: 'a4ayc/80/OE=' } } };
	const state = { version: 3, revision: 'l61jjav92sl', checksum, filters: 'selected', campaigns };
	const staticData = { 'node:Messaging Service': { ...state, notSurveys: [] } };
	host.database.staticData = JSON.stringify(staticData);
	await host.restart();
	rows.push({ userId: 2, submitted: true });
	await host.poll();
	expect(host.items.map(({ userId }) => userId)).toEqual([2]);
});

test('names the answers as soon as any survey shows the numbering', async () => {
	const data = { anonymous: true, questions: [{ title: 'How?' }, { title: 'Why?' }] };
	const { host, rows } = await watchRows({ campaignIds: ['a', 'b'] }, data);
	rows.a.push({ submitted: true, 'q.1': 5 });
	await host.poll();
	rows.b.push({ submitted: true, 'q.0': 1 });
	await host.poll();
	rows.a.push({ submitted: true, 'q.1': 6 });
	rows.b = [];
	await host.restart();
	const answers = [{ 'q.1': 5 }, { 'How?': 1, 'Why?': null }, { 'How?': null, 'Why?': 6 }];
	expect(host.items.map((item) => item.answers)).toEqual(answers);
	// The sample has the names that the published workflow has found.
	expect((await host.sample()).map((item) => item.answers)).toContainEqual(answers[2]);
	Object.assign(host.options.parameters, { output: 'raw' });
	rows.a = [];
	expect(await host.sample()).toMatchObject([{ 'q.0': 'Example answer', example: true }]);
});

test('in a table, the answers to a question "event" do not replace the name of the event', async () => {
	const { host, rows } = await watchRows({ output: 'table' }, { questions: [{ title: 'event' }] });
	rows.a.push({ userId: 1, submitted: true, 'q.1': 'Party' });
	await host.poll();
	expect(host.items).toMatchObject([{ event: 'surveySubmitted', 'event (2)': 'Party' }]);
});

test.each(['c500,c403,c429', 'c500,c403'])(
	'shows the most useful error: %s',
	async (campaignIds) => {
		const body = { success: false, message: 'No' };
		const host = trigger({ campaignIds });
		host.options.respond = ({ url }) => {
			const [, code] = /campaign\/c(\d+)/.exec(url) ?? [];
			return code ? { statusCode: Number(code), headers: {}, body } : ok([]);
		};
		await expect(host.activate()).rejects.toMatchObject({ httpCode: campaignIds.slice(-3) });
	},
);

/** Answers each request after this time. Requests at the same time together take as long as the longest one. */
const slowly =
	(msOf: (request: IHttpRequestOptions) => number, timeouts: number[]) =>
	async (request: IHttpRequestOptions) => {
		const { timeout = Infinity } = request;
		timeouts.push(Math.ceil(timeout / 1000));
		const ms = msOf(request);
		const until = Date.now() + Math.min(ms, timeout);
		await new Promise(setImmediate);
		advanceClock(Math.max(0, until - Date.now()));
		if (ms > timeout) throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
		return serve(() => [])(request);
	};

const four = (seconds: number) => Array<number>(4).fill(seconds);
const isFirstFour = ({ url }: IHttpRequestOptions) => /slow[0-3]\/surveyData/.test(url);
test.each<[number, string, (request: IHttpRequestOptions) => number, number | number[]]>([
	// The timeouts in seconds of the list and of four requests at a time, or the number of requests.
	[20, '50 s', () => 50_000, [60, ...four(60), ...four(60), ...four(30)]],
	[20, '58 s', () => 58_000, [60, ...four(60), ...four(60), ...four(6)]],
	[20, '59.5 s', () => 59_500, [60, ...four(60), ...four(60), ...four(5)]],
	[300, '3 s', () => 3_000, 1 + 240],
	[24, '1 s, and four hang', (request) => (isFirstFour(request) ? 1e9 : 1_000), 1 + 4 + 2 * 20],
])('no read of %s surveys starts late if a response takes %s', async (length, _, msOf, wanted) => {
	const campaignIds = Array.from({ length }, (_, number) => `slow${number}`);
	const host = trigger({ campaignIds });
	const timeouts: number[] = [];
	host.options.respond = slowly(msOf, timeouts);
	const begun = Date.now();
	await host.activate();
	expect(typeof wanted === 'number' ? timeouts.length : timeouts).toEqual(wanted);
	expect(Date.now() - begun).toBeLessThan(300_000);
});

test('works if its only read fails because the other surveys are not due', async () => {
	let read: string[] = [];
	let isRefused = false;
	const host = trigger({ campaignIds: ['a', 'b'] });
	host.options.respond = (request) => {
		const [, id = ''] = /(\w+)\/surveyData/.exec(request.url) ?? [];
		read.push(id);
		// A survey that was read before is not taken for another campaign.
		const body = { success: false, message: 'Campaign is not a survey' };
		const refusal = { statusCode: 200, headers: {}, body };
		return id === 'b' && isRefused ? refusal : serve(() => [])(request);
	};
	await host.activate();
	// Surveys that were quiet for a day are read every five minutes.
	advanceClock(86_400_000);
	isRefused = true;
	await host.poll();
	read = [];
	await host.poll();
	expect(new Set(read)).toEqual(new Set(['', 'b']));
});

const DAY = 86_400_000;
type Sent = {
	_id: string;
	live: number;
	rows: IDataObject[];
	refuses?: boolean;
	isClosed?: boolean;
	category?: string;
};

/** An account whose list has filters, and a trigger that watches all its campaigns. */
function watchAll(filters: IDataObject = {}, scheduling?: Scheduling) {
	const sent: Sent[] = [];
	const reads: string[] = [];
	const options = { maxReadGapMinutes: 0 };
	const parameters = { watch: 'all', filters, options } as INodeParameters;
	const host = trigger(parameters, { scheduling });
	const timeOf = (date: unknown, otherwise: number) =>
		date ? Date.parse(String(date)) : otherwise;
	/** How many days n8n's clock is ahead, and the Date header if it does not tell the service's time. */
	const clock: { ahead: number; header?: string } = { ahead: 0 };
	const serviceNow = () => Date.now() - clock.ahead * DAY;
	const jump = (days: number) => {
		advanceClock(days * DAY);
		clock.ahead += days;
	};
	host.options.respond = ({ url, qs = {} }) => {
		const { header = new Date(serviceNow()).toUTCString() } = clock;
		const headers = { date: header };
		const [, id] = /(\w+)\/surveyData$/.exec(url) ?? [];
		const campaign = sent.find(({ _id }) => _id === id);
		if (id) reads.push(id);
		const refusal = { success: false, message: 'Not Found.' };
		if (id && (!campaign || campaign.refuses)) return { statusCode: 200, headers, body: refusal };
		const data = campaign
			? { name: campaign._id, questions: [], result: campaign.rows }
			: sent
					.filter(({ live }) => live > timeOf(qs.minLiveDate, -Infinity))
					.filter(({ category }) => !qs.category || qs.category === category)
					.map(({ _id, live, isClosed }) => ({
						_id,
						name: `List ${_id}`,
						status: isClosed ? '3' : '1',
						liveDate: new Date(live).toISOString(),
					}))
					.slice(qs.previousLastId ? Infinity : 0);
		return { ...ok(data), headers };
	};
	const send = (_id: string, days = 0, more: Partial<Sent> = {}) => {
		const campaign = { _id, live: serviceNow() - days * DAY, rows: [], ...more };
		sent.push(campaign);
		return campaign;
	};
	/** Somebody answers. */
	const answer = (campaign: Sent) =>
		campaign.rows.push({ userId: ++responses, submitted: true, submittedDate: serviceNow() });
	const pollAfter = async (days: number) => {
		advanceClock(days * DAY);
		await host.poll();
	};
	return { host, reads, send, answer, pollAfter, clock, jump };
}

const noLongerWatched = expect.stringContaining('no longer watched');

/** For Selected Campaigns and All Campaigns: a survey that is closed, whose responses cannot be read. */
function watchClosing(watch: 'all' | 'selected') {
	const account = watchAll();
	const { host, reads } = account;
	const events = ['surveySubmitted', 'surveyClosed'];
	Object.assign(host.options.parameters, { watch, events, campaignIds: ['closing', 'other'] });
	const [survey] = ['closing', 'other'].map((id) => account.send(id, 10)) as [Sent, Sent];
	const close = () => {
		account.answer(survey);
		survey.isClosed = true;
	};
	/** Polls, also if a poll fails. */
	const pollFor = async (days: number, everyDays: number) => {
		for (let polls = 0; polls < days / everyDays; polls++)
			await account.pollAfter(everyDays).catch(() => {});
	};
	const told = () => host.items.map(({ event, submitted }) => [event, submitted]);
	/** How often the survey was tried since the last call. */
	const tries = () => reads.splice(0).filter((id) => id === 'closing').length;
	return { ...account, survey, close, pollFor, told, tries };
}

describe.each(['all', 'selected'] as const)('a closing with the setting %s', (watch) => {
	afterEach(resetClock);

	test.each([
		['refused', 1 / 24],
		['refused', 1],
		['empty', 1 / 24],
	])('is given up after seven days of reads that are %s, one in %s days', async (how, gap) => {
		const { host, close, pollFor, told, survey, tries } = watchClosing(watch);
		survey.rows.push({ userId: 1, submitted: true });
		await host.activate();
		if (how === 'empty') {
			survey.rows = [];
			await pollFor(gap, gap);
		}
		close();
		if (how === 'empty') survey.rows = [];
		else survey.refuses = true;
		log.clear();
		await pollFor(7, gap);
		expect(told()).toEqual([]);
		await pollFor(gap, gap);
		expect(told()).toEqual([['surveyClosed', null]]);
		expect(log.lines.at(-1)).toEqual([expect.stringContaining('could not be read for seven days')]);
		tries();
		await pollFor(3 * gap, gap);
		expect(tries()).toBe(0);
	});

	test('is followed by the responses after a reopening', async () => {
		const { host, answer, close, pollFor, told, survey } = watchClosing(watch);
		await host.activate();
		close();
		await pollFor(1 / 1440, 1 / 1440);
		// A late response comes before the last read, five minutes after the closing.
		answer(survey);
		await pollFor(1, 1 / 24);
		survey.isClosed = false;
		answer(survey);
		await pollFor(1, 1 / 24);
		expect(told().map(([event]) => event)).toEqual([
			...['surveySubmitted', 'surveyClosed', 'surveySubmitted', 'surveySubmitted'],
		]);
	});

	test('is tried at every poll for a day, then once an hour, and read as soon as it can be', async () => {
		const { host, close, pollFor, told, survey, tries } = watchClosing(watch);
		await host.activate();
		close();
		survey.refuses = true;
		tries();
		await pollFor(1, 1 / 288);
		expect(tries()).toBe(288);
		await pollFor(1 / 24, 1 / 288);
		tries();
		await pollFor(1, 1 / 288);
		expect(tries()).toBe(24);
		survey.refuses = false;
		await pollFor(1 / 24, 1 / 288);
		expect(told()).toContainEqual(['surveyClosed', 1]);
	});
});

test('a survey that is selected again is watched for more than seven days', async () => {
	const { host, answer, pollFor, survey } = watchClosing('selected');
	await host.activate();
	const { parameters } = host.options;
	for (const campaignIds of [['other'], ['closing', 'other']]) {
		Object.assign(parameters, { campaignIds });
		await host.restart();
		await pollFor(1, 1);
	}
	for (let day = 0; day < 9; day++) {
		answer(survey);
		await pollFor(1, 1);
	}
	expect(host.items).toHaveLength(9);
	resetClock();
});

describe('All Campaigns', () => {
	beforeEach(() => log.clear());
	afterEach(resetClock);

	test('watches a survey after its last answer, also when lists no longer show it', async () => {
		const { host, send, answer, pollAfter } = watchAll();
		const onboarding = send('onboarding', 80);
		await host.activate();
		for (const days of [20, 60]) {
			answer(onboarding);
			for (let day = 0; day < days; day++) await pollAfter(1);
		}
		expect(host.items).toHaveLength(2);
	});

	test('watches a live survey as long as people answer it, and says when it stops', async () => {
		const { host, reads, send, answer, pollAfter } = watchAll();
		const onboarding = send('onboarding', 10);
		await host.activate();
		for (let day = 0; day < 365; day++) {
			answer(onboarding);
			await pollAfter(1);
		}
		expect(host.items).toHaveLength(365);
		await pollAfter(89);
		host.options.parameters.filters = { liveWithinDays: 95 };
		await host.restart();
		// n8n stands still for three weeks. The last answer came before the survey was too old.
		answer(onboarding);
		await pollAfter(21);
		expect(host.items).toHaveLength(366);
		// In the first week after its days, a read that fails does not end it.
		onboarding.refuses = true;
		await pollAfter(99);
		onboarding.refuses = false;
		answer(onboarding);
		await pollAfter(0);
		expect(host.items).toHaveLength(367);
		await pollAfter(94);
		expect(log.lines).not.toContainEqual([noLongerWatched]);
		await pollAfter(2);
		expect(log.lines).toContainEqual([
			expect.stringContaining('“onboarding” is no longer watched'),
		]);
		const { length } = reads;
		for (let polls = 0; polls < 3; polls++) await pollAfter(1);
		expect(reads).toHaveLength(length);
		expect(host.items).toHaveLength(367);
	});

	test('a change of the filters keeps an old survey that passes them', async () => {
		const { host, send, answer, pollAfter } = watchAll();
		const surveys = ['a', 'b'].map((category) => send(`old${category}`, 80, { category }));
		await host.activate();
		for (let months = 0; months < 3; months++) {
			surveys.map(answer);
			await pollAfter(30);
		}
		host.options.parameters.filters = { category: 'a', liveWithinDays: 40 };
		await host.activate('update');
		surveys.map(answer);
		await pollAfter(30);
		await pollAfter(8);
		surveys.map(answer);
		await pollAfter(1);
		const count = (id: string) => host.items.filter(({ campaignId }) => campaignId === id).length;
		expect([count('olda'), count('oldb')]).toEqual([5, 3]);
	});

	test('drops a survey that refuses for good', async () => {
		const { host, reads, send, pollAfter } = watchAll();
		send('other');
		const survey = send('deleted');
		await host.activate();
		survey.refuses = true;
		for (let day = 0; day < 100; day++) await pollAfter(1);
		const { length } = reads;
		for (let day = 0; day < 3; day++) await pollAfter(1);
		expect(reads.slice(length)).not.toContain('deleted');
		expect(log.lines).toContainEqual([noLongerWatched]);
	});

	test('when first published, names 20 older live campaigns without reading them', async () => {
		const { host, reads, send } = watchAll();
		send('oldAndClosed', 100, { isClosed: true });
		for (let number = 1; number < 22; number++) send(`old${number}`, 100);
		await host.activate();
		expect(log.lines).toContainEqual([
			expect.stringMatching(/are not watched: “List old1”, (“List old\d+”, ){18}“List old20”\./),
		]);
		expect(reads).toEqual([]);
	});

	test.each([
		[1 / 24, 0],
		[2, 0],
		[-2, 0],
		[0, 2],
		[2, -4],
		[0, 0, 'soon'],
	])(
		"hides no survey if n8n's clock is %s days ahead and then jumps by %s days (Date header: %s)",
		async (...[ahead, later, header]: [number, number, string?]) => {
			const { host, send, answer, pollAfter, clock, jump } = watchAll({ liveWithinDays: 1 });
			host.options.parameters.options = { emitExisting: true, maxReadGapMinutes: 0 };
			clock.header = header;
			jump(ahead);
			const old = send('old', 1.01);
			const survey = send('survey', 0.99);
			answer(old);
			answer(survey);
			await host.activate();
			expect(log.lines).toContainEqual([expect.stringContaining('are not watched: “List old”.')]);
			expect((await host.sample()).map(({ campaignId }) => campaignId)).toEqual(['survey']);
			jump(later);
			for (const each of [old, survey, send('launched')]) answer(each);
			await pollAfter(0.001);
			const watched = host.items.map(({ campaignId }) => campaignId);
			expect(watched.sort()).toEqual(['launched', 'survey', 'survey']);
			for (let polls = 0; polls < 3; polls++) await pollAfter(1);
			expect(log.lines).toContainEqual([expect.stringContaining('“survey” is no longer watched')]);
		},
	);

	test("without a Date header, jumps of n8n's clock hide no later survey, and emit nothing old", async () => {
		const { host, send, answer, pollAfter, clock, jump } = watchAll({ liveWithinDays: 1 });
		clock.header = '';
		send('first');
		await host.activate();
		jump(2);
		await pollAfter(0.001);
		jump(-2);
		const later = send('later');
		await pollAfter(0.001);
		answer(later);
		jump(-2);
		await pollAfter(0.001);
		jump(2);
		answer(send('shared', 0.9));
		await pollAfter(0.001);
		expect(host.items.map(({ campaignId }) => campaignId)).toEqual(['later']);
	});

	test('Selected Campaigns forgets the list', async () => {
		const { host, send, answer, pollAfter } = watchAll();
		send('launched');
		await host.activate();
		Object.assign(host.options.parameters, { watch: 'selected', campaignIds: ['launched'] });
		await host.activate('update');
		await pollAfter(1);
		answer(send('meanwhile'));
		host.options.parameters.watch = 'all';
		await host.activate('update');
		expect(host.items).toEqual([]);
	});

	test('a survey that the list shows two minutes after it went live is a launch', async () => {
		const { host, send, answer } = watchAll();
		send('other');
		await host.activate();
		answer(send('late', 2 / (24 * 60)));
		await host.poll();
		expect(host.items).toHaveLength(1);
	});

	test.each([[[]], [null], [undefined]])(
		'an empty list (%j) does not hide a launch',
		async (data) => {
			const { host, send, answer, pollAfter } = watchAll();
			const { respond: answerTo } = host.options;
			let isEmpty = true;
			host.options.respond = async (request) => {
				const response = await answerTo?.(request);
				const isHidden = isEmpty && !request.url.endsWith('surveyData');
				return { ...response, ...(isHidden && { body: { success: true, data } }) };
			};
			await host.activate();
			await pollAfter(1);
			answer(send('launched'));
			await pollAfter(1);
			isEmpty = false;
			await pollAfter(1);
			expect(host.items).toHaveLength(1);
		},
	);

	const withDurableCursors = schedulings.includes('durableCursors') ? test : test.skip;
	withDurableCursors('a restart continues from the cursor, not from an older state', async () => {
		const { host, send, answer } = watchAll({}, 'durableCursors');
		let survey = send('a', 1);
		await host.activate();
		// A new campaign changes the state, although the poll emits nothing.
		for (const [id, step] of [
			['b', 'poll'],
			['c', 'restart'],
			['d', 'poll'],
		] as const) {
			survey = send(id, 1);
			await host[step]();
		}
		answer(survey);
		await host.restart();
		expect(host.items).toHaveLength(1);
	});

	test('another credential forgets when the list was read, and begins nothing anew', async () => {
		const { host, send, answer, pollAfter } = watchAll();
		host.options.parameters.options = { emitExisting: true, maxReadGapMinutes: 0 };
		const survey = send('first', 1);
		answer(survey);
		await host.activate();
		await pollAfter(1);
		answer(send('foreign'));
		answer(survey);
		host.options.node = { credentials: { messagingServiceApi: { id: '2', name: 'Other' } } };
		await host.activate('update');
		expect(host.items).toHaveLength(2);
	});
});

const noAccess = { success: false, message: 'No' };
const advice = expect.stringContaining('Check the access key');
const refusal = { message: 'The service refused access: No', description: advice };
const campaigns = '/int/v1/campaign*';
type Action = Parameters<typeof service.emulator.faults.add>[0]['action'];
test.each<[number, number, string, Action, object]>([
	[401, 6, campaigns, { status: 401, body: noAccess }, refusal],
	[403, 6, campaigns, { status: 403, body: noAccess }, refusal],
	// 429 ends all reads but those in flight.
	[429, 4, SURVEY_DATA, { status: 429 }, {}],
	[500, 18, SURVEY_DATA, { status: 500 }, {}],
])('fails and saves nothing if six surveys answer %s: %s requests', async (...given) => {
	const [code, requests, path, action, error] = given;
	const host = trigger();
	await host.activate();
	host.options.parameters.campaignIds = [survey(), ...'abcde'];
	const text = respond();
	const { staticData } = host.database;
	service.emulator.clearRequests();
	const fault = { match: { path }, times: Infinity, action };
	const stop = service.emulator.faults.add(fault);
	const wanted = { name: 'NodeApiError', httpCode: String(code), ...error };
	await expect(host.poll()).rejects.toMatchObject(wanted);
	expect(service.emulator.requestCount('GET', SURVEY_DATA)).toBe(requests);
	expect(host.database).toEqual({ staticData });
	stop();
	await host.poll();
	expect(texts(host.items)).toEqual([text]);
});

test('says that the list and a status could not be read', async () => {
	const host = trigger({ campaignIds: ['a'] });
	host.options.respond = (request) =>
		request.url.endsWith('/surveyData')
			? serve(() => [])(request)
			: { statusCode: 403, headers: {}, body: noAccess };
	log.clear();
	await host.activate();
	const said = ['It is unknown whether campaign a is closed', 'The list of campaigns could not be'];
	expect(log.lines).toEqual(said.map((text) => [expect.stringContaining(text)]));
});

test('after 429, the next poll asks for the same surveys first', async () => {
	const host = trigger({ campaignIds: [...'abcdefgh'] });
	const asked: string[] = [];
	host.options.respond = ({ url }) => {
		if (!url.endsWith('/surveyData')) return ok([]);
		asked.push(url);
		return { statusCode: 429, headers: {}, body: { success: false, message: 'Slow down' } };
	};
	for (const _poll of ['first', 'second'])
		await expect(host.activate()).rejects.toThrow('Slow down');
	const polls = asked.length / 4;
	expect(polls).toBeGreaterThan(1);
	expect(asked).toEqual(Array.from({ length: polls }, () => asked.slice(0, 4)).flat());
});

test('after a 429 that says how long to wait, the poll waits and goes on', async () => {
	const host = trigger({ campaignIds: [...'abcdefgh'] });
	const read = new Set<string>();
	let refusals = 5;
	host.options.respond = ({ url }) => {
		if (!url.endsWith('/surveyData')) return ok([]);
		if (refusals-- > 0)
			return { statusCode: 429, headers: { 'retry-after': '2' }, body: { message: 'Slow down' } };
		read.add(url);
		return ok({ anonymous: false, questions: [], result: [] });
	};
	await host.activate();
	expect(read.size).toBe(8);
});

test('a 429 that lasts ends the poll after three tries of each read in flight', async () => {
	const host = trigger({ campaignIds: [...'abcdefgh'] });
	let requests = 0;
	host.options.respond = ({ url }) => {
		if (!url.endsWith('/surveyData')) return ok([]);
		requests++;
		return { statusCode: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down' } };
	};
	await expect(host.activate()).rejects.toThrow('Slow down');
	expect(requests).toBeLessThanOrEqual(5 * 4 * 3);
});

test.each([
	['cannot be read', /"version":3/, '"version":2'],
	['cannot be read', /"user1":"./, '"user1":"'],
	['newer version', /"version":3/, '"version":4'],
])('stops at a saved state that %s (%s), and does not change it', async (message, from, to) => {
	const host = trigger();
	await host.activate();
	const damaged = host.database.staticData.replace(from, to);
	expect(damaged).not.toBe(host.database.staticData);
	host.database.staticData = damaged;
	await expect(host.restart()).rejects.toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringContaining('rename this node'),
	});
	expect([host.database.staticData, host.items]).toEqual([damaged, []]);
});

test.each([true, false])(
	'saves at most 11 bytes a respondent (anonymous: %s)',
	async (anonymous) => {
		const events = ['surveySubmitted', 'campaignResponded', 'campaignRead'];
		const row = { read: true, responseSubmitted: true, submitted: true };
		const keysOf = async (name: string) => {
			const rows: IDataObject[] = Array.from({ length: 999 }, (_, number) => ({
				...{ ...row, userId: `${name} ${number}`, submittedDate: 1_769_850_000_000 + number },
			}));
			const parameters = { campaignIds: ['c1'], events, output: 'raw' };
			const host = trigger(parameters, { scheduling: schedulings.at(-1) });
			host.options.respond = serve(() => rows, { anonymous });
			await host.activate();
			rows.push({ ...row, userEmail: 'ada@x.io' });
			log.clear();
			await host.poll();
			expect(String(log.lines).includes('Raw contains them')).toBe(anonymous);
			await host.restart();
			expect(host.items).toHaveLength(3);
			expect(JSON.stringify(host.database).length / 1000).toBeLessThan(11.6);
			return /"keys":{.*?}/.exec(JSON.stringify(host.database).replaceAll('\\', ''))?.[0];
		};
		// The keys of an anonymous survey do not depend on the IDs.
		expect((await keysOf('a')) === (await keysOf('b'))).toBe(anonymous);
	},
);

test.each(['simplified', 'table', 'raw'])(
	'Survey Closed is one item as Get Summary counts: %s',
	async (output) => {
		service.emulator.switches.surveyDataLists = 'whoActed';
		// Its report counts nobody.
		required(service.emulator.state.campaigns.get(survey()), 'survey').recipients = new Set();
		const host = trigger({ events: ['surveyClosed'], output });
		await host.activate();
		service.emulator.closeCampaign(survey());
		await host.poll();
		await host.restart();
		const { items } = await service.run('survey.getSummary', { campaignId: survey() });
		const { recipients, submitted, responseRate } = items[0]?.json ?? {};
		const campaign = { event: 'surveyClosed', campaignId: survey(), campaignName: 'Survey 1' };
		expect(host.items).toEqual([{ ...campaign, recipients, submitted, responseRate }]);
		// Six minutes after that, the survey is read for the last time.
		for (const reads of [1, 0, 0]) {
			advanceClock(360_000);
			expect(await readsDuring(async () => await host.poll())).toBe(reads);
		}
	},
);

describe('in the editor', () => {
	test('shows the newest rows, as its output schema says, and saves nothing', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		respond(survey(), { submittedDate: '2020-02-02T02:02:02.000Z' });
		const newest = respond(survey(1));
		const items = await host.sample();
		expect(texts(items)[0]).toBe(newest);
		const dates = items.map(({ submittedDate }) => String(submittedDate));
		expect(dates).toEqual([...dates].sort().reverse());
		expect([dates.length, host.database.staticData]).toEqual([5, '{}']);
		expect(items.every(({ event }) => event === 'surveySubmitted')).toBe(true);
		const [closing] = await trigger({ events: ['surveyClosed', 'surveySubmitted'] }).sample();
		const { properties } = parseAs<{ properties: object }>(
			await readFile('nodes/MessagingServiceTrigger/__schema__/v1.0.0.json', 'utf8'),
		);
		const names = Object.keys({ ...closing, ...items[0] });
		expect(names.sort()).toEqual(Object.keys(properties).sort());
	});

	test('builds an example from the questions of a survey without responses', async () => {
		const all = [...service.emulator.state.campaigns.values()];
		for (const each of all) each.survey?.clear();
		const sample = async (parameters: INodeParameters = {}) =>
			await trigger({ campaignIds: [survey(2)], ...parameters }).sample();
		const matrix = { Leadership: 1, Tools: 1 };
		const answers = { 'How satisfied are you?': matrix, 'Why?': 'Example answer' };
		const nobody = { anonymous: true, userId: null, userEmail: null, example: true };
		expect(
			await sample({ events: ['surveyClosed', 'campaignRead', 'surveySubmitted'] }),
		).toMatchObject([{ event: 'surveyClosed' }, { event: 'surveySubmitted', ...nobody, answers }]);
		// The keys of Raw are not guessed.
		expect(JSON.stringify(await sample({ output: 'raw' }))).not.toContain('"q.');
		// With All Campaigns, other campaigns are no error.
		expect(await sample({ watch: 'all' })).toMatchObject([{ example: true }]);
		const other = first(all.filter((each) => !each.survey));
		await expect(sample({ campaignIds: [other._id] })).rejects.toThrow('not a survey');
		const named = { userEmail: 'person@example.com', anonymous: false };
		expect(await sample({ campaignIds: [survey()] })).toMatchObject([named]);
		service.emulator.switches.surveyQuestionsForm = 'absent';
		await expect(sample()).rejects.toThrow('There are no responses to show yet');
		const closing = { events: ['surveyClosed'] };
		expect(await sample(closing)).toMatchObject([{ recipients: expect.any(Number) }]);
		for (const each of all) each.status = '0';
		await expect(sample({ ...closing, watch: 'all' })).rejects.toThrow('no responses');
	});

	test('shows at most five items, of which one is the example', async () => {
		const empty = { name: 'Quiet', questions: [{ templateCode: 'input' as const, title: 'Q' }] };
		const quiet = Array.from({ length: 6 }, () => service.emulator.state.addSurvey(empty)._id);
		const events = ['surveyClosed', 'campaignRead'];
		const items = await trigger({ events, campaignIds: quiet }).sample();
		const closings = Array<string>(4).fill('surveyClosed');
		expect(items.map(({ event }) => event)).toEqual([...closings, 'campaignRead']);
	});

	test('with All Campaigns, reads a few surveys, and campaigns that cannot be read hide nothing', async () => {
		const questions = [{ templateCode: 'input' as const, title: 'Why?' }];
		for (let number = 0; number < 20; number++)
			respond(service.emulator.state.addSurvey({ name: 'New', questions })._id);
		service.emulator.faults.on('/campaign/:id/surveyData', { refuse: 'Forbidden' }, { times: 2 });
		// The second page of the list is the first one again.
		service.emulator.switches.previousLastIdMeans = 'nothing';
		const items = await trigger({ watch: 'all' }).sample();
		expect(log.lines.at(-1)).toEqual([expect.stringContaining('The list may be incomplete')]);
		expect(items.filter(({ example }) => example !== true)).toHaveLength(5);
		expect(service.emulator.requestCount('GET', SURVEY_DATA)).toBeLessThan(15);
	});
});
