import type { INodeParameters } from 'n8n-workflow';

import { locator, searchList } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({ channels: 3 });

/** Returns the oldest seeded channel. */
const seeded = () => first(service.emulator.state.channels.values(), 'channel');
const onChannel = (parameters: INodeParameters = {}): INodeParameters => ({
	channelId: locator(seeded()._id),
	...parameters,
});

describe('create', () => {
	test('sends the defaults in one object', async () => {
		const texts = { title: 'Welcome!', description: 'The first hundred days' };
		const defaults = {
			template: first(service.emulator.state.templates.values())._id,
			enableEmail: true,
			enableSms: false,
			enableAppNotification: true,
			enableComment: true,
			commentVisibility: '0',
		};
		const { json } = await service.run('channel', 'create', {
			name: 'New joiners',
			additionalFields: { ...texts, ...defaults },
		});
		const sent = { name: 'New joiners', ...texts, defaults };
		expect(service.lastSent).toEqual(['POST /channel', sent]);
		expect(json).toMatchObject([{ _id: expect.any(String), name: 'New joiners', status: '1' }]);
	});
});

test.each([
	[{ enableEmail: false }, { defaults: { enableEmail: false } }],
	[
		{ title: '', template: '', name: 'Renamed' },
		{ title: '', name: 'Renamed', defaults: { template: '' } },
	],
])('update with %j sends the added fields, including empty ones', async (updateFields, body) => {
	const { _id } = seeded();
	const { json } = await service.run('channel', 'update', onChannel({ updateFields }));
	expect(service.lastSent).toEqual([`PUT /channel/${_id}`, body]);
	expect(json).toMatchObject([{ _id, name: seeded().name }]);
});

test.each([
	[{ resource: 'channel', operation: 'get' }, 'GET ', {}, '1'],
	[{ resource: 'channel', operation: 'archive' }, 'POST /archive', undefined, '3'],
	[{ resource: 'channel', operation: 'restore' }, 'POST /restore', undefined, '1'],
] as const)('%j returns the channel', async ({ resource, operation }, request, body, status) => {
	const { _id, name } = seeded();
	seeded().status = operation === 'restore' ? '3' : '1';
	const { json, items } = await service.run(resource, operation, onChannel());
	const [method, path] = request.split(' ');
	expect(service.lastSent).toEqual([`${method} /channel/${_id}${path}`, body]);
	expect(json).toMatchObject([{ _id, name, status }]);
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
});

describe('createCampaign', () => {
	const texts = { name: 'Day one', description: 'What to bring' };
	const create = async (parameters: INodeParameters = {}) =>
		await service.run('channel', 'createCampaign', {
			...onChannel({ name: texts.name, campaignDescription: texts.description }),
			...parameters,
		});

	test('sends the fields of a campaign, and always the status', async () => {
		const fields = {
			templateData: '{ "city": "Oslo" }',
			enableEmail: false,
			commentVisibility: '1',
		};
		const additionalFields = { ...fields, categories: 'HR, Culture' };
		const { json } = await create({ status: 'draft', additionalFields });
		expect(service.lastSent).toEqual([
			`POST /channel/${seeded()._id}/campaign`,
			{ ...texts, status: 'draft', ...fields, categories: ['HR', 'Culture'] },
		]);
		const id = String(json[0]?._id);
		expect(json[0]).toEqual({ _id: id, campaignUrl: expect.stringContaining(id) });
		expect(service.emulator.state.campaigns.get(id)).toMatchObject({ status: '0' });
	});

	test('schedules in the time zone of the workflow', async () => {
		await create({ status: 'scheduled', scheduledTime: '2099-01-31T09:15:00' });
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: '2099-01-31T08:15:00.000Z',
		});
	});
});

test('createBroadcast sends title, message and the added fields, and no status', async () => {
	const texts = { title: 'Fire drill', message: 'At noon' };
	const additionalFields = { emoji: '🔥', requiredConfirm: true, contentInEmail: false };
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
	[
		'archive',
		{ channelId: locator(nothing) },
		'Channel is missing: choose it from the list or enter its ID',
	],
])('%s with %j fails before sending', async (operation, parameters, message) => {
	const failure = await service.failure('channel', operation, onChannel(parameters));
	expect(failure).toMatchObject({ message, sent: 0 });
});

test('lists channels newest first, filters them, and marks archived channels', async () => {
	await service.run('channel', 'archive', onChannel());
	const { results, paginationToken } = await searchList('searchChannels', service.accessKey);
	const names = results.map(({ name }) => name);
	expect(names).toEqual(['Channel 3', 'Channel 2', 'Channel 1, archived']);
	expect(results.at(-1)?.value).toBe(seeded()._id);
	expect(paginationToken).toBeUndefined();
	const found = await searchList('searchChannels', service.accessKey, { filter: 'NEL 2' });
	expect(found.results.map(({ name }) => name)).toEqual(['Channel 2']);
});
