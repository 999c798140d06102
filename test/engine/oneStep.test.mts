import { isNativeError } from 'node:util/types';

import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions, type RunResult } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { LAUNCH } from '../kit/questions.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService();

const emailOf = (index: number): string =>
	required(service.emulator.state.people.values()[index], `person ${index}`).email;

const launch = async (
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
): Promise<RunResult> =>
	await service.run(
		'survey.launch',
		{ ...LAUNCH, recipientEmails: emailOf(0), ...parameters },
		options,
	);

const campaignOf = (result: RunResult) =>
	required(service.emulator.state.campaigns.get(String(result.json[0]?._id)), 'survey');

const CREATE = 'POST /campaign/survey';
const ADD = 'PUT /campaign/:id/addRecipients';
const READ = 'GET /campaign/:id';
const SEND = 'PUT /campaign/:id';
const READ_SURVEY = 'GET /campaign/:id/surveyData';

describe('survey: launch', () => {
	test.each([
		[false, [CREATE, ADD], '0'],
		[true, [CREATE, ADD, READ, SEND], '1'],
	])('sends the expected requests with Send Now %j', async (sendNow, expected, status) => {
		const surveySettings = { full_height: true };
		const recipients = [{ email: 'new@example.com' }];
		const result = await launch({
			...{ sendNow, surveySettings, recipientsFrom: 'newRecipients' },
			recipients: { recipient: recipients },
		});
		expect(result.error).toBeUndefined();
		expect(service.calls).toEqual(expected);
		const survey = { name: 'Pulse', description: 'D', questions: [expect.any(Object)] };
		const sent = sendNow ? [undefined, { status: 'live' }] : [];
		const bodies = [{ ...survey, surveySettings }, { recipients }, ...sent];
		expect(service.requests.map(({ body }) => body)).toEqual(bodies);
		const understood = { number: 1, title: 'How was it?', type: 'rating', required: false };
		expect(result.json[0]).toMatchObject({ sent: sendNow, questions: [understood] });
		expect(Object.keys(result.json[0] ?? {})[0]).toBe('sent');
		expect(campaignOf(result).status).toBe(status);
	});

	test.each([
		['no questions', { questionsText: '={{ $json.nope }}' }],
		['a question without options', { questionsText: 'Which? (radio)' }],
		['an empty draft', { options: { draftId: '' } }],
		['no draft from an expression', { options: { draftId: '={{ $json.nope }}' } }],
	])('with %s, fails before anything is sent', async (_what, parameters) => {
		const { error } = await launch(parameters);
		expect(error).toBeDefined();
		expect(service.requests).toEqual([]);
	});

	test('if recipients are unknown, nothing is sent, and a second run continues with the draft', async () => {
		const unknown = ['nobody@example.com', 'Nowhere@example.com'];
		const recipientEmails = [emailOf(0), emailOf(1), ...unknown].join();
		const { error } = await launch({ recipientEmails, sendNow: true });
		// A recipient group would show which addresses are unknown, but Launch must not create one.
		expect(service.calls).toEqual([CREATE, ADD]);
		const draft = service.emulator.state.campaigns
			.values()
			.find(({ name }) => name === LAUNCH.name);
		const draftId = draft?._id ?? '';
		expect(error?.message).toBe('Not all emails founded as recipient in system');
		expect(error?.description).toBe(
			`Some recipients are not known to the service, so it rejected the whole request. Check the spelling, or first add the people in the service. Recipient Group: Sync reports which addresses are unknown. The survey was created as draft ${draftId}, but adding the recipients failed. The survey was not sent. Fix the problem, then run again with the option Continue With Draft and this ID.`,
		);
		expect(error?.context).toMatchObject({ draftId });
		expect(draft?.status).toBe('0');

		service.emulator.clearRequests();
		const second = await launch({ sendNow: true, options: { draftId } });
		expect(second.error).toBeUndefined();
		expect(service.calls).toEqual([READ, READ_SURVEY, ADD, READ, SEND]);
		// The draft keeps its own questions, whatever the parameters say.
		const campaignUrl = expect.stringContaining('http');
		const sent = { _id: draftId, sent: true, recipients: 1, questions: null, campaignUrl };
		expect(second.json[0]).toMatchObject(sent);
	});

	test('if sending is refused, reports that the recipients were added', async () => {
		service.emulator.faults.on('PUT /campaign/:id', { refuse: 'Out of office' });
		const { error } = await launch({ sendNow: true });
		expect(error?.message).toBe('Out of office');
		expect(error?.description).toMatch(/[0-9a-f]{24}/);
		expect(error?.description).toContain('The recipients were added.');
	});

	test.each(['1', '3', '4'] as const)(
		'does not continue with a campaign in status %s',
		async (status) => {
			const draft = campaignOf(await launch());
			draft.status = status;
			service.emulator.clearRequests();
			const { error } = await launch({ options: { draftId: draft._id } });
			expect(error?.message).toContain('is not a draft');
			expect(service.calls).toEqual([READ]);
		},
	);
});

