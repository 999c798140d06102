import { any, first, textLike, textWith, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, ok, done, refused, expectViolations } = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0, broadcasts: 0 },
});

interface Sent {
	_id: string;
	status: string;
	liveDate?: string;
	recipientAmount: number;
}

const later = timeAfter(60_000);
const scheduled = { status: 'scheduled', scheduledTime: later };
const required = {
	campaign: { name: 'Welcome', description: 'Hello' },
	broadcast: { title: 'Hello', message: 'World' },
};
type Kind = keyof typeof required;

const create = (kind: Kind, body: object = {}) =>
	ok<Sent>(`POST /${kind}`, { ...required[kind], ...body });
const get = (kind: Kind, id: string) => ok<Sent>(`GET /${kind}/${id}`);
const list = (kind: Kind) => ok<Sent[]>(`GET /${kind}`);
const template = () => first(emulator.state.templates.values());
const paul = 'paul.plain@company.example';

describe.each(['campaign', 'broadcast'] as const)('%s', (kind) => {
	test.each([
		[{}, '1'],
		[{ status: 'live', scheduledTime: later }, '1'],
		[{ status: 'draft', scheduledTime: later }, '0'],
		[scheduled, '4'],
	])('created with %j has the status %s', async (body, status) => {
		const { _id, ...rest } = await create(kind, body);
		const url = `${emulator.url}/console/${kind}/${_id}`;
		expect([_id, rest]).toEqual([textLike(/^[0-9a-f]{24}$/), { [`${kind}Url`]: url }]);
		expect(await get(kind, _id)).toHaveProperty('status', status);
	});

	test('goes live when the clock reaches its live date, which only lists show', async () => {
		const { _id } = await create(kind, scheduled);
		expect(first(await list(kind)).liveDate).toBe(later);
		emulator.clock.advance(59_999);
		expect(await get(kind, _id)).toHaveProperty('status', '4');
		emulator.clock.advance(1);
		expect(await get(kind, _id)).toHaveProperty('status', '1');
		expect(first(await list(kind)).liveDate).toBe(later);
		expect(await get(kind, _id)).not.toHaveProperty('liveDate');
	});

	test('accepts recipients by email, by group, or as new people', async () => {
		const { people, recipientGroups } = emulator.state;
		const [one, two] = [...people.values()].map(({ email }) => email);
		const group = first(recipientGroups.values());
		for (const [body, recipientAmount] of [
			[{ recipientEmails: [one?.toUpperCase(), two, two] }, 2],
			[{ recipientGroups: [group._id] }, group.members.size],
			[{ recipients: [{ email: 'new@people.example', firstName: 'New' }] }, 1],
		] as const)
			expect(await get(kind, (await create(kind, body))._id)).toMatchObject({ recipientAmount });
		expect(people.findByEmail('new@people.example')?.firstName).toBe('New');
		expect(await refused(`POST /${kind}`, { ...required[kind], recipientGroups: ['nope'] })).toBe(
			'Object does not exist',
		);
	});
});

test('shows the documented fields of a campaign', async () => {
	const { _id } = await create('campaign');
	const { _id: adminId, email, firstName, lastName } = emulator.state.superUser;
	expect(await get('campaign', _id)).toEqual({
		_id,
		...required.campaign,
		title: 'Welcome',
		categories: [],
		enableEmail: true,
		enableMobileNotification: true,
		commentVisibility: 'disabled',
		status: '1',
		sender: { _id: adminId, email, firstName, lastName, displayName: 'Ada Admin' },
		sharedUsers: [],
		sharedGroups: [],
		adminIds: [adminId],
		recipientAmount: 0,
		campaignUrl: any(String),
	});
});

test('saves optional fields', async () => {
	const shown = {
		...{ title: 'Title', enableEmail: false, enableMobileNotification: false },
		...{ commentVisibility: '0', sharedGroups: ['team1'], categories: ['HR', 'Culture'] },
		imageUrl: 'https://images.example/x.png',
	};
	const hidden = {
		templateId: template()._id,
		templateData: '{"a":1}',
		emailReplyTo: 'a@b.example',
	};
	const campaign = await create('campaign', { ...shown, ...hidden, senderUserEmail: paul });
	expect(await get('campaign', campaign._id)).toMatchObject({ ...shown, sender: { email: paul } });
	expect(emulator.state.campaigns.get(campaign._id)).toMatchObject(hidden);
	const fields = {
		...{ emoji: '🎉', requiredConfirm: true, actionLinkText: 'Go', contentInEmail: true },
		...{ imageUrl: shown.imageUrl, actionLink: 'https://company.example' },
	};
	const broadcast = await create('broadcast', fields);
	expect(emulator.state.broadcasts.get(broadcast._id)).toMatchObject(fields);
});

