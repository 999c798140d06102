import { locator } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const broadcasts = () => service.emulator.state.broadcasts;
/** A broadcast in a certain state. */
const idOf = (status: '0' | '1' | '3' | '4'): string => {
	const { _id } = service.emulator.state.addBroadcast({
		title: 'Canteen',
		message: 'Closed',
		status,
		...(status === '4' ? { scheduledAt: Date.now() + 3_600_000 } : {}),
	});
	return _id;
};

describe('create', () => {
	test('saves a draft by default and gives id and URL', async () => {
		const { json } = await service.run('broadcast', 'create', {
			title: 'Canteen',
			message: 'Closed',
		});
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: '/int/v1/broadcast',
			body: { title: 'Canteen', message: 'Closed', status: 'draft' },
		});
		expect(json).toEqual([
			{ _id: expect.any(String), broadcastUrl: expect.stringContaining('http') },
		]);
		expect(broadcasts().get(String(json[0]?._id))?.status).toBe('0');
	});

	test('sends every field the API knows', async () => {
		const [group] = service.emulator.state.recipientGroups.values();
		await service.run('broadcast', 'create', {
			title: 'Canteen',
			message: 'Closed',
			status: 'live',
			recipientsFrom: 'groups',
			recipientGroups: [group?._id ?? ''],
			additionalFields: {
				imageUrl: 'https://example.com/a.png',
				emoji: '📣',
				requiredConfirm: true,
				actionLink: 'https://example.com/menu',
				actionLinkText: 'Menu',
				contentInEmail: false,
			},
		});
		expect(service.lastRequest.body).toEqual({
			title: 'Canteen',
			message: 'Closed',
			status: 'live',
			recipientGroups: [group?._id],
			imageUrl: 'https://example.com/a.png',
			emoji: '📣',
			requiredConfirm: true,
			actionLink: 'https://example.com/menu',
			actionLinkText: 'Menu',
			contentInEmail: false,
		});
	});

	test('leaves out texts that were added and emptied', async () => {
		await service.run('broadcast', 'create', {
			title: 'Canteen',
			message: 'Closed',
			additionalFields: { imageUrl: '', emoji: ' ', actionLink: '', actionLinkText: '' },
		});
		expect(service.lastRequest.body).toEqual({
			title: 'Canteen',
			message: 'Closed',
			status: 'draft',
		});
	});

	test('schedules', async () => {
		const { json } = await service.run('broadcast', 'create', {
			title: 'Canteen',
			message: 'Closed',
			status: 'scheduled',
			scheduledTime: '2099-01-31T09:15:00',
		});
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: '2099-01-31T08:15:00.000Z',
		});
		expect(broadcasts().get(String(json[0]?._id))?.status).toBe('4');
	});

	test.each([
		['Title', { title: ' ', message: 'Closed' }],
		['Message', { title: 'Canteen', message: '={{ $json.nothing }}' }],
	])('fails without %s before anything is sent', async (label, parameters) => {
		const { error } = await service.run('broadcast', 'create', parameters);
		expect(error?.message).toBe(`${label} is empty`);
		expect(service.requests).toEqual([]);
	});

	test('two kinds of recipients fail before anything is sent', async () => {
		const { error } = await service.run('broadcast', 'create', {
			title: 'Canteen',
			message: 'Closed',
			recipientsFrom: '={{ "emails" }}',
			recipientEmails: 'ada@example.com',
			recipientGroups: ['g1'],
		});
		expect(error?.message).toMatch(/^Only one kind of recipients/);
		expect(service.requests).toEqual([]);
	});
});

test('get gives one broadcast', async () => {
	const id = idOf('1');
	const { json } = await service.run('broadcast', 'get', { broadcastId: locator(id) });
	expect(service.lastRequest).toMatchObject({ method: 'GET', path: `/int/v1/broadcast/${id}` });
	expect(json).toEqual([expect.objectContaining({ _id: id, status: 'live' })]);
});

test('get says what to do about an unknown one', async () => {
	const { error } = await service.run('broadcast', 'get', { broadcastId: locator('nobody') });
	expect(error?.message).toBe('Not Found.');
	expect(error?.description).toMatch(/Choose it from the list/);
});

describe('get many', () => {
	test('follows pages to the end', async () => {
		service.emulator.switches.pageCap = { broadcast: 2 };
		const { json } = await service.run('broadcast', 'getAll', { returnAll: true });
		expect(json.map(({ _id }) => _id)).toEqual(
			broadcasts()
				.values()
				.map(({ _id }) => _id)
				.reverse(),
		);
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

	test('shows the service’s refusal', async () => {
		const credential = { ...service.accessKey, accessKey: service.emulator.plainAccessKey };
		const { error } = await service.run(
			'broadcast',
			'getAll',
			{ filters: { scope: 'all' } },
			{ credential },
		);
		expect(error?.message).toBe('Illegal parameters');
		expect(error?.description).toMatch(/Super Users/);
	});
});

describe('return to draft', () => {
	test('cancels a scheduled send', async () => {
		const id = idOf('4');
		const { json } = await service.run('broadcast', 'update', { broadcastId: locator(id) });
		expect(service.lastRequest).toMatchObject({
			method: 'PUT',
			path: `/int/v1/broadcast/${id}`,
			body: { status: 'draft' },
		});
		expect(json).toEqual([{ _id: id, status: '0', broadcastUrl: expect.stringContaining('http') }]);
	});

	test('a live one stays live', async () => {
		const { error } = await service.run('broadcast', 'update', { broadcastId: locator(idOf('1')) });
		expect(error?.message).toBe('Invalid request parameters');
		expect(error?.description).toMatch(/Only a scheduled broadcast/);
	});
});

describe('close', () => {
	test('ends a live one and names it', async () => {
		const id = idOf('1');
		const { json } = await service.run('broadcast', 'close', { broadcastId: locator(id) });
		expect(service.lastRequest).toMatchObject({
			method: 'PUT',
			path: `/int/v1/broadcast/${id}/close`,
		});
		expect(json).toEqual([{ success: true, broadcastId: id }]);
		expect(broadcasts().get(id)?.status).toBe('3');
	});

	test('a closed one is said to be closed', async () => {
		const { error } = await service.run('broadcast', 'close', { broadcastId: locator(idOf('3')) });
		expect(error?.message).toBe('Campaign already closed');
		expect(error?.description).toMatch(/closed already/);
	});
});

describe('delete', () => {
	test('removes a draft and names it', async () => {
		const id = idOf('0');
		const { json } = await service.run('broadcast', 'delete', { broadcastId: locator(id) });
		expect(service.lastRequest).toMatchObject({
			method: 'DELETE',
			path: `/int/v1/broadcast/${id}`,
		});
		expect(json).toEqual([{ broadcastId: id, deleted: true }]);
		expect(broadcasts().get(id)).toBeUndefined();
	});

	test('a live one is kept', async () => {
		const id = idOf('1');
		const { error } = await service.run('broadcast', 'delete', { broadcastId: locator(id) });
		expect(error?.message).toBe('Broadcast not found');
		expect(error?.description).toMatch(/Close a live broadcast first/);
		expect(broadcasts().get(id)?.status).toBe('1');
	});

	test('without an ID nothing is sent', async () => {
		const { error } = await service.run('broadcast', 'delete', {
			broadcastId: locator('={{ $json.nothing }}'),
		});
		expect(error?.message).toMatch(/^Broadcast is missing/);
		expect(service.requests).toEqual([]);
	});
});
