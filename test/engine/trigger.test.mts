import { readFile } from 'node:fs/promises';

import type { IDataObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { schedulings, TriggerHost, type HostOptions } from '../kit/poll.mts';
import { loadPackage } from '../kit/engine.mts';
import { watchLog } from '../kit/log.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

useFakeSleep();
const log = watchLog();
const service = useService({
	seed: 7,
	people: 40,
	campaigns: 6,
	surveys: 2,
	anonymousSurveys: 1,
	responsesPerSurvey: 5,
});

const LIST = '/int/v1/campaign';
const SURVEY_DATA = '/int/v1/campaign/:id/surveyData';
const all: INodeParameters = { watch: 'all' };

/** Returns the ID of a seeded survey. Surveys are numbered from the oldest: 0 and 1 show names, 2 is anonymous. */
function survey(number = 0): string {
	const surveys = [...service.emulator.state.campaigns.values()].filter(({ survey }) => survey);
	return required(surveys[number], `survey ${number}`)._id;
}

function addSurvey(name: string, more: { status?: '4'; liveAt?: number } = {}) {
	return service.emulator.state.addSurvey({
		name,
		description: 'Added by a test',
		recipients: new Set(),
		liveAt: Date.now(),
		questions: [{ templateCode: 'textarea', title: 'Why?' }],
		...more,
	});
}

function trigger(
	parameters: INodeParameters = {},
	options: Partial<HostOptions> = {},
): TriggerHost {
	return new TriggerHost({
		credential: service.accessKey,
		parameters: { events: ['surveySubmitted'], campaignIds: [survey()], ...parameters },
		...options,
	});
}

let responses = 0;

/** Submits a response with a unique text to a survey. Returns the text. */
function respond(
	campaignId = survey(),
	more: Parameters<typeof service.emulator.submitResponse>[1] = {},
): string {
	const text = `Response ${++responses}`;
	service.emulator.submitResponse(campaignId, { answers: { 'Why?': text }, ...more });
	return text;
}

function textOf({ answers }: IDataObject): unknown {
	return typeof answers === 'object' && answers !== null && 'Why?' in answers
		? answers['Why?']
		: undefined;
}

/** The texts of the emitted responses. */
const texts = (host: TriggerHost): unknown[] => host.items.map(textOf);

const ok = (data: unknown): IDataObject => ({
	statusCode: 200,
	headers: {},
	body: parseAs<IDataObject>(JSON.stringify({ success: true, data })),
});

/** Runs a test only in n8n 2: n8n 1 does not limit the time of a poll (it has no getPollBudgetMs). */
const withBudget = schedulings.length > 1 ? test : test.skip;

test('skips existing responses and emits each new response once, in the documented form', async () => {
	const host = trigger();
	await host.activate();
	await host.poll();
	expect(host.executions).toEqual([]);

	const text = respond(survey(), { responseDuration: 42 });
	respond(survey(1));
	await host.poll();
	await host.poll();
	expect(host.executions).toEqual([
		[
			{
				event: 'surveySubmitted',
				campaignId: survey(),
				campaignName: 'Survey 1',
				anonymous: false,
				userId: expect.any(String),
				userDisplayName: expect.any(String),
				userEmail: expect.any(String),
				submittedDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
				responseDuration: 42,
				answers: {
					'How do you feel?': null,
					'Would you recommend us?': null,
					'What do you like?': null,
					'How satisfied are you?': null,
					'Why?': text,
				},
			},
		],
	]);
	expect(Object.keys(host.items[0] ?? {}).slice(0, 2)).toEqual(['event', 'campaignId']);
});

test('sends nothing when a setting is wrong', async () => {
	await expect(trigger({ events: ['deleted'] }).activate()).rejects.toThrow(
		'Events must be surveySubmitted, campaignResponded, campaignRead or surveyClosed: it is "deleted"',
	);
	expect(service.requests).toEqual([]);
});

describe('the trigger', () => {
	const reads = () => service.emulator.requestCount('GET', SURVEY_DATA);

	test('reads every survey at each poll, and other campaigns only once', async () => {
		const host = trigger(all);
		await host.activate();
		const first = reads();
		expect(first).toBeGreaterThan(3);
		await host.poll();
		await host.poll();
		await host.restart();
		expect(reads()).toBe(first + 9);
	});

	test('reads nothing of a scheduled survey until it goes live, and then emits its first response', async () => {
		const scheduled = addSurvey('Scheduled', { status: '4' });
		const host = trigger(all);
		await host.activate();
		expect(service.requests.filter(({ path }) => path.includes(scheduled._id))).toEqual([]);
		service.emulator.state.goLive(scheduled);
		const text = respond(scheduled._id);
		await host.poll();
		expect(texts(host)).toEqual([text]);
	});

	test('reads all pages of the list of campaigns, with the filters', async () => {
		service.emulator.switches.pageCap.campaign = 2;
		const filters = { category: 'Culture', scope: 'onlyApi', liveWithinDays: 30 };
		const host = trigger({ ...all, filters });
		await host.activate();
		const lists = service.requests.filter(({ path }) => path === LIST);
		expect(lists.length).toBeGreaterThan(1);
		expect(lists[0]?.query).toEqual({
			limit: '1000',
			category: 'Culture',
			onlyApi: 'true',
			minLiveDate: expect.any(String),
		});
		const from = Date.parse(String(lists[0]?.query.minLiveDate));
		expect(Math.abs(Date.now() - 30 * 86_400_000 - from)).toBeLessThan(60_000);
		const text = respond(survey(2));
		await host.poll();
		expect(texts(host)).toEqual([text]);
	});

	test('does not read a survey that was closed before the workflow was published, even if many campaigns are newer', async () => {
		service.emulator.closeCampaign(survey());
		for (let number = 0; number < 150; number++)
			service.emulator.state.addCampaign({ name: `Newer ${number}`, description: 'D' });
		await trigger().activate();
		expect(reads()).toBe(0);
	});

	test.each([
		['recipients', 10_001, 1],
		['rows', 0, 20_000],
	])(
		'reads at most four surveys concurrently, and only one with many %s',
		async (what, recipientAmount, rows) => {
			const isLarge = (id: string) => id.startsWith('large');
			const ids = ['large 1', 'large 2', ...[1, 2, 3, 4].map((number) => `small ${number}`)];
			const inFlight = new Set<string>();
			const most = { all: 0, large: 0 };
			const row = { submitted: true, responseSubmitted: true, 'q.0': 'x' };
			const surveyOf = (count: number) => ({
				anonymous: false,
				questions: [{ title: 'Why?' }],
				result: Array.from({ length: count }, (_, index) => ({ ...row, userId: `u${index}` })),
			});
			const serve = async ({ url }: IHttpRequestOptions) => {
				const id = ids.find((known) => url.includes(encodeURIComponent(known)));
				if (id === undefined)
					return ok(
						ids.map((_id) => ({
							_id,
							status: 1,
							recipientAmount: isLarge(_id) ? recipientAmount : 1,
						})),
					);
				inFlight.add(id);
				most.all = Math.max(most.all, inFlight.size);
				most.large = Math.max(most.large, [...inFlight].filter(isLarge).length);
				await new Promise(setImmediate);
				inFlight.delete(id);
				return ok(surveyOf(isLarge(id) ? rows : 1));
			};
			const host = trigger({ campaignIds: ids }, { workflowId: what, respond: serve });
			await host.activate();
			// The number of rows is known only after the first read.
			most.large = 0;
			await host.poll();
			expect(most).toEqual({ all: 4, large: 1 });
		},
	);

	withBudget(
		'stops reading at the time limit of a poll, continues at the next polls and loses nothing',
		async () => {
			const added = Array.from({ length: 24 }, (_, number) =>
				addSurvey(`Slow ${number}`, { liveAt: Date.now() - 1000 * number }),
			);
			const old = new Date(Date.now() - 600_000).toISOString();
			for (const { _id } of added) respond(_id, { submittedDate: old });
			service.emulator.faults.add({
				match: { path: SURVEY_DATA },
				times: Infinity,
				action: { delayMs: 200 },
			});
			const host = trigger(all, { budgetMs: 1_000 });
			await host.activate();
			expect(reads()).toBeLessThan(24);
			// Most of these responses are submitted after the workflow is published, but before their survey is first read.
			const expected = added.map(({ _id }) => respond(_id));
			for (let polls = 0; polls < 12; polls++) await host.poll();
			expect(texts(host).sort()).toEqual(expected.sort());
		},
	);

	withBudget('allows at least five seconds for each request', async () => {
		const timeouts: unknown[] = [];
		const serve = ({ url, timeout }: IHttpRequestOptions) => {
			timeouts.push(timeout);
			return ok(url.endsWith('/surveyData') ? { questions: [], result: [] } : []);
		};
		await trigger({}, { budgetMs: 1, workflowId: 'little time', respond: serve }).activate();
		expect(timeouts).toEqual([5_000, 5_000, 5_000]);
	});
});

describe('failures', () => {
	const REFUSED = { status: 403, body: { success: false, message: 'No' } };
	const TOO_MANY = { status: 429, headers: { 'retry-after': '600' } };

	/** Makes requests to a path fail. Returns a function that removes the fault. */
	function fail(
		path: string,
		action: Parameters<typeof service.emulator.faults.add>[0]['action'],
		more: { times?: number; skip?: number } = {},
	): () => void {
		return service.emulator.faults.add({ match: { path }, times: Infinity, action, ...more });
	}
	const surveyData = (campaignId: string) => `/int/v1/campaign/${campaignId}/surveyData`;

	test('tries a read up to three times', async () => {
		const host = trigger();
		await host.activate();
		const text = respond();
		fail(SURVEY_DATA, 'drop', { times: 2 });
		service.emulator.clearRequests();
		await host.poll();
		expect(texts(host)).toEqual([text]);
		expect(service.emulator.requestCount('GET', SURVEY_DATA)).toBe(3);
	});

	test.each<[string, string, Parameters<typeof fail>[1]]>([
		['401', SURVEY_DATA, { ...REFUSED, status: 401 }],
		['403', SURVEY_DATA, REFUSED],
		['429', SURVEY_DATA, TOO_MANY],
		['500', LIST, { status: 500 }],
	])(
		'fails the poll with HTTP code %s when the request to %s fails, and saves nothing',
		async (httpCode, path, action) => {
			const host = trigger(all);
			await host.activate();
			const text = respond();
			const stop = fail(path, action);
			const before = host.saved;
			await expect(host.poll()).rejects.toMatchObject({ name: 'NodeApiError', httpCode });
			expect(host.saved).toEqual(before);
			stop();
			await host.poll();
			expect(texts(host)).toEqual([text]);
		},
	);

	test('fails activation and names the credential when access is refused', async () => {
		const host = trigger({}, { credential: { ...service.accessKey, accessKey: 'wrong' } });
		await expect(host.activate()).rejects.toMatchObject({
			httpCode: '401',
			message: expect.stringContaining('refused access'),
			description: expect.stringContaining('Check the access key'),
		});
		expect(host.saved).toEqual({});
	});

	test('ends the poll after a 429, and goes on at the next poll', async () => {
		const ids = Array.from({ length: 12 }, (_, number) => addSurvey(`Many ${number}`)._id);
		const host = trigger({ campaignIds: ids }, { workflowId: 'many' });
		await host.activate();
		const expected = ids.map((id) => respond(id));
		fail(SURVEY_DATA, { status: 429 }, { times: 1 });
		await host.poll();
		const { length } = host.items;
		expect(length).toBeGreaterThan(0);
		expect(length).toBeLessThan(ids.length);
		for (let polls = 0; polls < 6; polls++) {
			service.emulator.clearRequests();
			const stop = fail(SURVEY_DATA, TOO_MANY, { skip: 3 });
			await host.poll();
			stop();
			const refused = service.requests.filter(({ status }) => status === 429);
			expect(refused.length).toBeGreaterThan(0);
			expect(refused.length).toBeLessThanOrEqual(4);
		}
		expect(texts(host).sort()).toEqual(expected.sort());
	});

	test('skips a campaign that the service refuses, but fails the poll if it refuses all of them', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		await host.activate();
		const text = respond(survey(1));
		fail(surveyData(survey()), REFUSED);
		await host.poll();
		expect(texts(host)).toEqual([text]);

		const stop = fail(surveyData(survey(1)), TOO_MANY);
		// The poll reports the 429 rather than the refusal, because n8n waits after a 429.
		await expect(host.poll()).rejects.toMatchObject({ httpCode: '429' });
		stop();
		fail(surveyData(survey(1)), REFUSED);
		await expect(host.poll()).rejects.toMatchObject({ httpCode: '403' });
	});

	test('fails the poll when a listed campaign is not found', async () => {
		const host = trigger(all, { workflowId: 'listed and not found' });
		await host.activate();
		fail(SURVEY_DATA, { refuse: 'Not Found.' });
		await expect(host.poll()).rejects.toThrow('Not Found.');
	});

	const DAMAGED = 'The saved state of this trigger cannot be read';
	test.each<[string, string, (state: string) => string]>([
		['damaged rows', DAMAGED, (state) => state.replace(/"user1":"./, '"user1":"')],
		['a damaged time', DAMAGED, (state) => state.replace(/"latest":\d+/, '"latest":""')],
		['a damaged campaign', DAMAGED, (state) => state.replace(/"read":1/, '"read":"1"')],
		['another version', 'newer version', (state) => state.replace('"version":2', '"version":3')],
	])('stops at a saved state with %s, and does not change it', async (_, message, damage) => {
		const host = trigger();
		await host.activate();
		const damaged = damage(host.database.staticData);
		expect(damaged).not.toBe(host.database.staticData);
		host.database.staticData = damaged;
		respond();
		await expect(host.restart()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining('rename this node'),
		});
		expect(host.database.staticData).toBe(damaged);
		expect(host.items).toEqual([]);
	});

	test('reads the other campaigns when an answer is nested 20,000 levels deep', async () => {
		const nested = '['.repeat(20_000) + ']'.repeat(20_000);
		let rows = '';
		const serve = ({ url }: IHttpRequestOptions) => {
			const deep = rows.replace('1', url.includes('deep') ? nested : '1');
			const data = url.endsWith('/surveyData')
				? `{"anonymous":true,"questions":[],"result":[${deep}]}`
				: '[]';
			return { ...ok([]), body: parseAs<IDataObject>(`{"success":true,"data":${data}}`) };
		};
		const campaignIds = ['deep', 'other'];
		const host = trigger({ campaignIds }, { respond: serve, workflowId: 'deep' });
		await host.activate();
		rows = '{"submitted":true,"q.0":1}';
		await host.poll();
		await host.poll();
		expect(host.items.map(({ campaignId }) => campaignId)).toEqual(['other']);
		expect(JSON.stringify(log.lines)).toContain('Campaign deep could not be read');
	});
});

test.each(schedulings)(
	'emits each response once, and reads one survey at a time, when polls overlap (scheduling: %s)',
	async (scheduling) => {
		const host = trigger({}, { scheduling, workflowId: `overlap ${scheduling}` });
		await host.activate();
		service.emulator.clearRequests();
		service.emulator.faults.add({
			match: { path: SURVEY_DATA },
			times: Infinity,
			action: { delayMs: 100 },
		});
		await Promise.all([host.poll(), host.poll()]);
		expect(service.emulator.maxInFlight).toBe(1);
		const text = respond();
		await Promise.all([host.poll(), host.poll(), host.poll()]);
		await host.poll();
		expect(texts(host)).toEqual([text]);
	},
);

describe('in the editor', () => {
	test('shows the newest rows and saves nothing', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		respond(survey(), { submittedDate: '2020-02-02T02:02:02.000Z' });
		const newest = respond(survey(1));
		const items = await host.sample();
		expect(items).toHaveLength(5);
		expect(textOf(items[0] ?? {})).toBe(newest);
		const dates = items.map(({ submittedDate }) => String(submittedDate));
		expect(dates).toEqual([...dates].sort().reverse());
		expect(host.saved).toEqual({});
		await host.activate();
		expect(host.items).toEqual([]);
	});

	const answered = {
		'How do you feel?': 'Example answer',
		'Would you recommend us?': 'Yes',
		'What do you like?': 'Team',
		'How satisfied are you?': 'Leadership: 1, Tools: 1',
		'Why?': 'Example answer',
	};

	test.each(['from0', 'from1'] as const)(
		'builds an example from the questions (numbered %s) of a survey without responses',
		async (numbering) => {
			service.emulator.switches.questionNumbering = numbering;
			service.emulator.state.campaigns.get(survey())?.survey?.clear();
			const host = trigger();
			const example = {
				event: 'surveySubmitted',
				campaignId: survey(),
				campaignName: 'Survey 1',
				anonymous: false,
				userId: 'example',
				userDisplayName: 'Example Person',
				userEmail: 'person@example.com',
				submittedDate: expect.stringMatching(/Z$/),
				responseDuration: 60,
				answers: { ...answered, 'How satisfied are you?': { Leadership: 1, Tools: 1 } },
				example: true,
			};
			expect(await host.sample()).toEqual([example]);
			host.options.parameters.output = 'table';
			const { answers: _, ...respondent } = example;
			expect(await host.sample()).toEqual([
				{ ...respondent, ...answered, read: true, responseSubmitted: true, submitted: true },
			]);
			// Without a response to the survey, it is unknown whether the keys of the answers start at 0 or 1.
			host.options.parameters.output = 'raw';
			const [raw] = await host.sample();
			expect(raw).toMatchObject({ event: 'surveySubmitted', example: true, submitted: true });
			expect(Object.keys(raw ?? {}).join()).not.toContain('q.');

			// A response to another survey shows whether the keys start at 0 or 1.
			host.options.parameters.campaignIds = [survey(), survey(1)];
			host.options.parameters.events = ['campaignRead'];
			for (const row of service.emulator.state.campaigns.get(survey(1))?.survey?.rows() ?? [])
				row.read = false;
			const [shown = {}] = await host.sample();
			const keys = Object.keys(shown).filter((key) => key.startsWith('q.'));
			const first = numbering === 'from0' ? 0 : 1;
			expect(keys).toEqual(Object.keys(answered).map((_title, index) => `q.${index + first}`));
		},
	);

	test('names no respondent in the example of an anonymous survey', async () => {
		service.emulator.state.campaigns.get(survey(2))?.survey?.clear();
		const host = trigger({ campaignIds: [survey(2)] });
		const anonymous = { anonymous: true, userId: null, userEmail: null, example: true };
		expect(await host.sample()).toMatchObject([anonymous]);
		host.options.parameters.output = 'raw';
		expect(JSON.stringify(await host.sample())).not.toContain('person@example.com');
	});

	test('assigns answers to the same questions as the active workflow', async () => {
		service.emulator.switches.questionNumbering = 'from1';
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		await host.activate();
		service.emulator.state.campaigns.get(survey())?.survey?.clear();
		const text = respond();
		host.options.parameters.campaignIds = [survey()];
		expect((await host.sample()).map(textOf)).toEqual([text]);
	});

	test('fails when there are neither responses nor questions to show', async () => {
		service.emulator.switches.surveyQuestionsForm = 'absent';
		service.emulator.state.campaigns.get(survey())?.survey?.clear();
		await expect(trigger().sample()).rejects.toThrow('There are no responses to show yet');
	});

	test('shows the error of a campaign that cannot be read', async () => {
		await expect(trigger({ campaignIds: ['64f1c0ffee0000000000abcd'] }).sample()).rejects.toThrow(
			'Not Found',
		);
	});

	test('returns items that match the output schema', async () => {
		respond();
		const schema = parseAs<{ properties: Record<string, { type: string | string[] }> }>(
			await readFile('dist/nodes/MessagingServiceTrigger/__schema__/v1.0.0.json', 'utf8'),
		);
		const [closing, row] = await trigger({ events: ['surveyClosed', 'surveySubmitted'] }).sample();
		const item = { ...closing, ...row };
		expect(Object.keys(item).sort()).toEqual(Object.keys(schema.properties).sort());
		for (const [name, { type }] of Object.entries(schema.properties)) {
			const given = item[name] === null ? 'null' : typeof item[name];
			expect({ name, types: [type].flat() }).toEqual({
				name,
				types: expect.arrayContaining([given]),
			});
		}
	});

	test('tells the user, when the workflow is published, that existing responses are skipped', async () => {
		const { description } = (await loadPackage()).node('messagingServiceTrigger');
		expect(description.activationMessage).toMatch(/Existing responses are skipped .*published/);
	});
});

