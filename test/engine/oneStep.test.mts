import { locator, type RunOptions, type RunResult } from '../kit/engine.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const questionsText = 'How was your first week? (rating: Bad … Great) *';

const survey = {
	name: 'First week',
	campaignDescription: 'One question',
	questionsInput: 'text',
	questionsText,
	recipientsFrom: 'emails',
};

const emailOf = (index: number): string =>
	required([...service.emulator.state.people.values()][index], `person ${index}`).email;

const launch = async (
	parameters: Parameters<typeof service.run>[2] = {},
	options: Parameters<typeof service.run>[3] = {},
): Promise<RunResult> =>
	await service.run(
		'survey',
		'launch',
		{ ...survey, recipientEmails: emailOf(0), ...parameters },
		options,
	);

const calls = (): string[] =>
	service.requests.map(({ method, path }) =>
		`${method} ${path}`.replace('/int/v1', '').replace(/[0-9a-f]{24}/, ':id'),
	);

const campaignOf = (result: RunResult) => {
	const campaign = service.emulator.state.campaigns.get(String(result.json[0]?._id));
	if (!campaign) throw new Error('The survey is not in the service');
	return campaign;
};

describe('survey: launch', () => {
	test('leaves a draft with its questions and recipients, and sends nothing', async () => {
		const result = await launch();
		expect(result.error).toBeUndefined();
		expect(calls()).toEqual(['POST /campaign/survey', 'PUT /campaign/:id/addRecipients']);
		expect(result.json[0]).toMatchObject({ sent: false });
		expect(Object.keys(result.json[0] ?? {})[0]).toBe('sent');
		expect(campaignOf(result).status).toBe('0');
	});

	test('leaves no draft behind when an address is malformed, and names it', async () => {
		const before = service.emulator.state.campaigns.size;
		const { error } = await launch({ recipientEmails: `${emailOf(0)}, ada.example` });
		expect(error?.message).toBe('Recipient Emails holds what is no email address: "ada.example"');
		expect(calls()).toEqual([]);
		expect(service.emulator.state.campaigns.size).toBe(before);
	});

	test('with Send Now goes out, last of all', async () => {
		const result = await launch({ sendNow: true });
		expect(result.error).toBeUndefined();
		expect(calls()).toEqual([
			'POST /campaign/survey',
			'PUT /campaign/:id/addRecipients',
			'PUT /campaign/:id',
		]);
		expect(service.lastRequest.body).toEqual({ status: 'live' });
		expect(result.json[0]).toMatchObject({ sent: true });
		expect(campaignOf(result).status).toBe('1');
	});

	test.each([
		['no questions', { questionsText: '={{ $json.nope }}' }],
		['a line that says nothing', { questionsText: 'What? (riddle)' }],
		['a choice without options', { questionsText: 'Which? (radio)' }],
		['nobody', { recipientEmails: '' }],
		['an unknown kind of recipients', { recipientsFrom: 'none' }],
		['no name', { name: '={{ $json.nope }}' }],
		['a switch that is none', { sendNow: '={{ "perhaps" }}' }],
		['an empty draft', { options: { draftId: '' } }],
		['a draft that an expression does not give', { options: { draftId: '={{ $json.nope }}' } }],
	])('%s fails before anything is sent', async (_what, parameters) => {
		const { error } = await launch(parameters);
		expect(error).toBeDefined();
		expect(service.requests).toEqual([]);
	});

	test('recipients refused: names the draft, which Continue With Draft takes up', async () => {
		const first = await launch({ recipientEmails: 'nobody@example.com', sendNow: true });
		expect(calls()).toEqual(['POST /campaign/survey', 'PUT /campaign/:id/addRecipients']);
		const draft = [...service.emulator.state.campaigns.values()].find(
			({ name }) => name === survey.name,
		);
		const draftId = draft?._id ?? '';
		expect(first.error?.description).toContain(draftId);
		expect(first.error?.context).toMatchObject({ draftId });
		expect(first.error?.description).toContain('It was not sent.');
		expect(draft?.status).toBe('0');

		const count = service.requests.length;
		const second = await launch({ sendNow: true, options: { draftId } });
		expect(second.error).toBeUndefined();
		expect(calls().slice(count)).toEqual([
			'GET /campaign/:id',
			'PUT /campaign/:id/addRecipients',
			'PUT /campaign/:id',
		]);
		expect(second.json[0]).toMatchObject({ _id: draftId, sent: true });
	});

	test('a survey without an ID is told, and nothing else is tried', async () => {
		service.emulator.faults.on('POST /campaign/survey', {
			status: 200,
			body: { success: true, data: { _id: '' } },
		});
		const { error } = await launch({ sendNow: true });
		expect(error?.message).toBe('The service created the survey but returned no ID');
		expect(service.requests).toHaveLength(1);
	});

	test('sending refused: says that the recipients were added', async () => {
		service.emulator.faults.on('PUT /campaign/:id', { refuse: 'Out of office' });
		const { error } = await launch({ sendNow: true });
		expect(error?.message).toBe('Out of office');
		expect(error?.description).toMatch(/[0-9a-f]{24}/);
		expect(error?.description).toContain('The recipients were added.');
	});

	test('a draft that is live by now gets no recipients', async () => {
		const { json } = await launch({ sendNow: true });
		const draftId = String(json[0]?._id);
		const count = service.requests.length;
		const { error } = await launch({ options: { draftId }, recipientEmails: emailOf(1) });
		expect(error?.message).toContain('is not a draft');
		expect(calls().slice(count)).toEqual(['GET /campaign/:id']);
	});

	test.each(['3', '4'] as const)(
		'a draft that has status %s by now is left alone',
		async (status) => {
			const draft = campaignOf(await launch());
			const draftId = draft._id;
			draft.status = status;
			const count = service.requests.length;
			const { error } = await launch({ options: { draftId }, recipientEmails: emailOf(1) });
			expect(error?.message).toContain('is not a draft');
			expect(calls().slice(count)).toEqual(['GET /campaign/:id']);
		},
	);

	test('works as a tool of an agent', async () => {
		const result = await launch({ sendNow: true }, { asTool: true });
		expect(result.error).toBeUndefined();
		expect(result.json[0]).toMatchObject({ sent: true });
	});
});