describe('survey: launch with Continue With Draft', () => {
	const plain = () =>
		service.emulator.state.addCampaign({ name: 'A', description: 'B', status: '0' });

	test('does not send a campaign that is not a survey', async () => {
		const { _id } = plain();
		for (const sendNow of [true, false]) {
			service.emulator.clearRequests();
			const { error } = await launch({ sendNow, options: { draftId: _id } });
			expect(error?.message).toBe(`Campaign "${_id}" is not a survey`);
			expect(service.calls).toEqual([READ, READ_SURVEY]);
		}
	});

	test.each([
		[{ refuse: 'Campaign is not live' }, undefined],
		['drop', /connection broke/],
	] as const)('if the survey data cannot be read (%j), fails with %s', async (action, message) => {
		const draft = campaignOf(await launch());
		service.emulator.clearRequests();
		service.emulator.faults.on('GET /campaign/:id/surveyData', action, { times: Infinity });
		const { error } = await launch({ sendNow: true, options: { draftId: draft._id } });
		if (message) expect(error?.message).toMatch(message);
		else expect(error).toBeUndefined();
		expect(draft.status).toBe(message ? '0' : '1');
	});
});

const sendDraft = async (draft = service.emulator.state.campaigns.values().find(isDraft)) =>
	await service.run('campaign.send', { campaignId: locator(required(draft, 'draft')._id) });
const isDraft = ({ status }: { status: string }) => status === '0';

describe.each([
	['campaign: send', async () => await sendDraft()],
	['survey: launch', async () => await launch({ sendNow: true })],
] as const)('%s', (_name, send) => {
	test('adds the description when the service demands it', async () => {
		service.emulator.switches.updateWithoutDescription = 'refuse';
		const { error } = await send();
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toEqual({
			status: 'live',
			description: expect.stringMatching(/./),
		});
		expect(service.calls.slice(-3)).toEqual([SEND, READ, SEND]);
	});

	test.each(['Not today', 'Title is mandatory'])(
		'does not send again after the refusal "%s"',
		async (message) => {
			service.emulator.faults.on('PUT /campaign/:id', { refuse: message });
			const { error } = await send();
			expect(error?.message).toBe(message);
			expect(service.calls.filter((call) => call === SEND)).toHaveLength(1);
		},
	);
});

const groups = () => service.emulator.state.recipientGroups.values();
const posts = () => service.requests.filter(({ method }) => method === 'POST');

