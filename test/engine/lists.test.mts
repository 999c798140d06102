import type { INodeParameters } from 'n8n-workflow';

import { editorContext, locator, loadOptions, searchList } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({
	seed: 3,
	people: 5,
	groups: 4,
	campaigns: 150,
	templates: 4,
	responsesPerSurvey: 1,
});

describe('the list of campaigns', () => {
	test('shows a page with names and states, and where to go on', async () => {
		const { results, paginationToken } = await searchList('searchCampaigns', service.accessKey);
		expect(results).toHaveLength(100);
		expect(results[0]).toMatchObject({
			name: expect.stringMatching(/\((draft|live|closed|scheduled)\)$/),
			value: expect.any(String),
			url: expect.stringContaining('http'),
		});
		const next = await searchList('searchCampaigns', service.accessKey, {
			paginationToken: String(paginationToken),
		});
		expect(next.results.length).toBeGreaterThan(0);
		const values = new Set(results.map(({ value }) => value));
		expect(next.results.some(({ value }) => values.has(value))).toBe(false);
	});

	test('a search looks through all pages', async () => {
		const [oldest] = service.emulator.state.campaigns.values();
		service.emulator.switches.pageCap = { campaign: 20 };
		const { results } = await searchList('searchCampaigns', service.accessKey, {
			filter: oldest?._id.toUpperCase(),
		});
		expect(results.map(({ value }) => value)).toEqual([oldest?._id]);
	});

	test('a search with many matches gives them in pages, and asks the service only once', async () => {
		for (let number = 0; number < 250; number++) {
			service.emulator.state.addCampaign({ name: `Pulse ${number}`, description: 'How are you?' });
		}
		service.emulator.switches.pageCap = { campaign: 20 };
		const found: string[] = [];
		let token: unknown;
		let asked = 0;
		do {
			const paginationToken = token === undefined ? undefined : String(token);
			const list = await searchList('searchCampaigns', service.accessKey, {
				filter: 'pulse',
				paginationToken,
			});
			found.push(...list.results.map(({ name }) => name));
			token = list.paginationToken;
			asked ||= service.requests.length;
		} while (token !== undefined);
		expect(found).toEqual(Array.from({ length: 250 }, (_, index) => `Pulse ${249 - index} (live)`));
		expect(service.requests).toHaveLength(asked);
	});

	test('a page that is just full is the last one', async () => {
		for (let number = 0; number < 100; number++) {
			service.emulator.state.addCampaign({ name: `Just full ${number}`, description: 'D' });
		}
		const { results, paginationToken } = await searchList('searchCampaigns', service.accessKey, {
			filter: 'just full',
		});
		expect(results).toHaveLength(100);
		expect(paginationToken).toBeUndefined();
	});

	test('no match is an empty list', async () => {
		const { results } = await searchList('searchCampaigns', service.accessKey, { filter: '§§§' });
		expect(results).toEqual([]);
	});

	test('an error shows the service’s message', async () => {
		const credential = { ...service.accessKey, accessKey: 'wrong' };
		await expect(searchList('searchCampaigns', credential)).rejects.toThrow(/refused access/);
	});
});

test('the list of recipient groups goes through all pages', async () => {
	service.emulator.switches.pageCap = { recipientGroup: 3 };
	const { results, paginationToken } = await searchList('searchRecipientGroups', service.accessKey);
	expect(results.map(({ name }) => name)).toEqual([
		'Engineering',
		'Managers',
		'Sales',
		'Warehouse',
	]);
	expect(paginationToken).toBeUndefined();
	// A service that gives so few at a time is not asked for a thousand again.
	expect(service.requests.map(({ query }) => query.limit)).toEqual(['1000', '100']);
});

test('a service that refuses large pages of groups is asked for small ones', async () => {
	const { state, faults } = service.emulator;
	for (let number = 0; number < 150; number++) state.addRecipientGroup(`Team ${number}`);
	faults.on('/recipientGroup', { refuse: 'Illegal parameters' });
	const { results } = await searchList('searchRecipientGroups', service.accessKey, {
		filter: 'Team 149',
	});
	expect(results).toHaveLength(1);
	expect(service.requests.map(({ query }) => query.limit)).toEqual(['1000', '100', '100']);
});

