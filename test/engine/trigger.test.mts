import { readFile } from 'node:fs/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { schedulings, TriggerHost, type HostOptions } from '../kit/poll.mts';
import { loadOptions, loadPackage } from '../kit/engine.mts';
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

const surveyData = '/int/v1/campaign/:id/surveyData';

/** The seeded surveys, oldest first: two with names, an anonymous one. */
function surveys(): string[] {
	return [...service.emulator.state.campaigns.values()]
		.filter(({ survey }) => survey !== undefined)
		.map(({ _id }) => _id);
}

function survey(number = 0): string {
	return required(surveys()[number], `survey ${number}`);
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

/** Answers a survey and gives back the text of the answer, by which the response is known again. */
let responses = 0;
function answer(
	campaignId = survey(),
	more: Parameters<typeof service.emulator.submitResponse>[1] = {},
): string {
	const why = `Response ${++responses}`;
	service.emulator.submitResponse(campaignId, { answers: { 'Why?': why }, ...more });
	return why;
}

/** The survey data of so many people who answered. */
function surveyOf(rows: number): IDataObject {
	const result = Array.from({ length: rows }, (_, index) => ({
		userId: `u${index}`,
		submitted: true,
		responseSubmitted: true,
		'q.0': 'x',
	}));
	return { anonymous: false, questions: [{ _id: 'q1', title: 'Why?', options: [] }], result };
}

function whyOf({ answers }: IDataObject): unknown {
	return typeof answers === 'object' && answers !== null && 'Why?' in answers
		? answers['Why?']
		: undefined;
}

function whys(host: TriggerHost): unknown[] {
	return host.items.map(whyOf);
}

/** n8n 1 says nothing of how long a poll may take (no getPollBudgetMs). */
const withBudget = schedulings.length > 1 ? test : test.skip;

const all: INodeParameters = { watch: 'all' };

describe('one poll after another', () => {
	test('is silent about what is there, and emits each new response once in the documented form', async () => {
		const host = trigger();
		await host.activate();
		await host.poll();
		expect(host.executions).toEqual([]);

		const [why] = [answer(survey(), { responseDuration: 42 })];
		answer(survey(1));
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
						'Why?': why,
					},
				},
			],
		]);
		expect(Object.keys(host.items[0] ?? {}).slice(0, 2)).toEqual(['event', 'campaignId']);
	});

	test('gives the row as it is in raw form', async () => {
		const host = trigger({ output: 'raw' });
		await host.activate();
		const why = answer();
		await host.poll();
		expect(host.items).toEqual([
			expect.objectContaining({
				event: 'surveySubmitted',
				campaignId: survey(),
				submitted: true,
				'q.4': why,
			}),
		]);
	});

	test('counts from 1 when one survey shows it, for all, until a q.0 overrides it', async () => {
		const { emulator } = service;
		emulator.switches.questionNumbering = 'from1';
		const fresh = [survey(), survey(2)];
		for (const id of fresh) emulator.state.campaigns.get(id)?.survey?.clear();
		const host = trigger({ campaignIds: fresh, events: ['surveySubmitted', 'campaignRead'] });
		await host.activate();
		const last = () => host.items.at(-1)?.answers;
		answer();
		await host.poll();
		// Two events of one row are no two rows.
		expect(host.items).toHaveLength(2);
		expect(last()).toEqual({ 'q.5': 'Response ' + responses });

		// The rows of another survey show it, also of one that is watched later.
		host.options.parameters.campaignIds = [...fresh, survey(1)];
		await host.poll();
		const whole = { 'How do you feel?': null, 'What do you like?': null };
		let why = answer(survey(2));
		await host.poll();
		expect(last()).toMatchObject({ ...whole, 'Why?': why });
		why = answer();
		await host.restart();
		expect(last()).toMatchObject({ ...whole, 'Why?': why });

		emulator.switches.questionNumbering = 'from0';
		emulator.submitResponse(survey(), { answers: { 'How do you feel?': 3 } });
		await host.poll();
		expect(last()).toMatchObject({ 'How do you feel?': 3, 'Why?': null });
		why = answer(survey(2));
		await host.poll();
		expect(last()).toMatchObject({ ...whole, 'Why?': why });
	});

	test.each([true, 'true'])(
		'names nobody of a survey that is anonymous as %j, and warns where Raw does',
		async (anonymous) => {
			const row = (userId: string) => ({
				userId,
				userEmail: 'canary@example.com',
				submitted: true,
				submittedDate: new Date().toISOString(),
				'q.0': userId,
			});
			const result = [row('u1')];
			const data = { anonymous, name: 'Pulse', questions: [{ title: 'Why?' }], result };
			const respond = () => ({ statusCode: 200, headers: {}, body: { success: true, data } });
			for (const output of ['simplified', 'table', 'raw']) {
				const host = trigger({ output }, { respond, workflowId: `${output} ${anonymous}` });
				await host.activate();
				result.push(row(`canary ${output}`));
				log.clear();
				await host.poll();
				expect(host.items).toHaveLength(1);
				const isRaw = output === 'raw';
				expect(JSON.stringify(host.items).includes('canary@example.com')).toBe(isRaw);
				expect(JSON.stringify(log.lines).includes('Raw passes this on')).toBe(isRaw);
				expect(JSON.stringify(log.lines)).not.toContain('canary');
			}
		},
	);

	test('emits every event of interest of a row, each when it happens', async () => {
		const host = trigger({ events: ['campaignRead', 'campaignResponded', 'surveySubmitted'] });
		await host.activate();
		const row = service.emulator.submitResponse(survey(), {
			submitted: false,
			responseSubmitted: false,
		});
		await host.poll();
		service.emulator.changeResponse(survey(), row, {
			responseSubmitted: true,
			answers: { 'Why?': 'So' },
		});
		await host.poll();
		service.emulator.changeResponse(survey(), row, { submitted: true });
		await host.poll();
		service.emulator.changeResponse(survey(), row, {
			answers: { 'Why?': 'Changed' },
			responseDuration: 9,
			read: false,
		});
		await host.poll();
		service.emulator.changeResponse(survey(), row, { read: true });
		await host.poll();
		expect(host.items.map(({ event }) => event)).toEqual([
			'campaignRead',
			'campaignResponded',
			'surveySubmitted',
		]);
	});

	test('emits a late response with an old date, and equal anonymous ones by their number', async () => {
		const host = trigger({ campaignIds: `${survey()}, ${survey(2)}` });
		await host.activate();
		answer(survey(), { submittedDate: '2020-02-02T02:02:02.000Z' });
		await host.poll();
		expect(host.items).toHaveLength(1);

		const twin = { submittedDate: '2026-01-01T00:00:00.000Z', answers: { 'Why?': 'Twin' } };
		service.emulator.submitResponse(survey(2), twin);
		service.emulator.submitResponse(survey(2), twin);
		await host.poll();
		expect(host.items.slice(1).map(whyOf)).toEqual(['Twin', 'Twin']);
		service.emulator.submitResponse(survey(2), twin);
		await host.poll();
		await host.poll();
		expect(host.items).toHaveLength(4);
	});

	test('takes an anonymous row that goes on for the one it was', async () => {
		const host = trigger({
			events: ['campaignRead', 'campaignResponded', 'surveySubmitted'],
			campaignIds: survey(2),
		});
		await host.activate();
		const opened = { submitted: false, responseSubmitted: false, submittedDate: null };
		const row = service.emulator.submitResponse(survey(2), opened);
		service.emulator.submitResponse(survey(2), opened);
		await host.poll();
		service.emulator.changeResponse(survey(2), row, {
			responseSubmitted: true,
			answers: { 'Why?': 'So' },
		});
		await host.poll();
		service.emulator.changeResponse(survey(2), row, { submitted: true });
		await host.poll();
		await host.poll();
		expect(host.items.map(({ event }) => event)).toEqual([
			'campaignRead',
			'campaignRead',
			'campaignResponded',
			'surveySubmitted',
		]);
	});

	test('does not take for news what was missing from one answer', async () => {
		const host = trigger();
		await host.activate();
		const { emulator } = service;
		const kept = emulator.submitResponse(survey(), { answers: { 'Why?': 'Kept' } });
		await host.poll();
		emulator.hideResponses(survey(), { rows: [kept] });
		await host.poll();
		for (const result of ['empty', 'absent'] as const) {
			emulator.hideResponses(survey(), { result });
			await host.poll();
		}
		await host.poll();
		expect(whys(host)).toEqual(['Kept']);
	});

	test('starts with everything that is there when told to', async () => {
		const host = trigger({ options: { emitExisting: true } });
		await host.activate();
		await host.poll();
		expect(host.executions).toHaveLength(1);
		expect(host.items).toHaveLength(5);
	});

	test('re-baselines only what is new in the selection, and forgets what left it', async () => {
		const host = trigger();
		await host.activate();
		const select = async (...campaignIds: string[]) => {
			host.options.parameters.campaignIds = campaignIds;
			await host.activate('update');
		};
		answer(survey(1));
		const first = answer();
		await select(survey(), survey(1));
		const second = answer(survey(1));
		await host.poll();
		expect(whys(host)).toEqual([first, second]);

		await select(survey(1));
		expect(Object.keys(host.saved.campaigns ?? {})).toEqual([survey(1)]);
		answer();
		await select(survey(), survey(1));
		await host.poll();
		expect(whys(host)).toEqual([first, second]);
	});

	test('re-baselines an event that is added', async () => {
		const host = trigger();
		await host.activate();
		host.options.parameters.events = ['surveySubmitted', 'campaignRead'];
		await host.activate('update');
		await host.poll();
		expect(host.items).toEqual([]);
		answer();
		await host.poll();
		expect(host.items.map(({ event }) => event)).toEqual(['surveySubmitted', 'campaignRead']);
	});

	test('is silent about an empty survey, and then emits its first response', async () => {
		service.emulator.state.campaigns.get(survey())?.survey?.clear();
		const host = trigger();
		await host.activate();
		const why =
			answer(survey(), { answers: { 'How do you feel?': 3, 'Why?': 'First' } }) && 'First';
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('fails the activation when nothing is chosen, or something unknown, before anything is sent', async () => {
		await expect(trigger({ campaignIds: [] }).activate()).rejects.toThrow('Campaigns is empty');
		await expect(trigger({ events: [] }).activate()).rejects.toThrow('Events is empty');
		await expect(trigger({ events: ['deleted'] }).activate()).rejects.toThrow(
			'Events must be surveySubmitted, campaignResponded, campaignRead or surveyClosed: it is "deleted"',
		);
		await expect(trigger({ ...all, filters: { liveWithinDays: -1 } }).activate()).rejects.toThrow(
			'Live Within Days',
		);
		await expect(trigger({ watch: 'some' }).activate()).rejects.toThrow('Watch must be');
		await expect(trigger({ output: 'full' }).activate()).rejects.toThrow('Output must be');
		await expect(trigger({ options: { emitExisting: 'perhaps' } }).activate()).rejects.toThrow(
			'Emit Existing must be on or off',
		);
		await expect(trigger({ options: { maxReadGapMinutes: -1 } }).activate()).rejects.toThrow(
			'Max Read Gap',
		);
		expect(service.requests).toEqual([]);
	});
});