test('emits the last responses of a closed survey for five minutes, then forgets its rows', async () => {
	const host = trigger({ events: ['surveySubmitted', 'campaignRead'] }, { workflowId: 'closing' });
	await host.activate();
	const expected = [respond()];
	service.emulator.closeCampaign(survey());
	await host.poll();
	expected.push(respond());
	advanceClock(6 * 60_000);
	await host.poll();
	expect(texts(host)).toEqual(expected.flatMap((text) => [text, text]));
	const { saved } = host;
	expect(JSON.stringify(saved)).not.toContain('user');
	service.emulator.clearRequests();
	await host.poll();
	await host.restart();
	expect(service.emulator.requestCount('GET', SURVEY_DATA)).toBe(0);
	expect(JSON.stringify(host.saved)).toHaveLength(JSON.stringify(saved).length);
});

// This must be the last test: it advances the clock by a day, and the trigger rarely reads campaigns without recent events.
test('reads all campaigns when n8n restarts, however recently they were read', async () => {
	const host = trigger({}, { workflowId: 'started again' });
	await host.activate();
	advanceClock(24 * 3_600_000);
	await host.poll();
	const text = respond();
	await host.poll();
	expect(texts(host)).toEqual([]);
	await host.restart();
	expect(texts(host)).toEqual([text]);
});
