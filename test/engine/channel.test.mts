import type { INodeParameters } from 'n8n-workflow';

import { locator, searchList } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({ channels: 3 });

/** The oldest seeded channel. */
const seeded = () => first(service.emulator.state.channels.values(), 'channel');
/** Parameters of an operation on it. */
const onChannel = (parameters: INodeParameters = {}): INodeParameters => ({
	channelId: locator(seeded()._id),
	...parameters,
});

const unknownId = '64f1c0ffee0000000000abcd';
const unknownChannel = { channelId: locator(unknownId) };

describe('create', () => {
	test('sends the defaults together, under the names of the request', async () => {
		const template = first(service.emulator.state.templates.values())._id;
		const texts = { title: 'Welcome!', description: 'The first hundred days' };
		const defaults = {
			template,
			enableEmail: true,
			enableSms: false,
			enableAppNotification: true,
			enableComment: true,
			commentVisibility: '0',
		};
		const { json, error } = await service.run('channel', 'create', {
			name: 'New joiners',
			additionalFields: { ...texts, ...defaults },
		});
		expect(error).toBeUndefined();
		expect(service.lastSent).toEqual([
			'POST /channel',
			{ name: 'New joiners', ...texts, defaults },
		]);
		expect(json).toEqual([
			expect.objectContaining({ _id: expect.any(String), name: 'New joiners', status: '1' }),
		]);
	});

	test.each([
		[{}, {}],
		[{ additionalFields: { title: '' } }, {}],
		[{ name: ' ', additionalFields: { title: '', template: '' } }, {}],
		[{ name: 'Quiet', additionalFields: { title: '', template: '' } }, { name: 'Quiet' }],
	])('leaves out what is empty in %j', async (parameters, body) => {
		const { json, error } = await service.run('channel', 'create', parameters);
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toEqual(body);
		expect(service.lastRequest.headers['content-type']).toContain('application/json');
		expect(json).toHaveLength(1);
	});
});

describe('update', () => {
	test('sends the one default that was added and no other', async () => {
		const { _id } = seeded();
		const body = { defaults: { enableEmail: false } };
		const parameters = onChannel({ updateFields: body.defaults });
		const { json } = await service.run('channel', 'update', parameters);
		expect(service.lastSent).toEqual([`PUT /channel/${_id}`, body]);
		expect(json).toMatchObject([{ _id, ...body }]);
	});

	test('clears texts and the default template', async () => {
		const updateFields = { title: '', template: '', name: 'Renamed' };
		await service.run('channel', 'update', onChannel({ updateFields }));
		expect(service.lastRequest.body).toEqual({
			title: '',
			name: 'Renamed',
			defaults: { template: '' },
		});
		expect(seeded().name).toBe('Renamed');
	});
});

test('get gives the channel', async () => {
	const { _id, name } = seeded();
	const { json, items } = await service.run('channel', 'get', onChannel());
	expect(json).toMatchObject([{ _id, name, status: '1' }]);
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
	expect(service.lastSent).toEqual([`GET /channel/${_id}`, {}]);
});

describe('getAll', () => {
	test('gives up to Limit, newest first, with a request that has no query', async () => {
		const { json, hints } = await service.run('channel', 'getAll', { returnAll: false, limit: 2 });
		expect(json.map(({ name }) => name)).toEqual(['Channel 3', 'Channel 2']);
		expect(service.lastSent).toEqual(['GET /channel', {}]);
		expect(hints).toEqual([]);
	});

	test('says so when the service gives fewer channels than there are', async () => {
		service.emulator.switches.pageCap = { channel: 2 };
		const items = [{ json: {} }, { json: {} }];
		const { json, hints } = await service.run('channel', 'getAll', { returnAll: true }, { items });
		expect(json).toHaveLength(4);
		const message = expect.stringContaining('2 of 3 records');
		expect(hints).toEqual([expect.objectContaining({ type: 'warning', message })]);
	});

	test('says nothing when the channels asked for came, or the service counts none', async () => {
		service.emulator.switches.pageCap = { channel: 2 };
		expect((await service.run('channel', 'getAll', { limit: 2 })).hints).toEqual([]);
		service.emulator.switches.totalInLists = false;
		expect((await service.run('channel', 'getAll', { returnAll: true })).hints).toEqual([]);
	});

	test('keeps the service’s message when it refuses', async () => {
		service.emulator.switches.invalidToken = '200';
		const credential = { ...service.accessKey, accessKey: 'wrong' };
		const { error } = await service.run('channel', 'getAll', { returnAll: true }, { credential });
		expect(error?.message).toBe(service.lastRequest.response?.message);
	});
});

test('archives, then restores', async () => {
	const { _id } = seeded();
	const archived = await service.run('channel', 'archive', onChannel());
	expect(archived.json).toMatchObject([{ _id, status: '3' }]);
	expect(service.lastSent).toEqual([`POST /channel/${_id}/archive`, undefined]);
	const restored = await service.run('channel', 'restore', onChannel());
	expect(restored.json).toMatchObject([{ _id, status: '1' }]);
	expect(service.lastSent).toEqual([`POST /channel/${_id}/restore`, undefined]);
});

