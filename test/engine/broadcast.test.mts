import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const broadcasts = () => service.emulator.state.broadcasts;
const canteen = { title: 'Canteen', message: 'Closed' };
const create = async (parameters: INodeParameters = {}) =>
	await service.run('broadcast', 'create', { ...canteen, ...parameters });

describe('create', () => {
	test('saves a draft by default and returns ID and URL', async () => {
		const { json } = await create();
		expect(service.lastSent).toEqual(['POST /broadcast', { ...canteen, status: 'draft' }]);
		const broadcastUrl = expect.stringContaining('http');
		expect(json).toEqual([{ _id: expect.any(String), broadcastUrl }]);
		expect(broadcasts().get(String(json[0]?._id))?.status).toBe('0');
	});

	test('sends recipients and additional fields', async () => {
		const recipientGroups = [[...service.emulator.state.recipientGroups.values()][0]?._id ?? ''];
		const additionalFields = { emoji: '📣', requiredConfirm: true, contentInEmail: false };
		const sent = { ...canteen, status: 'live', recipientGroups };
		await create({ ...sent, recipientsFrom: 'groups', additionalFields });
		expect(service.lastRequest.body).toEqual({ ...sent, ...additionalFields });
	});

	test('schedules a broadcast', async () => {
		const { json } = await create({ status: 'scheduled', scheduledTime: '2099-01-31T09:15:00' });
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: '2099-01-31T08:15:00.000Z',
		});
		expect(broadcasts().get(String(json[0]?._id))?.status).toBe('4');
	});
});

test.each<[operation: string, parameters: INodeParameters, message: RegExp]>([
	['create', { title: ' ' }, /^Title is empty$/],
	['create', { message: '={{ $json.nothing }}' }, /^Message is empty$/],
	[
		'create',
		{
			...{ recipientsFrom: '={{ "emails" }}', recipientEmails: 'ada@example.com' },
			recipientGroups: ['g1'],
		},
		/^Use only one kind of recipients/,
	],
	['delete', { broadcastId: locator('={{ $json.nothing }}') }, /^Broadcast is missing/],
])('%s with %j fails before sending', async (operation, parameters, message) => {
	const failure = await service.failure('broadcast', operation, { ...canteen, ...parameters });
	expect(failure).toMatchObject({ message: expect.stringMatching(message), sent: 0 });
});

test.each([
	[{ resource: 'broadcast', operation: 'get' }, '1', ['GET ', {}], { status: 'live' }, '1'],
	[
		{ resource: 'broadcast', operation: 'update' },
		'4',
		['PUT ', { status: 'draft' }],
		{ status: '0' },
		'0',
	],
	[
		{ resource: 'broadcast', operation: 'close' },
		'1',
		['PUT /close', undefined],
		{ success: true },
		'3',
	],
	[
		{ resource: 'broadcast', operation: 'delete' },
		'0',
		['DELETE ', undefined],
		{ deleted: true },
		undefined,
	],
] as const)(
	'sends the documented request for %j of a broadcast with the status %s',
	async (call, status, sent, output, becomes) => {
		const scheduledAt = Date.now() + 3_600_000;
		const { _id } = service.emulator.state.addBroadcast({ ...canteen, status, scheduledAt });
		const { json } = await service.run(call.resource, call.operation, {
			broadcastId: locator(_id),
		});
		const [method, path] = sent[0].split(' ');
		expect(service.lastSent).toEqual([`${method} /broadcast/${_id}${path}`, sent[1]]);
		expect(json).toEqual([expect.objectContaining(output)]);
		expect(Object.values(json[0] ?? {})).toContain(_id);
		expect(broadcasts().get(_id)?.status).toBe(becomes);
	},
);

test.each(['broadcast', 'campaign'])(
	'%s: fails with advice if a user who is not a Super User selects the scope All',
	async (kind) => {
		const credential = { ...service.accessKey, accessKey: service.emulator.plainAccessKey };
		const parameters = { filters: { scope: 'all' } };
		expect(await service.failure(kind, 'getAll', parameters, { credential })).toMatchObject({
			message: 'Illegal parameters',
			advice: expect.stringContaining('Super Users'),
		});
	},
);
