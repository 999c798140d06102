import { any, first, textLike, textWith, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, ok, refused, expectViolations } = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0, broadcasts: 0 },
});

interface Campaign {
	_id: string;
	status: string;
	categories: string[];
	recipientAmount: number;
	liveDate?: string;
	campaignUrl: string;
}

const later = timeAfter(60_000);
const scheduled = { status: 'scheduled', scheduledTime: later };
const required = { name: 'Welcome', description: 'Hello' };

const create = (body: object = {}) => ok<Campaign>('POST /campaign', { ...required, ...body });
const get = (id: string) => ok<Campaign>(`GET /campaign/${id}`);
const list = () => ok<Campaign[]>('GET /campaign');
const statusOf = async (id: string) => (await get(id)).status;
const template = () => first(emulator.state.templates.values());

describe('create', () => {
	test('sends at once when status is absent, and returns only id and URL', async () => {
		const { _id, ...rest } = await create();
		const campaignUrl = `${emulator.url}/console/campaign/${_id}`;
		expect([_id, rest]).toEqual([textLike(/^[0-9a-f]{24}$/), { campaignUrl }]);
		const { _id: adminId, email, firstName, lastName } = emulator.state.superUser;
		expect(await get(_id)).toEqual({
			_id,
			...required,
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
			campaignUrl,
		});
		expect(first(await list()).liveDate).toBe(timeAfter());
	});

	test.each([
		[{ status: 'live' }, '1'],
		[{ status: 'draft' }, '0'],
		[{ status: 'live', scheduledTime: later }, '1'],
		[{ status: 'draft', scheduledTime: later }, '0'],
		[scheduled, '4'],
		[{ scheduledTime: later }, '1'],
	])('%j reaches status %s', async (body, status) => {
		expect(await statusOf((await create(body))._id)).toBe(status);
	});

	test('a scheduled one goes live when the clock passes its time', async () => {
		const { _id } = await create(scheduled);
		expect(first(await list()).liveDate).toBe(later);
		emulator.clock.advance(59_999);
		expect(await statusOf(_id)).toBe('4');
		emulator.clock.advance(1);
		expect(emulator.state.campaigns.get(_id)?.status).toBe('1');
		expect(await statusOf(_id)).toBe('1');
		expect(first(await list()).liveDate).toBe(later);
	});

	test('all optional fields are kept', async () => {
		const shown = {
			title: 'Title',
			imageUrl: 'https://images.example/x.png',
			enableEmail: false,
			enableMobileNotification: false,
			commentVisibility: '0',
			sharedGroups: ['team1'],
			categories: ['HR', 'Culture'],
		};
		const hidden = {
			templateId: template()._id,
			templateData: '{"first":"Ada"}',
			emailReplyTo: 'hr@company.example',
		};
		const senderUserEmail = 'paul.plain@company.example';
		const { _id } = await create({ ...shown, ...hidden, senderUserEmail });
		expect(await get(_id)).toMatchObject({ ...shown, sender: { email: senderUserEmail } });
		expect(emulator.state.campaigns.get(_id)).toMatchObject(hidden);
	});

	test('categories and image come from the template when they are absent', async () => {
		const { _id: templateId, categories, marketImagePath: imageUrl } = template();
		expect(await get((await create({ templateId }))._id)).toMatchObject({ categories, imageUrl });
	});

	test.each([
		[{ templateId: 'nope' }, 'Template not found'],
		[{ senderUserEmail: 'no@body.example' }, textWith('No console user')],
		[{ ownerUserEmail: 'no@body.example' }, textWith('No console user')],
		[{ recipientGroups: ['nope'] }, 'Object does not exist'],
		[{ recipientEmails: ['no@body.example'] }, 'Not all emails founded as recipient in system'],
	])('%j, which does not exist, is refused', async (body, message) => {
		expect(await refused('POST /campaign', { ...required, ...body })).toEqual(message);
		expect(emulator.state.campaigns.size).toBe(0);
		expectViolations(0);
	});

	test('an owner other than the caller shares the campaign with the caller', async () => {
		const { _id } = await create({ ownerUserEmail: 'paul.plain@company.example' });
		expect(first(await list())._id).toBe(_id);
		expect(await plain.ok('GET /campaign')).toHaveLength(1);
	});

	test('recipients by email, by group, or as new ones', async () => {
		const { people, recipientGroups } = emulator.state;
		const [one, two] = [...people.values()].map(({ email }) => email);
		const group = first(recipientGroups.values());
		for (const [body, recipientAmount] of [
			[{ recipientEmails: [one?.toUpperCase(), two, two] }, 2],
			[{ recipientGroups: [group._id] }, group.members.size],
			[{ recipients: [{ email: 'new@people.example', firstName: 'New' }] }, 1],
		] as const)
			expect(await get((await create(body))._id)).toMatchObject({ recipientAmount });
		expect(people.findByEmail('new@people.example')?.firstName).toBe('New');
		emulator.switches.unknownCampaignEmails = 'ignore';
		const { _id } = await create({ recipientEmails: ['no@body.example'] });
		expect(await get(_id)).toMatchObject({ recipientAmount: 0 });
	});

	test.each([
		['recipientEmails', 'recipientGroups'],
		['recipientEmails', 'recipients'],
		['recipientGroups', 'recipients'],
	])('%s and %s exclude each other', async (one, other) => {
		const body = { ...required, [one]: [], [other]: [] };
		expect(await refused('POST /campaign', body)).toContain('mutually exclusive');
		expectViolations(1);
	});

	test('the switches for scheduling', async () => {
		const { switches } = emulator;
		switches.absentStatusWithTime = 'scheduled';
		expect(await statusOf((await create({ scheduledTime: later }))._id)).toBe('4');
		switches.absentStatusWithTime = 'refuse';
		expect(await refused('POST /campaign', { ...required, scheduledTime: later })).toBe(
			'status is mandatory',
		);
		switches.statusScheduled = 'refuse';
		expect(await refused('POST /campaign', { ...required, ...scheduled })).toBe(
			"status must be 'live' or 'draft'",
		);
		switches.statusScheduled = 'accept';
		switches.scheduledState = '0';
		const { _id } = await create(scheduled);
		expect(await statusOf(_id)).toBe('0');
		emulator.clock.advance(60_000);
		expect(await statusOf(_id)).toBe('1');
	});

	test('the switch for categories', async () => {
		for (const [categories, shown] of [
			['["HR"]', ['HR']],
			['HR', ['HR']],
			['HR, Culture,', ['HR', 'Culture']],
		] as const)
			expect(await get((await create({ categories }))._id)).toMatchObject({ categories: shown });
		emulator.switches.categoriesFormat = 'array';
		await refused('POST /campaign', { ...required, categories: 'HR' });
		emulator.switches.categoriesFormat = 'string';
		await refused('POST /campaign', { ...required, categories: ['HR'] });
		expectViolations(2);
	});
});