test('a service that asks to wait is waited for', async () => {
	service.emulator.faults.on(
		'/recipientGroup',
		{ status: 429, headers: { 'retry-after': '0' } },
		{ times: 2 },
	);
	expect((await searchList('searchRecipientGroups', service.accessKey)).results).toHaveLength(4);
	service.emulator.faults.on(
		'/channel',
		{ status: 429, headers: { 'retry-after': '20' } },
		{ times: Infinity },
	);
	await expect(searchList('searchChannels', service.accessKey)).rejects.toThrow('too many');
	expect(service.emulator.requestCount('GET', '/int/v1/channel')).toBe(1);
});

test('options of recipient groups and templates are sorted by name', async () => {
	for (const method of ['getRecipientGroups', 'getTemplates']) {
		const options = await loadOptions(method, service.accessKey);
		const names = options.map(({ name }) => name);
		expect(names).toHaveLength(4);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

test.each([
	['searchRecipientGroups', 'skipMeans'],
	['searchCampaigns', 'previousLastIdMeans'],
] as const)('%s ends when the service gives the same page again', async (method, switchName) => {
	service.emulator.switches[switchName] = 'nothing';
	service.emulator.switches.pageCap = { recipientGroup: 2, campaign: 2 };
	const { results } = await searchList(method, service.accessKey, { filter: '§§§' });
	expect(results).toEqual([]);
	expect(service.requests).toHaveLength(2);
});

test.each([
	['its page', 'page'],
	['what is left', 'rest'],
] as const)('a total that counts only %s hides no group', async (_what, totalMeans) => {
	service.emulator.switches.totalMeans = totalMeans;
	service.emulator.switches.pageCap = { recipientGroup: 2 };
	const all = service.emulator.state.recipientGroups.values().map(({ name }) => name);
	const { results } = await searchList('searchRecipientGroups', service.accessKey, {
		filter: all.at(-1),
	});
	expect(results.map(({ name }) => name)).toContain(all.at(-1));
});

describe('what is kept', () => {
	const names = async (credential = service.accessKey): Promise<unknown> =>
		(await searchList('searchRecipientGroups', credential)).results.map(({ name }) => name);

	test('serves what is typed, several lists at once, and the other node', async () => {
		const typed = ['', 'w', 'we', 'wel'];
		await Promise.all([
			...typed.map((filter) => searchList('searchCampaigns', service.accessKey, { filter })),
			loadOptions('getCampaigns', service.accessKey, {}, 'messagingServiceTrigger'),
		]);
		await searchList('searchCampaigns', service.accessKey, { filter: 'welc' });
		// A page with everything, and the empty one behind it.
		expect(service.requests).toHaveLength(2);
	});

	test('is kept for a minute', async () => {
		const clock = jest.spyOn(Date, 'now');
		const start = Date.now();
		try {
			await names();
			service.emulator.state.addRecipientGroup('Aardvarks');
			clock.mockReturnValue(start + 30_000);
			expect(await names()).not.toContain('Aardvarks');
			clock.mockReturnValue(start + 120_000);
			expect(await names()).toContain('Aardvarks');
			service.emulator.state.addRecipientGroup('Badgers');
			clock.mockReturnValue(start);
			expect(await names()).toContain('Badgers');
		} finally {
			clock.mockRestore();
		}
	});

	test('is not shared with another secret or another service', async () => {
		await names();
		const asked = service.requests.length;
		const { baseUrl, accessKey } = service.accessKey;
		await expect(
			names({ ...service.accessKey, accessKey: `${String(accessKey)}0` }),
		).rejects.toThrow('refused access');
		await expect(
			names({ ...service.accessKey, baseUrl: `${String(baseUrl)}/elsewhere` }),
		).rejects.toThrow();
		await names({ ...service.accessKey, baseUrl: `${String(baseUrl)}/int/v1/` });
		expect(service.requests.filter(({ status }) => status === 200)).toHaveLength(asked);
	});

	test('is read anew after a failure', async () => {
		service.emulator.faults.on('/recipientGroup', { refuse: 'Closed for today' }, { times: 2 });
		await expect(names()).rejects.toThrow('Closed for today');
		expect(await names()).toHaveLength(4);
	});

	test('is read anew after a step was tried that changes something', async () => {
		await names();
		await service.run('recipientGroup', 'create', { name: 'Aardvarks' });
		expect(await names()).toContain('Aardvarks');
	});

	test('is read anew after a step whose answer was lost: it may have been carried out', async () => {
		await names();
		const path = '/int/v1/recipientGroup';
		service.emulator.faults.add({ match: { method: 'POST', path }, action: 'dropAfter' });
		const { error } = await service.run('recipientGroup', 'create', { name: 'Aardvarks' });
		expect(error).toBeDefined();
		expect(await names()).toContain('Aardvarks');
	});
});

test('Continue With Draft offers drafts, and campaigns of a state that nobody knows', async () => {
	const { campaigns } = service.emulator.state;
	const drafts = campaigns.values().filter(({ status }) => status === '0');
	expect(drafts.length).toBeGreaterThan(0);
	expect(drafts.length).toBeLessThan(campaigns.values().length);
	const options = await loadOptions('getDrafts', service.accessKey);
	expect(options.map(({ value }) => value).sort()).toEqual(drafts.map(({ _id }) => _id).sort());
});

describe('the order', () => {
	const opened = async (method: string, resource: string, operation: string): Promise<string[]> => {
		const parameters = { resource, operation };
		const { results } = await searchList(method, service.accessKey, { parameters });
		return results.map(({ name }) => name);
	};
	const states = (labels: string[]): string[] => [
		...new Set(labels.map((label) => /\((\w+)\)/.exec(label)?.[1] ?? 'unknown')),
	];

	test.each([
		['campaign', 'close', ['live']],
		['campaign', 'send', ['scheduled', 'draft']],
		['survey', 'update', ['draft']],
		['survey', 'getSummary', ['closed', 'live']],
	])('of campaigns for %s %s puts first %j', async (resource, operation, first) => {
		const { state } = service.emulator;
		for (const campaign of state.campaigns.values().slice(0, -8))
			state.campaigns.delete(campaign._id);
		const order = states(await opened('searchCampaigns', resource, operation));
		expect(order.slice(0, first.length).sort()).toEqual([...first].sort());
		expect([...order].sort()).toEqual(['closed', 'draft', 'live', 'scheduled']);
	});

	test('of broadcasts to return to draft: scheduled, then those of a state that nobody knows', async () => {
		const { state, switches } = service.emulator;
		switches.broadcastStatusCodes = { scheduled: '4', closed: '7' };
		for (const status of ['0', '1', '3', '4'] as const) {
			state.addBroadcast({ title: status, message: 'Hello', status });
		}
		switches.extraBroadcastFields = true;
		expect(
			(await opened('searchBroadcasts', 'broadcast', 'update')).filter((name) => /^\d/.test(name)),
		).toEqual(['4 (scheduled)', '3', '1 (live)', '0 (draft)']);
	});

	test('of channels: archived ones first to restore, last to archive', async () => {
		const { state } = service.emulator;
		const [, middle] = state.channels.values();
		await service.run('channel', 'archive', { channelId: locator(String(middle?._id)) });
		expect(await opened('searchChannels', 'channel', 'restore')).toEqual([
			'Channel 2 (archived)',
			'Channel 3',
			'Channel 1',
		]);
		expect(await opened('searchChannels', 'channel', 'archive')).toEqual([
			'Channel 3',
			'Channel 1',
			'Channel 2 (archived)',
		]);
	});
});

test('a broadcast without a title is told by its date, sender and number of recipients', async () => {
	const { results } = await searchList('searchBroadcasts', service.accessKey);
	expect(results.length).toBeGreaterThan(0);
	for (const { name } of results) {
		expect(name).toMatch(
			/^(\d+ \w{3} 20\d\d, \d\d:\d\d · )?Ada Admin · \d+ recipients?( \(\w+\))?( · \w+)?$/,
		);
		if (/live|closed/.test(name)) expect(name).toMatch(/^\d+ \w{3} 20/);
	}
});

test('the dates of broadcasts are those of the workflow’s time zone, in each workflow', async () => {
	const { context, node } = await editorContext({ ...service.accessKey, clientId: 'time zones' });
	const timezone = jest.spyOn(context, 'getTimezone');
	const hoursIn = async (zone: string) => {
		timezone.mockReturnValue(zone);
		const list = await node.methods?.listSearch?.searchBroadcasts?.call(context);
		const names = (list?.results ?? []).map(({ name }) => name);
		return names.flatMap((name) => /\d\d:\d\d/.exec(name) ?? []);
	};
	const here = await hoursIn('UTC');
	expect(here.length).toBeGreaterThan(0);
	const there = await hoursIn('Asia/Tokyo');
	expect(there).toEqual(
		here.map(
			(time) => `${String((Number(time.slice(0, 2)) + 9) % 24).padStart(2, '0')}${time.slice(2)}`,
		),
	);
});

test('categories come from templates and campaigns', async () => {
	service.emulator.state.addTemplate({ name: 'Memo', categories: ['From a template'] });
	service.emulator.state.addCampaign({
		name: 'Memo',
		description: 'Hello',
		categories: ['From a campaign', 'from a campaign'],
	});
	for (const type of ['messagingService', 'messagingServiceTrigger']) {
		const options = await loadOptions('getCategories', service.accessKey, {}, type);
		const values = options.map(({ value }) => value);
		expect(values).toEqual(
			expect.arrayContaining(['From a campaign', 'from a campaign', 'From a template']),
		);
		expect(new Set(values).size).toBe(values.length);
	}
});

describe('a list that belongs to a channel', () => {
	const managers = async (channelId?: INodeParameters | string): Promise<unknown> =>
		await loadOptions('getChannelManagers', service.accessKey, {
			resource: 'channelManager',
			operation: 'remove',
			...(channelId !== undefined && { channelId }),
		});

	test('shows its managers by name and email, the channel given in any way', async () => {
		const channel = first(service.emulator.state.channels.values(), 'channel');
		const byId = await managers(locator(channel._id));
		expect(byId).toHaveLength(1 + channel.managers.size);
		expect(byId).toContainEqual({ name: 'Choose a user', value: '' });
		expect(byId).toContainEqual({
			name: expect.stringMatching(/^\S.* \(\S+@\S+\)$/),
			value: [...channel.managers.keys()][0],
		});
		expect(await managers(channel._id)).toEqual(byId);
		const named = { __rl: true, mode: 'name', value: ` ${channel.name.toUpperCase()} ` };
		expect(await managers(named)).toEqual(byId);
	});

	test.each([
		['getChannelManagers', 'channelManager', 'remove', 'channel'],
		['getSurveyQuestions', 'survey', 'getSummary', 'campaign'],
	])(
		'%s says to choose the record first, without an error',
		async (loader, resource, operation, record) => {
			for (const chosen of [{}, { [`${record}Id`]: locator('') }]) {
				const options = await loadOptions(loader, service.accessKey, {
					resource,
					operation,
					...chosen,
				});
				expect(options).toEqual([{ name: `Choose the ${record} first`, value: '' }]);
			}
		},
	);

	test('says what to choose when the channel is unknown or one of several', async () => {
		const [first, second] = service.emulator.state.channels.values();
		if (first && second) second.name = first.name;
		const named = { __rl: true, mode: 'name', value: first?.name ?? '' };
		await expect(managers(named)).rejects.toThrow('2 channels are called');
		await expect(managers({ ...named, value: 'Nowhere' })).rejects.toThrow(
			'There is no channel called "Nowhere"',
		);
	});
});

describe('“Create group” in the list of recipient groups', () => {
	const create = async (...names: unknown[]) => {
		const { context, node } = await editorContext(service.accessKey);
		const method = first(Object.values(node.methods?.actionHandler ?? {}));
		return await Promise.all(
			names.map(async (name) => await method.call(context, JSON.parse(JSON.stringify({ name })))),
		);
	};
	const created = () => service.emulator.requestCount('POST', '/int/v1/recipientGroup');

	test('creates a group, once for a double click, and the list shows it', async () => {
		await searchList('searchRecipientGroups', service.accessKey);
		const [id, same] = await create(' Night shift ', 'Night shift');
		expect(same).toBe(id);
		expect(created()).toBe(1);
		expect(service.emulator.state.recipientGroups.get(String(id))).toMatchObject({
			name: 'Night shift',
		});
		const { results } = await searchList('searchRecipientGroups', service.accessKey);
		expect(results).toContainEqual(expect.objectContaining({ name: 'Night shift', value: id }));
	});

	test('gives the group that has the name already, and refuses no name or that of several', async () => {
		const { state } = service.emulator;
		const known = state.addRecipientGroup('Twin');
		expect(await create('twin')).toEqual([known._id]);
		state.addRecipientGroup('Twin');
		await expect(create('Twin')).rejects.toThrow('2 recipient groups are called "Twin"');
		await expect(create('  ')).rejects.toThrow('Type the name');
		await expect(create(undefined)).rejects.toThrow('Type the name');
		expect(created()).toBe(0);
	});
});
