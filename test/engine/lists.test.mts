import type { INodeParameters } from 'n8n-workflow';

import { editorContext, locator, loadOptions, searchList } from '../kit/engine.mts';
import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({
	seed: 3,
	people: 5,
	groups: 4,
	campaigns: 150,
	templates: 4,
	responsesPerSurvey: 1,
});

const search = async (method: string, request: Parameters<typeof searchList>[2] = {}) =>
	await searchList(method, service.accessKey, request);
const namesOf = (entries: Array<{ name: string }>) => entries.map(({ name }) => name);
const limitsSent = () => service.requests.map(({ query }) => query.limit);

test.each([250, 100, 0])(
	'the list of campaigns has %i matches in pages, and sends requests only for the first page',
	async (count) => {
		for (let number = 0; number < count; number++)
			service.emulator.state.addCampaign({
				name: `Pulse ${number}`,
				description: 'How are you?',
			});
		service.emulator.switches.pageCap = { campaign: 20 };
		const found: string[] = [];
		let requests = 0;
		let pages = 0;
		for (let paginationToken: string | undefined; pages === 0 || paginationToken; pages++) {
			const list = await search('searchCampaigns', { filter: 'pulse', paginationToken });
			found.push(...namesOf(list.results));
			// The editor opens the record in the console.
			for (const { url } of list.results) expect(url).toMatch(/^http/);
			const token: unknown = list.paginationToken;
			paginationToken = typeof token === 'string' ? token : undefined;
			requests ||= service.requests.length;
		}
		expect(found.map((name) => name.replace(/ since .+/, ''))).toEqual(
			Array.from({ length: count }, (_, index) => `Pulse ${count - 1 - index}, live`),
		);
		expect(pages).toBe(Math.max(1, Math.ceil(count / 100)));
		expect(service.requests).toHaveLength(requests);
	},
);

test('a list that could not be read is read again when it is opened again', async () => {
	service.emulator.faults.on('GET /recipientGroup', { refuse: 'Closed today' }, { times: 2 });
	await expect(search('searchRecipientGroups')).rejects.toThrow('Closed today');
	const { results } = await search('searchRecipientGroups');
	expect(namesOf(results)).toEqual(['Engineering', 'Managers', 'Sales', 'Warehouse']);
});

test('By Name fails if the list may lack a record of this name', async () => {
	service.emulator.switches.listedAtMost = { recipientGroup: 2 };
	const [group] = service.emulator.state.recipientGroups.values();
	const recipientGroupId = locator(String(group?.name), 'name');
	const { error } = await service.run('recipientGroup.get', { recipientGroupId });
	expect(error?.message).toMatch(/^The list is incomplete/);
});

describe('the requests of a list', () => {
	test('a list asks for 100 groups per page after a page with fewer than 100', async () => {
		service.emulator.switches.pageCap = { recipientGroup: 3 };
		const { results } = await search('searchRecipientGroups');
		expect(namesOf(results)).toEqual(['Engineering', 'Managers', 'Sales', 'Warehouse']);
		expect(limitsSent()).toEqual(['1000', '100']);
	});

	test.each([200, 400, 422])('a list refused with %i asks for smaller pages', async (status) => {
		const { state, faults } = service.emulator;
		for (let number = 0; number < 150; number++) state.addRecipientGroup(`Team ${number}`);
		faults.on('/recipientGroup', { status, body: { success: false } });
		const { results } = await search('searchRecipientGroups', { filter: 'Team 149' });
		expect(results).toHaveLength(1);
		expect(limitsSent()).toEqual(['1000', '100', '100']);
	});
});