describe('update and close', () => {
	test('changes what is sent and nothing else', async () => {
		const { _id, campaignUrl } = await create({ status: 'draft', categories: ['HR'] });
		const body = { title: '', enableEmail: false, emailReplyTo: '' };
		expect(await ok(`PUT /campaign/${_id}`, body)).toEqual({ _id, campaignUrl });
		expect(await get(_id)).toMatchObject({ title: '', enableEmail: false, categories: ['HR'] });
	});

	test('draft and scheduled go live, live and closed do not', async () => {
		const live = { status: 'live' };
		for (const body of [{ status: 'draft' }, scheduled]) {
			const { _id } = await create(body);
			await ok(`PUT /campaign/${_id}`, live);
			expect(await statusOf(_id)).toBe('1');
			expect(await refused(`PUT /campaign/${_id}`, live)).toContain('draft or scheduled');
			await ok(`PUT /campaign/${_id}/close`);
			await refused(`PUT /campaign/${_id}`, live);
			expect(await statusOf(_id)).toBe('3');
		}
	});

	test('only "live" is allowed as status', async () => {
		await refused(`PUT /campaign/${(await create())._id}`, { status: 'draft' });
		expectViolations(1);
	});

	test('close works on a live campaign once', async () => {
		const { _id, campaignUrl } = await create();
		expect(await ok(`PUT /campaign/${_id}/close`)).toEqual({ _id, campaignUrl });
		expect(await statusOf(_id)).toBe('3');
		for (const action of ['close', 'addRecipients'])
			expect(await refused(`PUT /campaign/${_id}/${action}`)).toBe('Campaign already closed');
		const draft = await create({ status: 'draft' });
		expect(await refused(`PUT /campaign/${draft._id}/close`)).toBe('Campaign is not live');
	});
});

describe('recipients and report', () => {
	test('are added and cancelled', async () => {
		const [one, two, three] = [...emulator.state.people.values()].map(({ email }) => email);
		const { _id, campaignUrl } = await create({ recipientEmails: [one] });
		for (const [action, recipientEmails, recipientAmount] of [
			['addRecipients', [two, three], 3],
			['cancelRecipients', [one?.toUpperCase()], 2],
			['cancelRecipients', undefined, 2],
		] as const) {
			const body = { recipientEmails };
			expect(await ok(`PUT /campaign/${_id}/${action}`, body)).toEqual({ _id, campaignUrl });
			expect(await get(_id)).toMatchObject({ recipientAmount });
		}
	});

	test('the report has its eight numbers', async () => {
		const group = first(emulator.state.recipientGroups.values());
		const { _id } = await create({ recipientGroups: [group._id] });
		expect(await ok(`GET /campaign/${_id}/report`)).toEqual({
			commentCount: 0,
			completeReadCount: any(Number),
			emailCount: 10,
			likeCount: any(Number),
			mobileNotificationCount: 10,
			readCount: any(Number),
			recipientsAmount: 10,
			smsCount: 0,
		});
	});
});

test('others do not see it, Super Users see everything one by one', async () => {
	const { _id } = await create();
	expect(await plain.refused(`GET /campaign/${_id}`)).toBe('Not Found.');
	const { superUser, plainUser } = emulator.state;
	const other = emulator.state.addCampaign({ name: 'Other', ownerId: plainUser._id });
	expect((await get(other._id))._id).toBe(other._id);
	other.sharedUserIds.push(superUser._id);
	expect((await list()).map((campaign) => campaign._id)).toEqual([other._id, _id]);
});