describe('as a tool, an agent gets the error and what to do', () => {
	test.each([
		['refused by the service', { recipientEmails: 'nobody@example.com' }, 'Not all emails'],
		['refused before sending', { questionsText: 'What? (riddle)' }, 'ine 1'],
		['refused in a collection', { additionalFields: { templateData: '{ no' } }, 'Template Data'],
	])('%s', async (_what, parameters, words) => {
		const { json, error } = await launch(parameters, { asTool: true });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(`${String(json[0]?.error)} ${String(json[0]?.advice)}`).toContain(words);
	});

	test('Sync names what an agent can use instead, and sends nothing', async () => {
		const { json } = await service.run(
			'recipientGroup',
			'sync',
			{ recipientGroupId: locator('64f1c0ffee0000000000abcd'), mode: 'mirror' },
			{ asTool: true },
		);
		expect(json[0]?.advice).toContain('Add Recipients');
		expect(service.requests).toEqual([]);
	});
});

describe.each([
	['campaign: send', async () => await sendDraft()],
	['survey: launch', async () => await launch({ sendNow: true })],
] as const)('%s', (_name, sendIt) => {
	test('reads the description and sends it along once when the service demands it', async () => {
		service.emulator.switches.updateWithoutDescription = 'refuse';
		const { error } = await sendIt();
		expect(error).toBeUndefined();
		const body = service.lastRequest.body;
		expect(body).toEqual({ status: 'live', description: expect.stringMatching(/./) });
		expect(calls().slice(-3)).toEqual([
			'PUT /campaign/:id',
			'GET /campaign/:id',
			'PUT /campaign/:id',
		]);
	});

	test.each(['Not today', 'Title is mandatory'])('%s is not repeated', async (message) => {
		service.emulator.faults.on('PUT /campaign/:id', { refuse: message });
		const { error } = await sendIt();
		expect(error?.message).toBe(message);
		expect(calls().filter((call) => call === 'PUT /campaign/:id')).toHaveLength(1);
	});
});

describe('campaign: send', () => {
	test('to nobody fails before it turns live', async () => {
		const draft = service.emulator.state.addCampaign({ name: 'A', description: 'B', status: '0' });
		const { error } = await sendDraft(draft);
		expect(error?.message).toBe('The campaign has no recipients');
		expect(calls()).toEqual(['GET /campaign/:id']);
		expect(draft.status).toBe('0');
	});

	test.each([undefined, null, 'many'])(
		'recipients that are counted as %s do not stop it',
		async (recipientAmount) => {
			service.emulator.faults.on('GET /campaign/:id', {
				status: 200,
				body: { success: true, data: { recipientAmount } },
			});
			const { error } = await sendDraft();
			expect(error).toBeUndefined();
			expect(calls()).toEqual(['GET /campaign/:id', 'PUT /campaign/:id']);
		},
	);
});

const aDraft = () =>
	required(
		[...service.emulator.state.campaigns.values()].find(({ status }) => status === '0'),
		'draft',
	);

async function sendDraft({ _id } = aDraft()): Promise<RunResult> {
	return await service.run('campaign', 'send', { campaignId: locator(_id) });
}

const onlyReads = (from = 0) =>
	service.requests.slice(from).every(({ method }) => method === 'GET');

const byName = (value = '') => ({ __rl: true, mode: 'name', value });

