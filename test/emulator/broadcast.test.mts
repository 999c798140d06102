import { first, nobody, textLike, timeAfter, useEmulator } from './client.mts';

const { emulator, ok, done, refused, expectViolations } = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0, broadcasts: 0 },
});

interface Broadcast {
	_id: string;
	status: string;
	broadcastUrl: string;
}

const later = timeAfter(60_000);
const scheduled = { status: 'scheduled', scheduledTime: later };

const create = (body: object = {}) =>
	ok<Broadcast>('POST /broadcast', { title: 'Hello', message: 'World', ...body });
const get = (id: string) => ok<Broadcast>(`GET /broadcast/${id}`);

test('create sends at once, and get shows the documented fields', async () => {
	const { _id, ...rest } = await create();
	const broadcastUrl = `${emulator.url}/console/broadcast/${_id}`;
	expect([_id, rest]).toEqual([textLike(/^[0-9a-f]{24}$/), { broadcastUrl }]);
	const { _id: adminId, email, firstName, lastName } = emulator.state.superUser;
	expect(await get(_id)).toEqual({
		_id,
		status: '1',
		sender: { _id: adminId, email, firstName, lastName, displayName: 'Ada Admin' },
		sharedUsers: [],
		adminIds: [adminId],
		recipientAmount: 0,
		broadcastUrl,
	});
	emulator.switches.extraBroadcastFields = true;
	expect(await get(_id)).toMatchObject({
		title: 'Hello',
		message: 'World',
		emoji: '🔔',
		requiredConfirm: false,
		actionLinkText: 'More Detail',
		contentInEmail: false,
	});
});

test('all optional fields are taken', async () => {
	const fields = {
		imageUrl: 'https://images.example/x.png',
		emoji: '🎉',
		requiredConfirm: true,
		actionLink: 'https://company.example',
		actionLinkText: 'Go',
		contentInEmail: true,
	};
	const { _id } = await create({ ...fields, recipients: [{ email: 'new@people.example' }] });
	expect(emulator.state.broadcasts.get(_id)).toMatchObject(fields);
	expect(await get(_id)).toHaveProperty('recipientAmount', 1);
	expectViolations(0);
});

test.each([
	[{ status: 'live' }, '1'],
	[{ status: 'draft' }, '0'],
	[scheduled, '4'],
])('%j reaches status %s', async (body, status) => {
	expect((await get((await create(body))._id)).status).toBe(status);
});

test.each([
	[{ message: 'x' }, 'Title is mandatory', 0],
	[{ title: '', message: 'x' }, 'Title is mandatory', 0],
	[{ title: 'x' }, 'message is mandatory', 0],
	[
		{ title: 'x', message: 'x', recipientEmails: [], recipientGroups: [] },
		'body: recipientEmails, recipientGroups and recipients are mutually exclusive',
		1,
	],
])('%j is refused', async (body, message, violations) => {
	expect(await refused('POST /broadcast', body)).toBe(message);
	expectViolations(violations);
});

test('update cancels a scheduled send', async () => {
	const { _id, broadcastUrl } = await create(scheduled);
	const updated = await ok(`PUT /broadcast/${_id}`, { status: 'draft' });
	expect(updated).toEqual({ _id, status: '0', broadcastUrl });
	emulator.clock.advance(120_000);
	expect((await get(_id)).status).toBe('0');
});

test('update is refused for everything else', async () => {
	const { _id: live } = await create();
	const { _id: draft } = await create({ status: 'draft' });
	for (const [id, body, violations] of [
		[live, { status: 'draft' }, 0],
		[draft, { status: 'draft' }, 0],
		[nobody, { status: 'draft' }, 0],
		[draft, {}, 0],
		[draft, { status: 'live' }, 1],
		[draft, { status: 'draft', title: 'x' }, 2],
	] as const) {
		expect(await refused(`PUT /broadcast/${id}`, body)).toBe('Invalid request parameters');
		expectViolations(violations);
	}
});

test('close works once, on a live one; delete takes draft, scheduled and closed ones', async () => {
	const [draft, planned, live] = [
		await create({ status: 'draft' }),
		await create(scheduled),
		await create(),
	].map(({ _id }) => `/broadcast/${_id}`);
	expect(await refused(`PUT ${draft}/close`)).toBe('Broadcast is not live');
	expect(await refused(`DELETE ${live}`)).toBe('Broadcast not found');
	await done(`PUT ${live}/close`);
	expect(await ok(`GET ${live}`)).toHaveProperty('status', '3');
	expect(await refused(`PUT ${live}/close`)).toBe('Campaign already closed');
	for (const path of [draft, planned, live]) await done(`DELETE ${path}`);
	expect(await refused(`DELETE ${live}`)).toBe('Broadcast not found');
	expect(await refused(`GET ${live}`)).toBe('Not Found.');
});

test('codes of scheduled and closed ones can be others', async () => {
	emulator.switches.broadcastStatusCodes = { scheduled: '2', closed: '9' };
	expect((await get((await create(scheduled))._id)).status).toBe('2');
	const { _id } = await create();
	await done(`PUT /broadcast/${_id}/close`);
	expect((await get(_id)).status).toBe('9');
});

test('a scheduled one goes live by the clock, and its liveDate is in the list only', async () => {
	const { _id } = await create(scheduled);
	emulator.clock.advance(60_000);
	expect((await get(_id)).status).toBe('1');
	expect(first(await ok<object[]>('GET /broadcast'))).toHaveProperty('liveDate', later);
	expect(await get(_id)).not.toHaveProperty('liveDate');
});
