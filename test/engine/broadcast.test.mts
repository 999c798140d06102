import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const broadcasts = () => service.emulator.state.broadcasts;
/** A broadcast in a certain state. */
const idOf = (status: '0' | '1' | '3' | '4'): string => {
	const { _id } = service.emulator.state.addBroadcast({
		...canteen,
		status,
		...(status === '4' ? { scheduledAt: Date.now() + 3_600_000 } : {}),
	});
	return _id;
};
const canteen = { title: 'Canteen', message: 'Closed' };
const create = async (parameters: INodeParameters = {}) =>
	await service.run('broadcast', 'create', { ...canteen, ...parameters });

describe('create', () => {
	test('saves a draft by default and gives id and URL', async () => {
		const { json } = await create();
		expect(service.lastSent).toEqual(['POST /broadcast', { ...canteen, status: 'draft' }]);
		expect(json).toEqual([
			{ _id: expect.any(String), broadcastUrl: expect.stringContaining('http') },
		]);
		expect(broadcasts().get(String(json[0]?._id))?.status).toBe('0');
	});

	test('sends every field the API knows', async () => {
		const recipientGroups = [[...service.emulator.state.recipientGroups.values()][0]?._id ?? ''];
		const additionalFields = {
			imageUrl: 'https://example.com/a.png',
			emoji: '📣',
			requiredConfirm: true,
			actionLink: 'https://example.com/menu',
			actionLinkText: 'Menu',
			contentInEmail: false,
		};
		const status = 'live';
		await create({ status, recipientsFrom: 'groups', recipientGroups, additionalFields });
		expect(service.lastRequest.body).toEqual({
			...canteen,
			status,
			recipientGroups,
			...additionalFields,
		});
	});

	test('leaves out texts that were added and emptied', async () => {
		await create({
			additionalFields: { imageUrl: '', emoji: ' ', actionLink: '', actionLinkText: '' },
		});
		expect(service.lastRequest.body).toEqual({ ...canteen, status: 'draft' });
	});

	test('schedules', async () => {
		const { json } = await create({ status: 'scheduled', scheduledTime: '2099-01-31T09:15:00' });
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: '2099-01-31T08:15:00.000Z',
		});
		expect(broadcasts().get(String(json[0]?._id))?.status).toBe('4');
	});
});

test.each<[what: string, operation: string, parameters: INodeParameters, message: RegExp]>([
	['no title', 'create', { ...canteen, title: ' ' }, /^Title is empty$/],
	['no message', 'create', { ...canteen, message: '={{ $json.nothing }}' }, /^Message is empty$/],
	[
		'two kinds of recipients',
		'create',
		{
			...canteen,
			recipientsFrom: '={{ "emails" }}',
			recipientEmails: 'ada@example.com',
			recipientGroups: ['g1'],
		},
		/^Only one kind of recipients/,
	],
	['no ID', 'delete', { broadcastId: locator('={{ $json.nothing }}') }, /^Broadcast is missing/],
])('%s: %s fails before anything is sent', async (_what, operation, parameters, message) => {
	expect(await service.failure('broadcast', operation, parameters)).toMatchObject({
		message: expect.stringMatching(message),
		sent: 0,
	});
});

test('get gives one broadcast', async () => {
	const id = idOf('1');
	const { json } = await service.run('broadcast', 'get', { broadcastId: locator(id) });
	expect(service.lastSent).toEqual([`GET /broadcast/${id}`, {}]);
	expect(json).toEqual([expect.objectContaining({ _id: id, status: 'live' })]);
});

describe('get many', () => {
	test('follows pages to the end', async () => {
		service.emulator.switches.pageCap = { broadcast: 2 };
		const { json } = await service.run('broadcast', 'getAll', { returnAll: true });
		const all = broadcasts().values();
		expect(json.map(({ _id }) => _id)).toEqual(all.map(({ _id }) => _id).reverse());
	});

	test('stops at the limit and sends the filters', async () => {
		const { json } = await service.run('broadcast', 'getAll', {
			limit: 2,
			filters: { minLiveDate: '2000-01-01', maxLiveDate: '2100-01-01T00:00:00Z', scope: 'all' },
		});
		expect(json).toHaveLength(2);
		expect(service.requests).toHaveLength(1);
		expect(service.lastRequest.query).toEqual({
			limit: '2',
			minLiveDate: '1999-12-31T23:00:00.000Z',
			maxLiveDate: '2100-01-01T00:00:00.000Z',
			all: 'true',
		});
	});
});

test('return to draft cancels a scheduled send', async () => {
	const id = idOf('4');
	const { json } = await service.run('broadcast', 'update', { broadcastId: locator(id) });
	expect(service.lastSent).toEqual([`PUT /broadcast/${id}`, { status: 'draft' }]);
	expect(json).toEqual([{ _id: id, status: '0', broadcastUrl: expect.stringContaining('http') }]);
});

test('close ends a live one and names it', async () => {
	const id = idOf('1');
	const { json } = await service.run('broadcast', 'close', { broadcastId: locator(id) });
	expect(service.lastSent[0]).toBe(`PUT /broadcast/${id}/close`);
	expect(json).toEqual([{ success: true, broadcastId: id }]);
	expect(broadcasts().get(id)?.status).toBe('3');
});

test('delete removes a draft and names it', async () => {
	const id = idOf('0');
	const { json } = await service.run('broadcast', 'delete', { broadcastId: locator(id) });
	expect(service.lastSent[0]).toBe(`DELETE /broadcast/${id}`);
	expect(json).toEqual([{ broadcastId: id, deleted: true }]);
	expect(broadcasts().get(id)).toBeUndefined();
});

test.each([
	['get', undefined, 'Not Found.', 'Choose it from the list'],
	['update', '1', 'Invalid request parameters', 'Only a scheduled broadcast'],
	['close', '3', 'Campaign already closed', 'closed already'],
	['delete', '1', 'Broadcast not found', 'Close a live broadcast first'],
] as const)('%s of one in state %s: %s, and what to do', async (...row) => {
	const [operation, status, message, advice] = row;
	const id = status === undefined ? 'nobody' : idOf(status);
	const failure = await service.failure('broadcast', operation, { broadcastId: locator(id) });
	expect(failure).toMatchObject({ message, advice: expect.stringContaining(advice) });
	expect(broadcasts().get(id)?.status).toBe(status);
});

test('the scope All of somebody who is no Super User is refused in the service’s words', async () => {
	const credential = { ...service.accessKey, accessKey: service.emulator.plainAccessKey };
	for (const resource of ['broadcast', 'campaign'])
		expect(
			await service.failure(resource, 'getAll', { filters: { scope: 'all' } }, { credential }),
		).toMatchObject({
			message: 'Illegal parameters',
			advice: expect.stringContaining('Super Users'),
		});
});