describe('recipient group: get or create', () => {
	const groups = () => [...service.emulator.state.recipientGroups.values()];
	/** Gets or makes the groups of these names, an item each. */
	const getOrCreate = async (names: string[], options: Partial<RunOptions> = {}) =>
		await service.run(
			'recipientGroup',
			'getOrCreate',
			{ name: '={{ $json.name }}' },
			{ items: names.map((name) => ({ json: { name } })), ...options },
		);

	test('gets the group of that name, whatever its case and outer blanks', async () => {
		const [group] = groups();
		const { json } = await getOrCreate([` ${group?.name.toUpperCase()} `]);
		expect(json).toEqual([expect.objectContaining({ _id: group?._id, created: false })]);
		expect(onlyReads()).toBe(true);
	});

	test('creates one where there is none, once for the same name in several items', async () => {
		const before = groups().length;
		const { json } = await getOrCreate(['New', 'Other', 'new ', 'New']);
		expect(json.map(({ created }) => created)).toEqual([true, true, false, false]);
		expect(new Set(json.map(({ _id }) => _id)).size).toBe(2);
		expect(groups()).toHaveLength(before + 2);
		expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
	});

	test('an accent as a sign of its own makes no second group: systems spell "é" in two ways', async () => {
		const { json } = await getOrCreate(['Caf\u00e9', 'Cafe\u0301']);
		expect(json.map(({ created }) => created)).toEqual([true, false]);
		const later = await getOrCreate(['CAFE\u0301']);
		expect(later.json).toEqual([expect.objectContaining({ _id: json[0]?._id, created: false })]);
		const recipientGroupId = byName('Cafe\u0301');
		const named = await service.run('recipientGroup', 'get', { recipientGroupId });
		expect(named.json).toEqual([expect.objectContaining({ _id: json[0]?._id })]);
	});

	test('several of that name fail with their IDs, and none is made', async () => {
		await service.run('recipientGroup', 'create', { name: 'Twins' });
		await service.run('recipientGroup', 'create', { name: 'twins' });
		const ids = groups()
			.filter(({ name }) => name.toLowerCase() === 'twins')
			.map(({ _id }) => _id);
		const count = service.requests.length;
		const { error } = await getOrCreate(['Twins']);
		for (const id of ids) expect(error?.description).toContain(id);
		expect(onlyReads(count)).toBe(true);
	});

	test('a lost answer to the creation makes no second group for other items', async () => {
		service.emulator.faults.on('POST /recipientGroup', 'dropAfter');
		const before = groups().length;
		const { json } = await getOrCreate(['Lost', 'Lost'], { onError: 'continueRegularOutput' });
		expect(json.map(({ error }) => typeof error)).toEqual(['string', 'string']);
		expect(groups()).toHaveLength(before + 1);
	});
});

describe('by name', () => {
	test.each([
		['recipientGroup', 'recipientGroupId', 'recipientGroups'],
		['channel', 'channelId', 'channels'],
		['campaign', 'campaignId', 'campaigns'],
	] as const)('%s: one listing a run, none and several are errors', async (resource, id, store) => {
		const records: ReadonlyArray<{ _id: string; name: string }> =
			service.emulator.state[store].values();
		const record = records.at(-1);
		expect(records.filter(({ name }) => name === record?.name)).toHaveLength(1);
		const name = String(record?.name);
		const items = [{ json: {} }, { json: {} }, { json: {} }];
		const { json, error } = await service.run(
			resource,
			'get',
			{ [id]: byName(` ${name.toUpperCase()} `), simplify: false },
			{ items },
		);
		expect(error).toBeUndefined();
		expect(json.map(({ _id }) => _id)).toEqual([record?._id, record?._id, record?._id]);
		const lists = service.requests.filter(({ path }) => path === `/int/v1/${resource}`);
		const pages = new Set(lists.map(({ query }) => JSON.stringify(query)));
		expect(lists).toHaveLength(pages.size);

		const count = service.requests.length;
		const missing = await service.run(resource, 'get', { [id]: byName('No such name') });
		expect(missing.error?.message).toContain('called "No such name"');
		const later = service.requests.slice(count);
		expect(later.every(({ path }) => path === `/int/v1/${resource}`)).toBe(true);
	});

	test('a list that the service gives only in part proves nothing', async () => {
		const { switches, state } = service.emulator;
		switches.pageCap = { channel: 1 };
		for (const { name } of state.channels.values()) {
			const { error } = await service.run('channel', 'archive', { channelId: byName(name) });
			expect(error?.message).toMatch(/^The list is not complete: the service gave 1 of \d/);
			expect(error?.description).toContain('Give it by its ID');
		}
		expect(onlyReads()).toBe(true);
	});

	test('a group that the service counts and does not give is not made once more', async () => {
		service.emulator.faults.on(
			'GET /recipientGroup',
			{ status: 200, body: { success: true, data: [], total: 1 } },
			{ times: Infinity },
		);
		const { error } = await service.run('recipientGroup', 'getOrCreate', { name: 'Everybody' });
		expect(error?.message).toContain('The list is not complete');
		expect(onlyReads()).toBe(true);
		const { hints } = await service.run('recipientGroup', 'getAll', { returnAll: true });
		expect(hints.map(({ message }) => message).join()).toContain('The list is not complete');
	});

	test('a listing that failed is asked for again by the next item', async () => {
		const [group] = service.emulator.state.recipientGroups.values();
		service.emulator.faults.on('GET /recipientGroup', { refuse: 'Closed for today' });
		const { json } = await service.run(
			'recipientGroup',
			'get',
			{ recipientGroupId: byName(String(group?.name)) },
			{ items: [{ json: {} }, { json: {} }], onError: 'continueRegularOutput' },
		);
		expect(json).toMatchObject([{ error: 'Closed for today' }, { _id: group?._id }]);
	});

	test('several of a name fail with all their IDs before anything changes', async () => {
		for (const name of ['Twins', 'Twins']) await service.run('recipientGroup', 'create', { name });
		const count = service.requests.length;
		const { error } = await service.run('recipientGroup', 'delete', {
			recipientGroupId: byName('twins'),
		});
		const twins = [...service.emulator.state.recipientGroups.values()].filter(
			({ name }) => name === 'Twins',
		);
		for (const { _id } of twins) expect(error?.description).toContain(_id);
		expect(onlyReads(count)).toBe(true);
	});
});