test('copies categories and image from the template by default', async () => {
	const { _id: templateId, categories, marketImagePath: imageUrl } = template();
	const { _id } = await create('campaign', { templateId });
	expect(await get('campaign', _id)).toMatchObject({ categories, imageUrl });
});

test.each([
	[{ templateId: 'nope' }, 'Template not found'],
	[{ senderUserEmail: 'no@body.example' }, textWith('No console user')],
	[{ ownerUserEmail: 'no@body.example' }, textWith('No console user')],
])('refuses a campaign with %j', async (body, message) => {
	expect(await refused('POST /campaign', { ...required.campaign, ...body })).toEqual(message);
	expect(emulator.state.campaigns.size).toBe(0);
	expectViolations(0);
});

test('an update changes only the fields that it contains; with the status live, it sends a draft or scheduled campaign', async () => {
	const live = { status: 'live' };
	for (const body of [{ status: 'draft', categories: ['HR'] }, scheduled]) {
		const { _id } = await create('campaign', body);
		await ok(`PUT /campaign/${_id}`, { title: '', enableEmail: false });
		const { categories = [] } = { categories: [], ...body };
		expect(await get('campaign', _id)).toMatchObject({ title: '', enableEmail: false, categories });
		await ok(`PUT /campaign/${_id}`, live);
		expect(await refused(`PUT /campaign/${_id}`, live)).toContain('draft or scheduled');
		await ok(`PUT /campaign/${_id}/close`);
		await refused(`PUT /campaign/${_id}`, live);
		expect(await get('campaign', _id)).toHaveProperty('status', '3');
		for (const action of ['close', 'addRecipients'])
			expect(await refused(`PUT /campaign/${_id}/${action}`)).toBe('Campaign already closed');
	}
	const { _id } = await create('campaign', { status: 'draft' });
	expect(await refused(`PUT /campaign/${_id}/close`)).toBe('Campaign is not live');
	expectViolations(0);
	await refused(`PUT /campaign/${_id}`, { status: 'draft' });
	expectViolations(1);
});

test('allows changes to a broadcast depending on its status', async () => {
	const path = async (body: object) => `/broadcast/${(await create('broadcast', body))._id}`;
	const [draft, planned, live] = [
		await path({ status: 'draft' }),
		await path(scheduled),
		await path({}),
	];
	const toDraft = { status: 'draft' };
	for (const other of [draft, live])
		expect(await refused(`PUT ${other}`, toDraft)).toBe('Invalid request parameters');
	expect(await ok(`PUT ${planned}`, toDraft)).toMatchObject({ status: '0' });
	emulator.clock.advance(60_000);
	expect(await ok(`GET ${planned}`)).toHaveProperty('status', '0');
	expect(await refused(`PUT ${draft}/close`)).toBe('Broadcast is not live');
	expect(await refused(`DELETE ${live}`)).toBe('Broadcast not found');
	await done(`PUT ${live}/close`);
	expect(await ok(`GET ${live}`)).toHaveProperty('status', '3');
	for (const other of [draft, planned, live]) await done(`DELETE ${other}`);
	expect(await list('broadcast')).toEqual([]);
});

test('adds and cancels recipients of a campaign', async () => {
	const [one, two, three] = [...emulator.state.people.values()].map(({ email }) => email);
	const { _id } = await create('campaign', { recipientEmails: [one] });
	for (const [action, recipientEmails, recipientAmount] of [
		['addRecipients', [two, three], 3],
		['cancelRecipients', [one?.toUpperCase()], 2],
		['cancelRecipients', undefined, 2],
	] as const) {
		await ok(`PUT /campaign/${_id}/${action}`, { recipientEmails });
		expect(await get('campaign', _id)).toMatchObject({ recipientAmount });
	}
	expect(await ok(`GET /campaign/${_id}/report`)).toEqual({
		commentCount: 0,
		completeReadCount: any(Number),
		emailCount: 2,
		likeCount: any(Number),
		mobileNotificationCount: 2,
		readCount: any(Number),
		recipientsAmount: 2,
		smsCount: 0,
	});
});

test('lists own and shared campaigns, and shows Super Users any campaign by ID', async () => {
	const { _id } = await create('campaign');
	expect(await plain.refused(`GET /campaign/${_id}`)).toBe('Not Found.');
	const { superUser, plainUser } = emulator.state;
	const other = emulator.state.addCampaign({ name: 'Other', ownerId: plainUser._id });
	const ids = async () => (await list('campaign')).map((campaign) => campaign._id);
	expect(await ids()).toEqual([_id]);
	await get('campaign', other._id);
	other.sharedUserIds.push(superUser._id);
	expect(await ids()).toEqual([other._id, _id]);
	await create('campaign', { ownerUserEmail: paul });
	expect(await ids()).toHaveLength(3);
	expect(await plain.ok('GET /campaign')).toHaveLength(2);
});
