import { locator, searchList, type RunOptions } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({ channels: 3 });

/** The oldest seeded channel. */
const seeded = () => first(service.emulator.state.channels.values(), 'channel');

const unknownChannel = { channelId: locator('64f1c0ffee0000000000abcd') };

describe('create', () => {
	test('sends the defaults together, under the names of the request', async () => {
		const template = [...service.emulator.state.templates.values()][0]?._id ?? '';
		const { json, error } = await service.run('channel', 'create', {
			name: 'New joiners',
			additionalFields: {
				title: 'Welcome!',
				description: 'The first hundred days',
				template,
				enableEmail: true,
				enableSms: false,
				enableAppNotification: true,
				enableComment: true,
				commentVisibility: '0',
			},
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: '/int/v1/channel',
			body: {
				name: 'New joiners',
				title: 'Welcome!',
				description: 'The first hundred days',
				defaults: {
					template,
					enableEmail: true,
					enableSms: false,
					enableAppNotification: true,
					enableComment: true,
					commentVisibility: '0',
				},
			},
		});
		expect(json).toEqual([
			expect.objectContaining({ _id: expect.any(String), name: 'New joiners', status: '1' }),
		]);
	});

	test.each([{}, { title: '' }])('sends an empty object for the fields %j', async (fields) => {
		const { json, error } = await service.run('channel', 'create', { additionalFields: fields });
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toEqual({});
		expect(service.lastRequest.headers['content-type']).toContain('application/json');
		expect(json).toHaveLength(1);
	});

	test('leaves out what was added and emptied', async () => {
		await service.run('channel', 'create', {
			name: ' ',
			additionalFields: { title: '', template: '' },
		});
		expect(service.lastRequest.body).toEqual({});
		await service.run('channel', 'create', {
			name: 'Quiet',
			additionalFields: { title: '', template: '' },
		});
		expect(service.lastRequest.body).toEqual({ name: 'Quiet' });
	});

	test('keeps the service’s message when it refuses', async () => {
		const { error } = await service.run('channel', 'create', {
			additionalFields: { template: '64f1c0ffee0000000000abcd' },
		});
		expect(error?.message).toBe('Invalid parameters');
		expect(error?.description).toContain('Check the channel');
	});
});

describe('update', () => {
	test('sends the one default that was added and no other', async () => {
		const channel = seeded();
		const { json } = await service.run('channel', 'update', {
			channelId: locator(channel._id),
			updateFields: { enableEmail: false },
		});
		expect(service.lastRequest).toMatchObject({
			method: 'PUT',
			path: `/int/v1/channel/${channel._id}`,
		});
		expect(service.lastRequest.body).toEqual({ defaults: { enableEmail: false } });
		expect(json).toMatchObject([{ _id: channel._id, defaults: { enableEmail: false } }]);
	});

	test('clears texts and the default template', async () => {
		const channel = seeded();
		await service.run('channel', 'update', {
			channelId: locator(channel._id),
			updateFields: { title: '', template: '', name: 'Renamed' },
		});
		expect(service.lastRequest.body).toEqual({
			title: '',
			name: 'Renamed',
			defaults: { template: '' },
		});
		expect(seeded().name).toBe('Renamed');
	});

	test('asks for at least one field', async () => {
		const { error } = await service.run('channel', 'update', {
			channelId: locator(seeded()._id),
			updateFields: {},
		});
		expect(error?.message).toBe('Nothing to update');
		expect(service.requests).toHaveLength(0);
	});
});