describe('recipient group: get or create', () => {
	const getOrCreate = async (names: string[], options: Partial<RunOptions> = {}) =>
		await service.run(
			'recipientGroup.getOrCreate',
			{ name: '={{ $json.name }}' },
			{ items: names.map((name) => ({ json: { name } })), ...options },
		);

	test('creates each missing group once, whatever blanks, case and Unicode forms it is written with', async () => {
		const [known, ...others] = groups();
		const names = [
			` ${known?.name.toUpperCase()} `,
			'Café',
			'Other',
			'cafe\u0301 ',
			'CAFÉ',
			'O\u200bTHER',
		];
		const { json } = await getOrCreate(names);
		expect(json.map(({ created }) => created)).toEqual([false, true, true, false, false, false]);
		expect(json[0]?._id).toBe(known?._id);
		expect(new Set(json.map(({ _id }) => _id)).size).toBe(3);
		expect(groups()).toHaveLength(1 + others.length + 2);
		expect(posts()).toHaveLength(2);
	});

	test('tells two groups apart that look alike, if items name them exactly', async () => {
		const twins = ['Twins', 'TWINS'].map((name) => service.emulator.state.addRecipientGroup(name));
		const { json } = await getOrCreate(['TWINS', 'Twins ', 'TWINS']);
		const [mixed, upper] = twins.map(({ _id }) => _id);
		expect(json.map(({ _id, created }) => [_id, created])).toEqual(
			[upper, mixed, upper].map((id) => [id, false]),
		);
	});

	test.each([
		['drop', 0],
		['dropAfter', 403],
	] as const)(
		'after a lost response (%s) and a list without the group (status %i), each item has the error with its own number',
		async (creation, status) => {
			const before = groups().length;
			service.emulator.faults.on('POST /recipientGroup', creation);
			service.emulator.onRequest(({ method }) => {
				if (method === 'POST' && status > 0)
					service.emulator.faults.on('GET /recipientGroup', { status }, { times: Infinity });
			});
			const { items } = await getOrCreate(['Lost', 'Lost', 'Lost'], {
				onError: 'continueRegularOutput',
			});
			const numbers = items.map(({ error }) => error && error.context.itemIndex);
			expect(numbers).toEqual([0, 1, 2]);
			expect(items.map(({ error }) => error?.context.outcomeUnknown)).toEqual([true, true, true]);
			expect(new Set(items.map(({ error }) => error?.description)).size).toBe(1);
			expect(groups()).toHaveLength(before + (creation === 'drop' ? 0 : 1));
			expect(posts()).toHaveLength(1);
			// A real Error would make `$input.all()` undefined in expressions of the next node.
			expect(items.map(({ error }) => isNativeError(error))).toEqual([false, false, false]);
		},
	);

	test('after a lost response, returns the group that was created', async () => {
		service.emulator.faults.on('POST /recipientGroup', 'dropAfter');
		const { json, error } = await getOrCreate(['Lost', 'Lost']);
		expect(error).toBeUndefined();
		const created = groups().filter(({ name }) => name === 'Lost');
		expect(created).toHaveLength(1);
		expect(json).toEqual([
			expect.objectContaining({ _id: created[0]?._id, created: false }),
			expect.objectContaining({ _id: created[0]?._id, created: false }),
		]);
	});

	test('two executions at once create one group of each name', async () => {
		service.emulator.faults.on('POST /recipientGroup', { delayMs: 100 });
		const runs = await Promise.all([getOrCreate(['A', 'B']), getOrCreate(['b', 'a'])]);
		expect(posts()).toHaveLength(2);
		const results = runs.flatMap(({ json }) => json);
		expect(results.filter(({ created }) => created === true)).toHaveLength(2);
		expect(new Set(results.map(({ _id }) => _id)).size).toBe(2);
	});

	test.each([
		[{ refuse: 'Not now' }, true],
		['dropAfter', false],
	] as const)(
		'if another execution, for which it waited, failed with %j, an execution creates the group: %j',
		async (failure, isCreated) => {
			service.emulator.faults.on('POST /recipientGroup', { delayMs: 100 });
			service.emulator.faults.on('POST /recipientGroup', failure);
			service.emulator.onRequest(({ method }) => {
				if (method !== 'POST' || isCreated) return;
				service.emulator.faults.on('GET /recipientGroup', { refuse: 'No' }, { times: 2 });
			});
			const runs = await Promise.all([getOrCreate(['A']), getOrCreate(['A'])]);
			const created = runs.map(({ error, json }) => (error ? 'failed' : json[0]?.created));
			expect(created.sort()).toEqual(['failed', isCreated]);
		},
	);

	test('finds a group that another execution has created since the list was read', async () => {
		service.emulator.faults.on('POST /recipientGroup', { delayMs: 500 });
		let other: Promise<RunResult> | undefined;
		service.emulator.onRequest(({ method }) => {
			if (method === 'POST') other ??= getOrCreate(['Shared']);
		});
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 0 } } };
		const { json } = await service.run(
			'recipientGroup.getOrCreate',
			{ name: '={{ $json.name }}', requestOptions },
			{ items: ['First', 'Shared', 'Third', 'Last'].map((name) => ({ json: { name } })) },
		);
		expect(json.map(({ created }) => created)).toEqual([true, false, true, true]);
		expect((await other)?.json[0]).toMatchObject({ _id: json[1]?._id, created: true });
		// Only what others have created makes the list out of date.
		const sent = service.requests.filter(({ path }) => path === '/int/v1/recipientGroup');
		const order = sent.map(({ method }) => method).join(' ');
		expect(order.replace(/(GET )+/g, 'list ')).toBe('list POST list POST list POST POST');
	});
});

describe.each(['addRecipients', 'removeRecipients'])('recipient group: %s', (operation) => {
	const change = async (recipientEmails: string, items = [{ json: {} }]) => {
		const [group] = service.emulator.state.recipientGroups.values();
		const parameters = { recipientGroupId: locator(String(group?._id)), recipientEmails };
		const { hints } = await service.run(`recipientGroup.${operation}`, parameters, { items });
		return hints.map(({ message }) => message);
	};
	const nobody = ['Nobody@example.com', 'nowhere@example.com'];

	test.each(['recipientField', 'text', 'lowerCase', 'opaque'] as const)(
		'warns only of refused recipients, with %j in errorLog',
		async (errorLogShape) => {
			Object.assign(service.emulator.switches, { unknownEmails: 'errorLog', errorLogShape });
			const named = errorLogShape === 'opaque' ? '' : ': Nobody@e.*, nowhere@e.*';
			const warning = new RegExp(`Item 0: .* refused 2 of 3 recipients${named}\\. The output`);
			expect(await change([emailOf(0), ...nobody].join())).toEqual([
				expect.stringMatching(warning),
			]);
			expect(await change([emailOf(0), emailOf(1)].join())).toEqual([]);
		},
	);

	test('shows at most ten warnings, and the number of the others', async () => {
		Object.assign(service.emulator.switches, { unknownEmails: 'errorLog' });
		const items = Array.from({ length: 13 }, () => ({ json: {} }));
		const warnings = await change('nobody@example.com', items);
		expect(warnings).toHaveLength(11);
		expect(warnings.at(-1)).toBe('And 3 more warnings');
	});
});