describe('all campaigns', () => {
	test('reads the surveys and asks the others once', async () => {
		const host = trigger(all);
		await host.activate();
		const asked = service.emulator.requestCount('GET', surveyData);
		expect(asked).toBeGreaterThan(3);
		await host.poll();
		expect(service.emulator.requestCount('GET', surveyData)).toBe(asked + 3);
		const expected = [answer(survey(1)), answer(survey(2))];
		await host.poll();
		expect(whys(host).sort()).toEqual(expected.sort());
		await host.restart();
		expect(service.emulator.requestCount('GET', surveyData)).toBe(asked + 9);
	});

	test('takes a campaign that goes live later for news from its first row', async () => {
		const host = trigger(all);
		await host.activate();
		await host.poll();
		const late = service.emulator.state.addSurvey({
			name: 'Late',
			description: 'Goes live after the start',
			recipients: new Set(),
			liveAt: Date.now(),
			questions: [{ templateCode: 'textarea', title: 'Why?' }],
		});
		const first = answer(late._id, { answers: { 'Why?': 'First' } }) && 'First';
		await host.poll();
		await host.poll();
		expect(whys(host)).toEqual([first]);
	});

	test('takes a draft that goes live later for news, and asks no draft', async () => {
		const draft = service.emulator.state.addSurvey({
			name: 'Draft',
			description: 'Not yet live',
			status: '4',
			scheduledAt: Date.now() + 86_400_000,
			recipients: new Set(),
			questions: [{ templateCode: 'textarea', title: 'Why?' }],
		});
		const host = trigger(all);
		await host.activate();
		expect(service.requests.filter(({ path }) => path.includes(draft._id))).toEqual([]);
		service.emulator.state.goLive(draft);
		service.emulator.submitResponse(draft._id, { answers: { 'Why?': 'First' } });
		await host.poll();
		expect(whys(host)).toEqual(['First']);
	});

	test('follows pages, and sends the filters', async () => {
		service.emulator.switches.pageCap.campaign = 2;
		const host = trigger({
			watch: 'all',
			filters: { category: 'Culture', scope: 'onlyApi', liveWithinDays: 30 },
		});
		await host.activate();
		const lists = service.requests.filter(({ path }) => path === '/int/v1/campaign');
		expect(lists.length).toBeGreaterThan(1);
		expect(lists[0]?.query).toEqual({
			limit: '1000',
			category: 'Culture',
			onlyApi: 'true',
			minLiveDate: expect.any(String),
		});
		const from = Date.parse(String(lists[0]?.query.minLiveDate));
		expect(Math.abs(Date.now() - 30 * 86_400_000 - from)).toBeLessThan(60_000);
		const why = answer(survey(2));
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('keeps a survey that is missing from one list, and one that closes, until its time is over', async () => {
		const host = trigger(all);
		await host.activate();
		const stop = service.emulator.faults.add({
			match: { method: 'GET', path: '/int/v1/campaign' },
			action: { status: 200, body: { success: true, data: [] } },
		});
		const first = answer();
		await host.poll();
		stop();
		const campaign = service.emulator.state.campaigns.get(survey());
		if (campaign) campaign.status = '3';
		const second = answer();
		await host.poll();
		await host.poll();
		expect(whys(host)).toEqual([first, second]);

		host.options.parameters.filters = { liveWithinDays: 1 };
		if (campaign) campaign.liveAt = Date.now() - 2 * 86_400_000;
		service.emulator.clearRequests();
		await host.activate('update');
		expect(service.requests.filter(({ path }) => path.includes(survey()))).toEqual([]);
		expect(Object.keys(host.saved.campaigns ?? {})).not.toContain(survey());
	});

	test('reads a closed survey once more, then not, and goes on when it is reopened', async () => {
		const host = trigger({ events: ['surveySubmitted', 'campaignRead'] });
		await host.activate();
		const first = answer();
		await host.poll();
		const last = answer();
		const campaign = service.emulator.state.campaigns.get(survey());
		if (!campaign) throw new Error('There is no survey');
		campaign.status = '3';
		await host.poll();
		const size = JSON.stringify(host.saved).length;
		expect(host.saved).not.toHaveProperty(['campaigns', survey(), 'rows', 'user5']);
		service.emulator.clearRequests();
		await host.poll();
		await host.restart();
		expect(service.emulator.requestCount('GET', surveyData)).toBe(0);
		expect(JSON.stringify(host.saved).length).toBe(size);

		campaign.status = '1';
		await host.poll();
		const again = answer();
		await host.poll();
		await host.poll();
		const given = host.items.map((item) => [item.event, whyOf(item)]);
		const both = (why: string) => [
			['surveySubmitted', why],
			['campaignRead', why],
		];
		expect(given).toEqual([...both(first), ...both(last), ...both(again)]);
	});

	test('does not ask for what is closed when the workflow is switched on, unless it is wanted', async () => {
		const campaign = service.emulator.state.campaigns.get(survey());
		if (campaign) campaign.status = '3';
		await trigger().activate();
		expect(service.emulator.requestCount('GET', surveyData)).toBe(0);
		const host = trigger({ options: { emitExisting: true } }, { workflowId: 'another' });
		await host.activate();
		expect(host.items).toHaveLength(5);
	});

	test('knows of a chosen one that it is closed, also behind hundreds that are newer', async () => {
		const campaign = service.emulator.state.campaigns.get(survey());
		if (campaign) campaign.status = '3';
		for (let number = 0; number < 150; number++) {
			service.emulator.state.addCampaign({ name: `Newer ${number}`, description: 'D' });
		}
		await trigger({}, { workflowId: 'behind hundreds' }).activate();
		expect(service.emulator.requestCount('GET', surveyData)).toBe(0);
	});

	test('has a few requests at a time in flight', async () => {
		for (let number = 0; number < 200; number++) {
			service.emulator.state.addSurvey({
				name: `Many ${number}`,
				description: 'One of many',
				recipients: new Set(),
				liveAt: Date.now() - 1000 * number,
				questions: [{ templateCode: 'textarea', title: 'Why?' }],
			});
		}
		service.emulator.faults.add({
			match: { path: surveyData },
			times: Infinity,
			action: { delayMs: 5 },
		});
		const host = trigger(all);
		await host.activate();
		expect(service.emulator.maxInFlight).toBe(4);
		expect(service.emulator.requestCount('GET', surveyData)).toBeGreaterThan(200);
	});

	test.each([
		['of many recipients', 10_001, 1],
		['with many answers', 0, 20_000],
	])('has one large answer at a time in flight: %s', async (_what, recipientAmount, rows) => {
		const ids = ['large 1', 'large 2', 'small 1', 'small 2'];
		const reading = new Set<string>();
		let mostLarge = 0;
		let most = 0;
		const host = trigger(
			{ campaignIds: ids },
			{
				workflowId: `large ${rows}`,
				respond: async ({ url }) => {
					const id = ids.find((known) => url.includes(encodeURIComponent(known)));
					const isLarge = id?.startsWith('large') ?? false;
					const data = id
						? surveyOf(isLarge ? rows : 1)
						: ids.map((_id) => ({
								_id,
								status: 1,
								recipientAmount: _id.startsWith('large') ? recipientAmount : 1,
							}));
					if (id !== undefined) {
						reading.add(id);
						mostLarge = Math.max(
							mostLarge,
							[...reading].filter((each) => each.startsWith('large')).length,
						);
						most = Math.max(most, reading.size);
						await new Promise(setImmediate);
						reading.delete(id);
					}
					return { statusCode: 200, headers: {}, body: { success: true, data } };
				},
			},
		);
		await host.activate();
		mostLarge = 0;
		await host.poll();
		expect(mostLarge).toBe(1);
		expect(most).toBeGreaterThan(1);
	});

	withBudget(
		'stops within the budget and goes on there at the next poll, losing nothing',
		async () => {
			const added = Array.from({ length: 24 }, (_, number) =>
				service.emulator.state.addSurvey({
					name: `Slow ${number}`,
					description: 'Takes its time',
					recipients: new Set(),
					liveAt: Date.now() - 1000 * number,
					questions: [{ templateCode: 'textarea', title: 'Why?' }],
				}),
			);
			for (const { _id } of added)
				service.emulator.submitResponse(_id, { answers: { 'Why?': 'Old' } });
			service.emulator.faults.add({
				match: { path: surveyData },
				times: Infinity,
				action: { delayMs: 60 },
			});
			const host = trigger(all, { budgetMs: 300 });
			await host.activate();
			const asked = () => service.emulator.requestCount('GET', surveyData);
			const inFirst = asked();
			expect(inFirst).toBeLessThan(24);

			// Submitted before most of them were read for the first time, and after the workflow was switched on.
			const expected = added.map(({ _id }) => answer(_id));
			for (let polls = 0; polls < 12; polls++) await host.poll();
			expect(whys(host).sort()).toEqual(expected.sort());
		},
	);
});

describe('failures', () => {
	const of = (campaignId: string) => ({
		method: 'GET',
		path: `/int/v1/campaign/${campaignId}/surveyData`,
	});

	test.each([429, 500, 503])(
		'tries a read three times when the service answers %i',
		async (status) => {
			const host = trigger();
			await host.activate();
			const why = answer();
			service.emulator.faults.add({ match: of(survey()), times: 2, action: { status } });
			service.emulator.clearRequests();
			await host.poll();
			expect(whys(host)).toEqual([why]);
			expect(service.emulator.requestCount('GET', surveyData)).toBe(3);
		},
	);

	test('obeys Retry-After, and tries a dropped connection again', async () => {
		const host = trigger();
		await host.activate();
		const why = answer();
		service.emulator.faults.add({
			match: of(survey()),
			action: { status: 429, headers: { 'retry-after': '2' } },
		});
		service.emulator.faults.add({ match: of(survey()), action: 'drop' });
		const before = Date.now();
		await host.poll();
		expect(Date.now() - before).toBeGreaterThan(2000);
		expect(whys(host)).toEqual([why]);
	});

	test('emits the others when one fails, and its rows at the next poll', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		await host.activate();
		const [failing, other] = [answer(), answer(survey(1))];
		const stop = service.emulator.faults.add({
			match: of(survey()),
			times: Infinity,
			action: 'html',
		});
		await host.poll();
		await host.poll();
		expect(whys(host)).toEqual([other]);
		stop();
		await host.poll();
		await host.poll();
		expect(whys(host)).toEqual([other, failing]);
	});

	test('emits what comes in a campaign that fails at the first poll, and not what was there', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		const stop = service.emulator.faults.add({
			match: of(survey()),
			times: Infinity,
			action: 'html',
		});
		await host.activate();
		const why = answer();
		stop();
		// n8n is killed after a poll without news: what that poll learnt is gone.
		await host.restart();
		await host.restart();
		expect(whys(host)).toEqual([why]);
	});

	test.each([
		['401', { status: 401, body: { success: false, message: 'No' } }],
		['403', { status: 403, body: { success: false, message: 'No' } }],
		['429', { status: 429, headers: { 'retry-after': '600' } }],
	])(
		'fails with HTTP code %s when all campaigns do, and changes nothing',
		async (httpCode, action) => {
			const host = trigger({ campaignIds: [survey(), survey(1)] });
			await host.activate();
			const why = answer();
			const stop = service.emulator.faults.add({
				match: { path: surveyData },
				times: Infinity,
				action,
			});
			const before = host.saved;
			await expect(host.poll()).rejects.toMatchObject({ name: 'NodeApiError', httpCode });
			expect(host.saved).toEqual(before);
			stop();
			await host.poll();
			expect(whys(host)).toEqual([why]);
		},
	);

	test('fails when the list fails, and then loses nothing', async () => {
		const host = trigger(all);
		await host.activate();
		const why = answer();
		service.emulator.faults.add({
			match: { path: '/int/v1/campaign' },
			times: 3,
			action: { status: 500 },
		});
		await expect(host.poll()).rejects.toMatchObject({ httpCode: '500' });
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('fails the activation with the credential to check when access is refused', async () => {
		const host = trigger({}, { credential: { ...service.accessKey, accessKey: 'wrong' } });
		await expect(host.activate()).rejects.toMatchObject({
			httpCode: '401',
			message: expect.stringContaining('refused access'),
			description: expect.stringContaining('Check the access key'),
		});
		expect(host.saved).toEqual({});
	});

	test('fails the activation when the only campaign is no survey', async () => {
		const other = [...service.emulator.state.campaigns.values()].find(
			({ survey: questions, status }) => !questions && status === '1',
		);
		await expect(trigger({ campaignIds: [other?._id ?? ''] }).activate()).rejects.toThrow(
			`"${other?.name}" is not a survey`,
		);
	});

	test('goes on with a survey that the service calls none for once, and gives no answer twice', async () => {
		const host = trigger(all);
		await host.activate();
		const first = answer();
		await host.poll();
		const refuse = 'Campaign is not a survey';
		service.emulator.faults.add({ match: of(survey()), action: { refuse } });
		const second = answer();
		await host.poll();
		const third = answer();
		await host.poll();
		expect(whys(host)).toEqual([first, second, third]);
	});

	test('ends the reading at the first 429, and goes on with the others at the next poll', async () => {
		const many = Array.from({ length: 12 }, (_, number) =>
			service.emulator.state.addSurvey({
				name: `Many ${number}`,
				description: 'One of many',
				recipients: new Set(),
				liveAt: Date.now() - 1000 * number,
				questions: [{ templateCode: 'textarea', title: 'Why?' }],
			}),
		);
		const ids = many.map(({ _id }) => _id);
		const host = trigger({ campaignIds: ids });
		await host.activate();
		const expected = ids.map((id) => answer(id));
		for (let polls = 0; polls < 6; polls++) {
			service.emulator.clearRequests();
			const stop = service.emulator.faults.add({
				match: { path: surveyData },
				skip: 3,
				times: Infinity,
				action: { status: 429, headers: { 'retry-after': '600' } },
			});
			await host.poll();
			stop();
			const refused = service.requests.filter(({ status }) => status === 429);
			expect(refused.length).toBeGreaterThan(0);
			expect(refused.length).toBeLessThanOrEqual(4);
		}
		expect(whys(host).sort()).toEqual(expected.sort());
	});

	test('begins nothing more after a 429 that was got over', async () => {
		const ids = Array.from({ length: 12 }, (_, number) => {
			const { _id } = service.emulator.state.addSurvey({
				name: `Many ${number}`,
				description: 'One of many',
				recipients: new Set(),
				liveAt: Date.now() - 1000 * number,
				questions: [{ templateCode: 'textarea', title: 'Why?' }],
			});
			return _id;
		});
		const host = trigger({ campaignIds: ids }, { workflowId: 'got over' });
		await host.activate();
		const expected = ids.map((id) => answer(id));
		service.emulator.faults.add({ match: { path: surveyData }, action: { status: 429 } });
		await host.poll();
		expect(whys(host).length).toBeGreaterThan(0);
		expect(whys(host).length).toBeLessThan(ids.length);
		await host.poll();
		expect(whys(host).sort()).toEqual(expected.sort());
	});

	withBudget('gives a read five seconds, however little is left of the poll', async () => {
		const timeouts: unknown[] = [];
		const host = trigger(
			{},
			{
				budgetMs: 1,
				workflowId: 'little time',
				respond: ({ url, timeout }) => {
					timeouts.push(timeout);
					const data = url.endsWith('/surveyData') ? { questions: [], result: [] } : [];
					return { statusCode: 200, headers: {}, body: { success: true, data } };
				},
			},
		);
		await host.activate();
		expect(timeouts).toEqual([5_000, 5_000]);
	});

	test('asks who the caller is when a campaign is refused, and goes on when that is answered', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		await host.activate();
		const why = answer(survey(1));
		const refused = { status: 403, body: { success: false, message: 'No' } };
		service.emulator.faults.add({ match: of(survey()), times: Infinity, action: refused });
		await host.poll();
		expect(whys(host)).toEqual([why]);
		expect(service.emulator.requestCount('GET', '/int/v1/me')).toBe(1);

		service.emulator.faults.add({
			match: { path: '/int/v1/me' },
			times: Infinity,
			action: refused,
		});
		service.emulator.faults.add({ match: of(survey(1)), times: Infinity, action: refused });
		await expect(host.poll()).rejects.toMatchObject({ httpCode: '403' });
	});

	test('tells of too many requests, by which n8n waits, rather than of one campaign that is refused', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] }, { workflowId: 'one and all' });
		await host.activate();
		service.emulator.faults.add({
			match: of(survey()),
			times: Infinity,
			action: { status: 403, body: { success: false, message: 'No' } },
		});
		service.emulator.faults.add({
			match: of(survey(1)),
			times: Infinity,
			action: { status: 429, headers: { 'retry-after': '600' } },
		});
		await expect(host.poll()).rejects.toMatchObject({ httpCode: '429' });
	});

	test.each([
		['not found', { status: 200, body: { success: false, message: 'Not Found.' } }],
		['refused', { status: 403, body: { success: false, message: 'No' } }],
	])('is no failure when the only campaign is deleted or unshared: %s', async (_, action) => {
		const host = trigger(all);
		await host.activate();
		service.emulator.faults.add({
			match: { path: '/int/v1/campaign' },
			times: Infinity,
			action: { status: 200, body: { success: true, data: [] } },
		});
		const stop = service.emulator.faults.add({
			match: { path: surveyData },
			times: Infinity,
			action,
		});
		await host.poll();
		await host.restart();
		stop();
		const why = answer();
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('is one when the list still has the campaign', async () => {
		const host = trigger(all, { workflowId: 'listed and not found' });
		await host.activate();
		service.emulator.faults.add({
			match: { path: surveyData },
			times: Infinity,
			action: { refuse: 'Not Found.' },
		});
		await expect(host.poll()).rejects.toThrow('Not Found.');
	});

	test('watches chosen campaigns without the list of campaigns', async () => {
		const host = trigger();
		const stop = service.emulator.faults.add({
			match: { path: '/int/v1/campaign' },
			times: Infinity,
			action: 'html',
		});
		await host.activate();
		const why = answer();
		await host.poll();
		expect(whys(host)).toEqual([why]);
		stop();
	});

	test.each([
		['a text of rows', (state: string) => state.replace(/"user1":"./, '"user1":"#')],
		['a time', (state: string) => state.replace(/"listedUntil":\d+/, '"listedUntil":"today"')],
		['a campaign', (state: string) => state.replace(/"events":1/, '"events":"1"')],
	])('says so in words when what it remembers is damaged: %s', async (_, damage) => {
		const host = trigger();
		await host.activate();
		const damaged = damage(host.database.staticData);
		expect(damaged).not.toBe(host.database.staticData);
		host.database.staticData = damaged;
		answer();
		await expect(host.restart()).rejects.toMatchObject({
			message: 'The saved state of this trigger cannot be read',
			description: expect.stringContaining('rename this node'),
		});
		expect(host.database.staticData).toBe(damaged);
		expect(host.items).toEqual([]);
	});

	test('an answer nested 20,000 deep stops no other campaign', async () => {
		const nested = '['.repeat(20_000) + ']'.repeat(20_000);
		let deep = '[]';
		const row = (answer: string) =>
			`{"submitted":true,"submittedDate":"2026-01-31T09:15:00.000Z","q.0":${answer}}`;
		const respond = ({ url }: { url: string }) => {
			const isDeep = url.includes('deep');
			const data = url.endsWith('/surveyData')
				? `{"anonymous":true,"questions":[],"result":[${deep === '[]' ? '' : row(isDeep ? deep : '1')}]}`
				: '[]';
			const body = parseAs<IDataObject>(`{"success":true,"data":${data}}`);
			return { statusCode: 200, headers: {}, body };
		};
		const host = trigger({ campaignIds: ['deep', 'other'] }, { respond, workflowId: 'deep' });
		await host.activate();
		deep = nested;
		await host.poll();
		await host.poll();
		expect(host.items.map(({ campaignId }) => campaignId)).toEqual(['other']);
		expect(JSON.stringify(log.lines)).toContain('Campaign deep could not be read');
	});

	test('refuses a state of a newer version, and leaves it as it is', async () => {
		const host = trigger();
		await host.activate();
		const newer = host.database.staticData.replace('"version":1', '"version":2');
		host.database.staticData = newer;
		await expect(host.restart()).rejects.toThrow('newer version');
		expect(host.database.staticData).toBe(newer);
	});
});

describe.each(schedulings)('scheduling %s', (scheduling) => {
	test('emits each response once, over restarts and kills at any time', async () => {
		const host = trigger({ campaignIds: [survey(), survey(2)] }, { scheduling });
		await host.activate();
		const expected = [answer(), answer(survey(2))];
		await host.poll();
		await host.poll();
		expected.push(answer());
		await host.restart();
		await host.poll();
		expected.push(answer(survey(2)));
		await host.poll();
		host.kill();
		expected.push(answer(), answer());
		await host.activate('init');
		await host.poll();
		expect(whys(host).sort()).toEqual(expected.sort());
	});

	test('has its baseline saved when the workflow is on', async () => {
		const host = trigger({}, { scheduling });
		await host.activate();
		host.kill();
		const why = answer();
		await host.activate('init');
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('emits once when polls overlap', async () => {
		const host = trigger({}, { scheduling });
		await host.activate();
		await host.poll();
		const why = answer();
		service.emulator.faults.add({ match: { path: surveyData }, action: { delayMs: 200 } });
		await Promise.all([host.poll(), host.poll(), host.poll()]);
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('goes on where it stopped after it was switched off', async () => {
		const host = trigger({}, { scheduling });
		await host.activate();
		await host.poll();
		host.kill();
		const why = answer();
		await host.activate('activate');
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('gives a campaign that is added by an expression some polls after a restart a baseline', async () => {
		const host = trigger({}, { scheduling });
		await host.activate();
		answer(survey(1));
		await host.restart();
		await host.poll();
		host.options.parameters.campaignIds = [survey(), survey(1)];
		await host.poll();
		expect(host.items).toEqual([]);
		const why = answer(survey(1));
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});

	test('does not begin a poll on the same memory while one without news is at work', async () => {
		const host = trigger({}, { scheduling });
		await host.activate();
		service.emulator.clearRequests();
		service.emulator.faults.add({
			match: { path: surveyData },
			times: Infinity,
			action: { delayMs: 100 },
		});
		await Promise.all([host.poll(), host.poll()]);
		expect(service.emulator.maxInFlight).toBe(1);
	});

	test('loses nothing of a campaign that was added by an expression just before a kill', async () => {
		const host = trigger({}, { scheduling });
		await host.activate();
		await host.poll();
		host.options.parameters.campaignIds = [survey(), survey(1)];
		await host.poll();
		const why = answer(survey(1));
		await host.restart();
		await host.poll();
		expect(whys(host)).toEqual([why]);
	});
});

describe('in the editor', () => {
	test('shows the newest rows and remembers nothing', async () => {
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		answer(survey(), { submittedDate: '2020-02-02T02:02:02.000Z' });
		const newest = answer(survey(1));
		const items = await host.sample();
		expect(items).toHaveLength(5);
		expect(whyOf(items[0] ?? {})).toBe(newest);
		const dates = items.map(({ submittedDate }) => String(submittedDate));
		expect(dates).toEqual([...dates].sort().reverse());
		expect(host.saved).toEqual({});
		await host.activate();
		expect(host.items).toEqual([]);
	});

	test('shows rows of all campaigns', async () => {
		expect(await trigger({ ...all, output: 'raw' }).sample()).toEqual(
			Array.from({ length: 5 }, () =>
				expect.objectContaining({ event: 'surveySubmitted', submitted: true }),
			),
		);
	});

	const answered = {
		'How do you feel?': 'Example answer',
		'Would you recommend us?': 'Yes',
		'What do you like?': 'Team',
		'How satisfied are you?': 'Leadership: 1, Tools: 1',
		'Why?': 'Example answer',
	};

	test.each(['from0', 'from1'] as const)(
		'makes an example of the questions of a survey that nobody has answered, numbered %s',
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
			// Nothing shows yet by which keys the service gives the answers.
			host.options.parameters.output = 'raw';
			const [raw] = await host.sample();
			expect(raw).toMatchObject({ event: 'surveySubmitted', example: true, submitted: true });
			expect(Object.keys(raw ?? {}).join()).not.toContain('q.');

			// Another survey shows it.
			host.options.parameters.campaignIds = [survey(), survey(1)];
			host.options.parameters.events = ['campaignRead'];
			for (const row of service.emulator.state.campaigns.get(survey(1))?.survey?.rows() ?? [])
				row.read = false;
			const [shown = {}] = await host.sample();
			const keys = Object.keys(shown).filter((key) => key.startsWith('q.'));
			const first = numbering === 'from0' ? 0 : 1;
			expect(keys).toEqual(Object.keys(answered).map((_title, index) => `q.${index + first}`));

			const why = answer();
			host.options.parameters.output = 'simplified';
			const items = await host.sample();
			expect(items.map(whyOf)).toEqual([why]);
			expect(items[0]).not.toHaveProperty('example');
		},
	);

	test('names nobody in the example of an anonymous survey', async () => {
		service.emulator.state.campaigns.get(survey(2))?.survey?.clear();
		const host = trigger({ campaignIds: [survey(2)] });
		const nobody = { anonymous: true, userId: null, userEmail: null, example: true };
		expect(await host.sample()).toMatchObject([nobody]);
		host.options.parameters.output = 'raw';
		expect(JSON.stringify(await host.sample())).not.toContain('person@example.com');
	});

	test('has the field names that the active workflow has found out', async () => {
		service.emulator.switches.questionNumbering = 'from1';
		const host = trigger({ campaignIds: [survey(), survey(1)] });
		await host.activate();
		service.emulator.state.campaigns.get(survey())?.survey?.clear();
		const why = answer();
		host.options.parameters.campaignIds = [survey()];
		expect((await host.sample()).map(whyOf)).toEqual([why]);
	});

	test('says so when there is nothing to show', async () => {
		service.emulator.switches.surveyQuestionsForm = 'absent';
		service.emulator.state.campaigns.get(survey())?.survey?.clear();
		await expect(trigger().sample()).rejects.toThrow('There are no responses to show yet');
	});

	test('shows why a campaign cannot be read', async () => {
		await expect(trigger({ campaignIds: ['64f1c0ffee0000000000abcd'] }).sample()).rejects.toThrow(
			'Not Found',
		);
	});

	test('has the output schema that the editor shows', async () => {
		answer();
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

	test('says at publishing that what exists is skipped', async () => {
		const { description } = (await loadPackage()).node('messagingServiceTrigger');
		expect(description.activationMessage).toMatch(/Existing responses are skipped .*published/);
	});

	test('offers the campaigns to choose from', async () => {
		const options = await loadOptions(
			'getCampaigns',
			service.accessKey,
			{},
			'messagingServiceTrigger',
		);
		expect(options).toHaveLength(9);
		expect(options).toContainEqual({ name: 'Survey 1', value: survey(), description: 'live' });
	});
});

// Last in the file: the time that it lets pass makes campaigns of other tests rarely read.
test('reads all at once when n8n has started again, however lately it read them', async () => {
	const host = trigger({}, { workflowId: 'started again' });
	await host.activate();
	advanceClock(24 * 3_600_000);
	await host.poll();
	const why = answer();
	await host.poll();
	expect(whys(host)).toEqual([]);
	await host.restart();
	expect(whys(host)).toEqual([why]);
});