describe('get', () => {
	test('gives the channel', async () => {
		const channel = seeded();
		const { json, items } = await service.run('channel', 'get', {
			channelId: locator(channel._id),
		});
		expect(json).toMatchObject([{ _id: channel._id, name: channel.name, status: '1' }]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(service.lastRequest).toMatchObject({
			method: 'GET',
			path: `/int/v1/channel/${channel._id}`,
		});
	});

	test('says what to check when there is no such channel', async () => {
		const { error } = await service.run('channel', 'get', unknownChannel);
		expect(error?.message).toBe('Invalid parameters');
	});
});

describe('getAll', () => {
	test('gives up to Limit, newest first, with a request that has no query', async () => {
		const { json, hints } = await service.run('channel', 'getAll', { returnAll: false, limit: 2 });
		expect(json.map(({ name }) => name)).toEqual(['Channel 3', 'Channel 2']);
		expect(service.lastRequest).toMatchObject({
			method: 'GET',
			path: '/int/v1/channel',
			query: {},
		});
		expect(hints).toEqual([]);
	});

	test('says so when the service gives fewer channels than there are', async () => {
		service.emulator.switches.pageCap = { channel: 2 };
		const items = [{ json: {} }, { json: {} }];
		const { json, hints } = await service.run('channel', 'getAll', { returnAll: true }, { items });
		expect(json).toHaveLength(4);
		expect(hints).toEqual([
			expect.objectContaining({
				type: 'warning',
				message: expect.stringContaining('2 of 3 records'),
			}),
		]);
	});

	test('says nothing when the channels asked for came, or the service counts none', async () => {
		service.emulator.switches.pageCap = { channel: 2 };
		expect((await service.run('channel', 'getAll', { limit: 2 })).hints).toEqual([]);
		service.emulator.switches.totalInLists = false;
		expect((await service.run('channel', 'getAll', { returnAll: true })).hints).toEqual([]);
	});

	test('keeps the service’s message when it refuses', async () => {
		service.emulator.switches.invalidToken = '200';
		const { error } = await service.run(
			'channel',
			'getAll',
			{ returnAll: true },
			{ credential: { ...service.accessKey, accessKey: 'wrong' } },
		);
		expect(error?.message).toBe(service.lastRequest.response?.message);
	});
});

describe('archive and restore', () => {
	test('archives, then restores', async () => {
		const { _id } = seeded();
		const archived = await service.run('channel', 'archive', { channelId: locator(_id) });
		expect(archived.json).toMatchObject([{ _id, status: '3' }]);
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: `/int/v1/channel/${_id}/archive`,
		});
		expect(service.lastRequest.body).toBeUndefined();
		const restored = await service.run('channel', 'restore', { channelId: locator(_id) });
		expect(restored.json).toMatchObject([{ _id, status: '1' }]);
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: `/int/v1/channel/${_id}/restore`,
		});
	});

	test.each(['archive', 'restore'])('%s keeps the service’s message', async (operation) => {
		const { error } = await service.run('channel', operation, unknownChannel);
		expect(error?.message).toBe('Invalid parameters');
	});
});

describe('createCampaign', () => {
	/** Creates a campaign in the seeded channel. */
	const createDayOne = async (parameters: RunOptions['parameters']) =>
		await service.run('channel', 'createCampaign', {
			channelId: locator(seeded()._id),
			name: 'Day one',
			campaignDescription: 'What to bring',
			...parameters,
		});

	test('sends what a campaign can hold, and the status always', async () => {
		const { _id } = seeded();
		const { json } = await service.run('channel', 'createCampaign', {
			channelId: locator(_id),
			name: 'Day one',
			campaignDescription: 'What to bring',
			status: 'draft',
			additionalFields: {
				title: 'Your first day',
				templateData: '{ "city": "Oslo" }',
				categories: 'HR, Culture',
				imageUrl: 'https://example.com/one.png',
				enableEmail: false,
				enableMobileNotification: true,
				emailReplyTo: 'hr@example.com',
				commentVisibility: '1',
				senderUserEmail: service.emulator.state.superUser.email,
				ownerUserEmail: service.emulator.state.superUser.email,
			},
		});
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: `/int/v1/channel/${_id}/campaign`,
		});
		expect(service.lastRequest.body).toEqual({
			name: 'Day one',
			description: 'What to bring',
			status: 'draft',
			title: 'Your first day',
			templateData: '{ "city": "Oslo" }',
			categories: ['HR', 'Culture'],
			imageUrl: 'https://example.com/one.png',
			enableEmail: false,
			enableMobileNotification: true,
			emailReplyTo: 'hr@example.com',
			commentVisibility: '1',
			senderUserEmail: service.emulator.state.superUser.email,
			ownerUserEmail: service.emulator.state.superUser.email,
		});
		const id = String(json[0]?._id);
		expect(json[0]).toEqual({ _id: id, campaignUrl: expect.stringContaining(id) });
		expect(service.emulator.state.campaigns.get(id)).toMatchObject({ status: '0' });
	});

	test('leaves to the channel what it does not say', async () => {
		await createDayOne({
			additionalFields: {},
		});
		expect(service.lastRequest.body).toEqual({
			name: 'Day one',
			description: 'What to bring',
			status: 'draft',
		});
	});

	test('leaves out texts that were added and emptied', async () => {
		await createDayOne({
			additionalFields: {
				title: '',
				templateId: '',
				templateData: ' ',
				categories: ' , ',
				imageUrl: '',
				emailReplyTo: '',
				senderUserEmail: '',
				ownerUserEmail: ' ',
			},
		});
		expect(service.lastRequest.body).toEqual({
			name: 'Day one',
			description: 'What to bring',
			status: 'draft',
		});
	});

	test('schedules in the time zone of the workflow', async () => {
		const { error } = await createDayOne({
			status: 'scheduled',
			scheduledTime: '2099-01-31T09:15:00',
			additionalFields: {},
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: '2099-01-31T08:15:00.000Z',
		});
	});

	test('sends nothing without a description', async () => {
		const { error } = await service.run('channel', 'createCampaign', {
			channelId: locator(seeded()._id),
			name: 'Day one',
			campaignDescription: '={{ $json.nothing }}',
			status: 'live',
			additionalFields: {},
		});
		expect(error?.message).toBe('Description is empty');
		expect(service.requests).toHaveLength(0);
	});
});

