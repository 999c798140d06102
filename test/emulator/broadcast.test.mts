import { first, start, textLike, useEmulator } from './client.mts';

const context = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0, broadcasts: 0 },
});

interface Broadcast {
	_id: string;
	status: string;
	liveDate?: string;
	recipientAmount: number;
	broadcastUrl: string;
}

const later = new Date(start + 60_000).toISOString();

async function create(body: object = {}): Promise<{ _id: string; broadcastUrl: string }> {
	const { data } = await context.client.ok<{ _id: string; broadcastUrl: string }>(
		'POST',
		'/broadcast',
		{
			body: { title: 'Hello', message: 'World', ...body },
		},
	);
	return data;
}

async function get(id: string): Promise<Broadcast> {
	return (await context.client.ok<Broadcast>('GET', `/broadcast/${id}`)).data;
}

test('create sends at once, and get shows the documented fields', async () => {
	const created = await create();
	expect(created).toEqual({
		_id: textLike(/^[0-9a-f]{24}$/),
		broadcastUrl: `${context.emulator.url}/console/broadcast/${created._id}`,
	});
	expect(await get(created._id)).toEqual({
		_id: created._id,
		status: '1',
		sender: {
			_id: context.emulator.state.superUser._id,
			email: 'ada.admin@company.example',
			firstName: 'Ada',
			lastName: 'Admin',
			displayName: 'Ada Admin',
		},
		sharedUsers: [],
		adminIds: [context.emulator.state.superUser._id],
		recipientAmount: 0,
		broadcastUrl: created.broadcastUrl,
	});
	context.emulator.switches.extraBroadcastFields = true;
	expect(await get(created._id)).toMatchObject({
		title: 'Hello',
		message: 'World',
		emoji: '🔔',
		requiredConfirm: false,
		actionLinkText: 'More Detail',
		contentInEmail: false,
	});
});

test('all optional fields are taken', async () => {
	const { _id } = await create({
		imageUrl: 'https://images.example/x.png',
		emoji: '🎉',
		requiredConfirm: true,
		actionLink: 'https://company.example',
		actionLinkText: 'Go',
		contentInEmail: true,
		recipients: [{ email: 'new@people.example' }],
	});
	expect(context.emulator.state.broadcasts.get(_id)).toMatchObject({
		imageUrl: 'https://images.example/x.png',
		emoji: '🎉',
		requiredConfirm: true,
		actionLink: 'https://company.example',
		actionLinkText: 'Go',
		contentInEmail: true,
	});
	expect((await get(_id)).recipientAmount).toBe(1);
	expect(context.emulator.violations).toEqual([]);
});

test.each([
	[{ status: 'live' }, '1'],
	[{ status: 'draft' }, '0'],
	[{ status: 'scheduled', scheduledTime: later }, '4'],
])('%j reaches status %s', async (body, status) => {
	expect((await get((await create(body))._id)).status).toBe(status);
});

test('title and message are mandatory', async () => {
	const refused = (body: object) => context.client.refused('POST', '/broadcast', { body });
	expect(await refused({ message: 'x' })).toBe('Title is mandatory');
	expect(await refused({ title: '', message: 'x' })).toBe('Title is mandatory');
	expect(await refused({ title: 'x' })).toBe('message is mandatory');
	expect(context.emulator.violations).toEqual([]);
});

test('recipient sources exclude each other', async () => {
	const body = { title: 'x', message: 'x', recipientEmails: [], recipientGroups: [] };
	expect(await context.client.refused('POST', '/broadcast', { body })).toContain('exclusive');
	expect(context.emulator.violations).toHaveLength(1);
});

describe('update', () => {
	test('cancels a scheduled send', async () => {
		const { _id, broadcastUrl } = await create({ status: 'scheduled', scheduledTime: later });
		const { data } = await context.client.ok('PUT', `/broadcast/${_id}`, {
			body: { status: 'draft' },
		});
		expect(data).toEqual({ _id, status: '0', broadcastUrl });
		context.emulator.clock.advance(120_000);
		expect((await get(_id)).status).toBe('0');
	});

	test('is refused for everything else', async () => {
		const live = await create();
		const draft = await create({ status: 'draft' });
		const message = 'Invalid request parameters';
		const refused = (id: string, body: object) =>
			context.client.refused('PUT', `/broadcast/${id}`, { body });
		expect(await refused(live._id, { status: 'draft' })).toBe(message);
		expect(await refused(draft._id, { status: 'draft' })).toBe(message);
		expect(await refused('nope', { status: 'draft' })).toBe(message);
		expect(await refused(draft._id, {})).toBe(message);
		expect(context.emulator.violations).toEqual([]);
		expect(await refused(draft._id, { status: 'live' })).toBe(message);
		expect(await refused(draft._id, { status: 'draft', title: 'x' })).toBe(message);
		expect(context.emulator.violations).toHaveLength(2);
	});
});

test('close works once, on a live one', async () => {
	const { _id } = await create();
	await context.client.done('PUT', `/broadcast/${_id}/close`);
	expect((await get(_id)).status).toBe('3');
	expect(await context.client.refused('PUT', `/broadcast/${_id}/close`)).toBe(
		'Campaign already closed',
	);
	const draft = await create({ status: 'draft' });
	await context.client.refused('PUT', `/broadcast/${draft._id}/close`);
});

test('delete takes draft, scheduled and closed ones', async () => {
	const draft = await create({ status: 'draft' });
	const scheduled = await create({ status: 'scheduled', scheduledTime: later });
	const live = await create();
	for (const { _id } of [draft, scheduled])
		await context.client.done('DELETE', `/broadcast/${_id}`);
	expect(await context.client.refused('DELETE', `/broadcast/${live._id}`)).toBe(
		'Broadcast not found',
	);
	await context.client.done('PUT', `/broadcast/${live._id}/close`);
	await context.client.done('DELETE', `/broadcast/${live._id}`);
	expect(await context.client.refused('DELETE', `/broadcast/${live._id}`)).toBe(
		'Broadcast not found',
	);
	expect(await context.client.refused('GET', `/broadcast/${live._id}`)).toBe('Not Found.');
});

test('codes of scheduled and closed ones can be others', async () => {
	context.emulator.switches.broadcastStatusCodes = { scheduled: '2', closed: '9' };
	const scheduled = await create({ status: 'scheduled', scheduledTime: later });
	expect((await get(scheduled._id)).status).toBe('2');
	const live = await create();
	await context.client.done('PUT', `/broadcast/${live._id}/close`);
	expect((await get(live._id)).status).toBe('9');
});

test('a scheduled one goes live by the clock, and its liveDate is in the list only', async () => {
	const { _id } = await create({ status: 'scheduled', scheduledTime: later });
	context.emulator.clock.advance(60_000);
	expect((await get(_id)).status).toBe('1');
	const { data } = await context.client.ok<Broadcast[]>('GET', '/broadcast');
	expect(first(data).liveDate).toBe(later);
	expect(await get(_id)).not.toHaveProperty('liveDate');
});