describe('sync, by name', () => {
	test('works on the group of that name', async () => {
		const [group] = [...service.emulator.state.recipientGroups.values()];
		const email = emailOf(3);
		const { error } = await service.run(
			'recipientGroup',
			'sync',
			{
				recipientGroupId: byName(group?.name),
				identifyBy: 'email',
				recipient: '={{ $json.email }}',
				mode: 'add',
			},
			{ items: [{ json: { email } }] },
		);
		expect(error).toBeUndefined();
		const changes = service.requests.filter(({ method }) => method === 'POST');
		expect(changes.map(({ path }) => path)).toContain(
			`/int/v1/recipientGroup/${group?._id}/recipients`,
		);
	});

	test('a name that no group has changes nothing', async () => {
		const { error } = await service.run('recipientGroup', 'sync', {
			recipientGroupId: byName('No such name'),
			recipient: emailOf(3),
			mode: 'mirror',
		});
		expect(error?.message).toContain('called "No such name"');
		expect(onlyReads()).toBe(true);
	});
});

describe('simplify', () => {
	test.each(['campaign', 'broadcast', 'channel'] as const)('%s', async (resource) => {
		const { json: simple } = await service.run(resource, 'getAll', { returnAll: true });
		const { json: raw } = await service.run(resource, 'getAll', {
			returnAll: true,
			simplify: false,
		});
		const allowed = [
			...['_id', 'name', 'title', 'status', 'liveDate'],
			...['senderEmail', 'recipientAmount', 'categories', 'url'],
		];
		expect(simple.flatMap(Object.keys).filter((key) => !allowed.includes(key))).toEqual([]);
		expect(simple.map(({ _id }) => _id)).toEqual(raw.map(({ _id }) => _id));
		if (resource !== 'channel') {
			expect(simple.map(({ url }) => url)).toEqual(raw.map((record) => record[`${resource}Url`]));
			expect(simple[0]?.url).toMatch(/^http/);
		}
		const first = raw[0]?._id;
		const { json } = await service.run(resource, 'get', {
			[`${resource}Id`]: locator(String(first)),
		});
		expect(Object.keys(json[0] ?? {}).every((key) => allowed.includes(key))).toBe(true);
	});

	test('gives a status in words, and an unknown one as it is', async () => {
		const campaign = [...service.emulator.state.campaigns.values()].find(
			({ status }) => status === '1',
		);
		const get = async () =>
			(await service.run('campaign', 'get', { campaignId: locator(campaign?._id ?? '') })).json[0];
		expect(await get()).toMatchObject({
			status: 'live',
			senderEmail: expect.stringContaining('@'),
		});
		service.emulator.faults.on('/campaign/:id', {
			status: 200,
			body: { success: true, data: { _id: 'x', status: '9' } },
		});
		expect(await get()).toEqual({ _id: 'x', status: '9' });
	});

	test('a switch that is none fails before anything is asked for', async () => {
		for (const operation of ['get', 'getAll']) {
			const { error } = await service.run('campaign', operation, {
				campaignId: locator('64f1c0ffee0000000000abcd'),
				simplify: '={{ $json.nope }}',
			});
			expect(error?.message).toContain('Simplify');
		}
		expect(service.requests).toEqual([]);
	});
});