describe('createBroadcast', () => {
	test('sends title, message and what else was added, and no status', async () => {
		const { _id } = seeded();
		const { json } = await service.run('channel', 'createBroadcast', {
			channelId: locator(_id),
			title: 'Fire drill',
			message: 'At noon',
			additionalFields: {
				imageUrl: 'https://example.com/fire.png',
				emoji: '🔥',
				requiredConfirm: true,
				actionLink: 'https://example.com/plan',
				actionLinkText: 'Where to go',
				contentInEmail: false,
			},
		});
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: `/int/v1/channel/${_id}/broadcast`,
		});
		expect(service.lastRequest.body).toEqual({
			title: 'Fire drill',
			message: 'At noon',
			imageUrl: 'https://example.com/fire.png',
			emoji: '🔥',
			requiredConfirm: true,
			actionLink: 'https://example.com/plan',
			actionLinkText: 'Where to go',
			contentInEmail: false,
		});
		const id = String(json[0]?._id);
		expect(json[0]).toEqual({ _id: id, broadcastUrl: expect.stringContaining(id) });
		expect(service.emulator.state.broadcasts.get(id)).toMatchObject({ status: '1' });
	});

	test('sends nothing without a message', async () => {
		const { error } = await service.run('channel', 'createBroadcast', {
			channelId: locator(seeded()._id),
			title: 'Fire drill',
			message: '={{ $json.nothing }}',
			additionalFields: {},
		});
		expect(error?.message).toBe('Message is empty');
		expect(service.requests).toHaveLength(0);
	});
});

describe('a channel in the path', () => {
	test.each(['get', 'archive', 'restore', 'update', 'createCampaign', 'createBroadcast'])(
		'%s is not sent without one',
		async (operation) => {
			const { error } = await service.run('channel', operation, {
				channelId: locator('={{ $json.channel }}'),
				title: 'a',
				message: 'b',
				name: 'c',
				campaignDescription: 'd',
				updateFields: { name: 'e' },
			});
			expect(error?.message).toBe('Channel is missing: choose it from the list or enter its ID');
			expect(service.requests).toHaveLength(0);
		},
	);

	test('is one segment, whatever it holds', async () => {
		const { error } = await service.run('channel', 'get', { channelId: locator('../me') });
		expect(error?.message).toBe('Invalid parameters');
		expect(service.lastRequest.path).toBe('/int/v1/channel/..%2Fme');
	});
});

describe('the list of channels', () => {
	test('shows names, newest first, and marks archived ones', async () => {
		const { _id } = seeded();
		await service.run('channel', 'archive', { channelId: locator(_id) });
		const { results, paginationToken } = await searchList('searchChannels', service.accessKey);
		expect(results.map(({ name }) => name)).toEqual([
			'Channel 3',
			'Channel 2',
			'Channel 1 (archived)',
		]);
		expect(results.at(-1)?.value).toBe(_id);
		expect(paginationToken).toBeUndefined();
	});

	test('narrows to what was typed', async () => {
		const { results } = await searchList('searchChannels', service.accessKey, { filter: 'NEL 2' });
		expect(results.map(({ name }) => name)).toEqual(['Channel 2']);
	});

	test('shows the service’s message', async () => {
		const credentials = { ...service.accessKey, accessKey: 'wrong' };
		await expect(searchList('searchChannels', credentials)).rejects.toThrow(
			'The service refused access',
		);
	});
});