describe('createCampaign', () => {
	const texts = { name: 'Day one', description: 'What to bring' };
	const create = async (parameters: INodeParameters = {}) =>
		await service.run('channel', 'createCampaign', {
			...onChannel({ name: texts.name, campaignDescription: texts.description }),
			...parameters,
		});

	test('sends what a campaign can hold, and the status always', async () => {
		const { email } = service.emulator.state.superUser;
		const fields = {
			title: 'Your first day',
			templateData: '{ "city": "Oslo" }',
			imageUrl: 'https://example.com/one.png',
			enableEmail: false,
			enableMobileNotification: true,
			emailReplyTo: 'hr@example.com',
			commentVisibility: '1',
			senderUserEmail: email,
			ownerUserEmail: email,
		};
		const { json } = await create({
			status: 'draft',
			additionalFields: { ...fields, categories: 'HR, Culture' },
		});
		expect(service.lastSent).toEqual([
			`POST /channel/${seeded()._id}/campaign`,
			{ ...texts, status: 'draft', ...fields, categories: ['HR', 'Culture'] },
		]);
		const id = String(json[0]?._id);
		expect(json[0]).toEqual({ _id: id, campaignUrl: expect.stringContaining(id) });
		expect(service.emulator.state.campaigns.get(id)).toMatchObject({ status: '0' });
	});

	test.each([
		['nothing', {}],
		[
			'emptied texts',
			{
				title: '',
				templateId: '',
				templateData: ' ',
				categories: ' , ',
				imageUrl: '',
				emailReplyTo: '',
				senderUserEmail: '',
				ownerUserEmail: ' ',
			},
		],
	])('leaves to the channel what it does not say: %s', async (_what, additionalFields) => {
		await create({ additionalFields });
		expect(service.lastRequest.body).toEqual({ ...texts, status: 'draft' });
	});

	test('schedules in the time zone of the workflow', async () => {
		const { error } = await create({ status: 'scheduled', scheduledTime: '2099-01-31T09:15:00' });
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: '2099-01-31T08:15:00.000Z',
		});
	});
});

test('createBroadcast sends title, message and what else was added, and no status', async () => {
	const texts = { title: 'Fire drill', message: 'At noon' };
	const additionalFields = {
		imageUrl: 'https://example.com/fire.png',
		emoji: '🔥',
		requiredConfirm: true,
		actionLink: 'https://example.com/plan',
		actionLinkText: 'Where to go',
		contentInEmail: false,
	};
	const parameters = onChannel({ ...texts, additionalFields });
	const { json } = await service.run('channel', 'createBroadcast', parameters);
	expect(service.lastSent).toEqual([
		`POST /channel/${seeded()._id}/broadcast`,
		{ ...texts, ...additionalFields },
	]);
	const id = String(json[0]?._id);
	expect(json[0]).toEqual({ _id: id, broadcastUrl: expect.stringContaining(id) });
	expect(service.emulator.state.broadcasts.get(id)).toMatchObject({ status: '1' });
});

const nothing = '={{ $json.nothing }}';
test.each<[operation: string, parameters: INodeParameters, message: string]>([
	['update', { updateFields: {} }, 'Nothing to update'],
	['createCampaign', { name: 'a', campaignDescription: nothing }, 'Description is empty'],
	['createBroadcast', { title: 'a', message: nothing }, 'Message is empty'],
	...['get', 'archive', 'restore', 'update', 'createCampaign', 'createBroadcast'].map(
		(operation): [string, INodeParameters, string] => [
			operation,
			{
				channelId: locator(nothing),
				title: 'a',
				message: 'b',
				name: 'c',
				campaignDescription: 'd',
				updateFields: { name: 'e' },
			},
			'Channel is missing: choose it from the list or enter its ID',
		],
	),
])('%s with %j fails before anything is sent', async (operation, parameters, message) => {
	const failure = await service.failure('channel', operation, onChannel(parameters));
	expect(failure).toMatchObject({ message, sent: 0 });
});

test.each<[operation: string, parameters: INodeParameters]>([
	['create', { additionalFields: { template: unknownId } }],
	['get', unknownChannel],
	['archive', unknownChannel],
	['restore', unknownChannel],
])('%s keeps the service’s message, and says what to check', async (operation, parameters) => {
	expect(await service.failure('channel', operation, parameters)).toMatchObject({
		message: 'Invalid parameters',
		advice: expect.stringContaining('Check the channel'),
	});
});

describe('the list of channels', () => {
	test('shows names, newest first, and marks archived ones', async () => {
		await service.run('channel', 'archive', onChannel());
		const { results, paginationToken } = await searchList('searchChannels', service.accessKey);
		const names = results.map(({ name }) => name);
		expect(names).toEqual(['Channel 3', 'Channel 2', 'Channel 1 (archived)']);
		expect(results.at(-1)?.value).toBe(seeded()._id);
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