test('sorts options of recipient groups, templates and categories by name', async () => {
	const { state } = service.emulator;
	state.addCampaign({ name: 'A', description: 'B', categories: ['Areas'] });
	first(state.templates.values(), 'template').categories.push('Zones');
	const categories = namesOf(await loadOptions('getCategories', service.accessKey));
	expect(categories).toEqual(['Areas', 'Culture', 'HR', 'IT', 'Safety', 'Zones']);
	for (const method of ['getRecipientGroups', 'getTemplates']) {
		const names = namesOf(await loadOptions(method, service.accessKey));
		expect(names).toHaveLength(4);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

describe('the cache', () => {
	const names = async (credential = service.accessKey) =>
		namesOf((await searchList('searchRecipientGroups', credential)).results);

	test('serves searches while the user types, lists that load at the same time, and lists of the trigger', async () => {
		await Promise.all([
			...['', 'w', 'we', 'wel'].map(async (filter) => await search('searchCampaigns', { filter })),
			loadOptions('getCampaigns', service.accessKey, {}, 'messagingServiceTrigger'),
		]);
		await search('searchCampaigns', { filter: 'welc' });
		// Reading the list takes two requests: the first returns all records, the second returns an empty page.
		expect(service.requests).toHaveLength(2);
	});

	test('keeps a list for a minute', async () => {
		await names();
		const requests = service.requests.length;
		advanceClock(30_000);
		await names();
		expect(service.requests).toHaveLength(requests);
		advanceClock(30_000);
		await names();
		expect(service.requests.length).toBeGreaterThan(requests);
	});

	test('credentials with different secrets or services do not share cached lists', async () => {
		const client = service.newClient();
		await names(client);
		await names();
		const requests = service.requests.length;
		const { baseUrl, accessKey } = service.accessKey;
		const others = [
			{ ...service.accessKey, accessKey: `${String(accessKey)}0` },
			{ ...service.accessKey, baseUrl: `${String(baseUrl)}/elsewhere` },
			{ ...client, clientSecret: 'another' },
		];
		for (const other of others) await expect(names(other)).rejects.toThrow();
		await names({ ...service.accessKey, baseUrl: `${String(baseUrl)}/int/v1/` });
		expect(service.requests.filter(({ status }) => status === 200)).toHaveLength(requests);
	});

	test.each([
		[undefined, false],
		['dropAfter', false],
		['dropAfter', true],
	] as const)(
		'a change in a manual execution clears the cache (fault: %s, as a tool: %s)',
		async (fault, asTool) => {
			await names();
			if (fault) service.emulator.faults.on('POST /recipientGroup', fault);
			await service.run('recipientGroup.create', { name: 'Aardvarks' }, { asTool });
			expect(await names()).toContain('Aardvarks');
		},
	);
});

const opened = async (method: string, resource: string, operation: string) =>
	namesOf((await search(method, { parameters: { resource, operation } })).results);

test('archived channels come first for Restore, and last for Archive', async () => {
	const [, middle] = service.emulator.state.channels.values();
	await service.run('channel.archive', { channelId: locator(String(middle?._id)) });
	const archived = 'Channel 2, archived';
	const others = ['Channel 3', 'Channel 1'];
	expect(await opened('searchChannels', 'channel', 'restore')).toEqual([archived, ...others]);
	expect(await opened('searchChannels', 'channel', 'archive')).toEqual([...others, archived]);
});

describe("the trigger's list of campaigns", () => {
	const MOST = 2000;
	const options = async (campaignIds: string[] = []) =>
		await loadOptions(
			'getCampaigns',
			service.accessKey,
			{ watch: 'selected', campaignIds },
			'messagingServiceTrigger',
		);
	const add = (name: string, status: '0' | '1' | '3') =>
		service.emulator.state.addCampaign({ name, description: 'How are you?', status });

	test('shows live campaigns first, closed campaigns last, and the newest first within a status', async () => {
		const { campaigns } = service.emulator.state;
		for (const { _id } of [...campaigns.values()]) campaigns.delete(_id);
		for (const status of ['1', '3', '0'] as const) {
			add('Older', status);
			add('Newer', status);
		}
		expect(
			namesOf(await options()).map((name) => name.replace(/(since|went live) .+/, '$1')),
		).toEqual([
			...['Newer, live since', 'Older, live since'],
			...['Newer, draft', 'Older, draft'],
			...['Newer, closed, went live', 'Older, closed, went live'],
		]);
	});

	test('contains the newest 2,000 campaigns', async () => {
		for (let number = 0; number <= MOST; number++) add('Newer', '0');
		const first = await options();
		expect(new Set(namesOf(first)).size).toBe(MOST);
		expect(await options()).toEqual(first);
		expect(await loadOptions('getDrafts', service.accessKey)).toHaveLength(MOST);
	});
});

test('shows the newest broadcasts first, with dates in the time zone of the workflow', async () => {
	const { results } = await search('searchBroadcasts');
	const ids = [...service.emulator.state.broadcasts.values()].map(({ _id }) => _id);
	expect(results.map(({ value }) => value)).toEqual(ids.reverse());
	const { context, node } = await editorContext({ ...service.accessKey, clientId: 'time zones' });
	const timezone = jest.spyOn(context, 'getTimezone');
	const hoursIn = async (zone: string) => {
		timezone.mockReturnValue(zone);
		const list = await node.methods?.listSearch?.searchBroadcasts?.call(context);
		return namesOf(list?.results ?? []).flatMap((name) => /\d\d(?=:\d\d)/.exec(name) ?? []);
	};
	const utc = await hoursIn('UTC');
	expect(utc.length).toBeGreaterThan(0);
	expect((await hoursIn('Asia/Tokyo')).map(Number)).toEqual(
		utc.map((hour) => (Number(hour) + 9) % 24),
	);
});

describe('a list that belongs to a record', () => {
	const managers = async (channelId: INodeParameters | string) =>
		await loadOptions('getChannelManagers', service.accessKey, {
			resource: 'channelManager',
			operation: 'remove',
			channelId,
		});

	test('shows the managers of a channel by name and email', async () => {
		const channel = first(service.emulator.state.channels.values(), 'channel');
		const [, nameless = ''] = channel.managers.keys();
		const user = required(service.emulator.state.consoleUsers.get(nameless), 'user');
		Object.assign(user, { firstName: '', lastName: '' });
		const byId = await managers(locator(channel._id));
		expect(byId).toContainEqual({ name: user.email, value: nameless });
		expect(byId).toHaveLength(1 + channel.managers.size);
		expect(byId).toContainEqual({ name: 'Choose a user', value: '' });
		expect(byId).toContainEqual({
			name: expect.stringMatching(/^\S.* \(\S+@\S+\)$/),
			value: [...channel.managers.keys()][0],
		});
		expect(await managers(channel._id)).toEqual(byId);
	});

	test.each([
		['getChannelManagers', 'channelManager', 'remove', 'channel'],
		['getSurveyQuestions', 'survey', 'getSummary', 'campaign'],
	])(
		'%s tells the user to choose the record first',
		async (loader, resource, operation, record) => {
			for (const chosen of [
				{},
				{ [`${record}Id`]: locator('') },
				{ [`${record}Id`]: locator('Pulse', 'name') },
			]) {
				const parameters = { resource, operation, ...chosen };
				expect(await loadOptions(loader, service.accessKey, parameters)).toEqual([
					{ name: `Choose the ${record} from the list first`, value: '' },
				]);
			}
		},
	);
});
