import { first, start, textLike, useEmulator } from './client.mts';

const context = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0, broadcasts: 0 },
});

interface Reference {
	_id: string;
	campaignUrl: string;
}

interface CampaignData {
	_id: string;
	title: string;
	status: string;
	categories: string[];
	commentVisibility: string;
	imageUrl?: string;
	recipientAmount: number;
	liveDate?: string;
	sender: { email: string };
	enableEmail: boolean;
}

const later = new Date(start + 60_000).toISOString();

async function create(body: object = {}): Promise<Reference> {
	const { data } = await context.client.ok<Reference>('POST', '/campaign', {
		body: { name: 'Welcome', description: 'Hello', ...body },
	});
	return data;
}

async function get(id: string): Promise<CampaignData> {
	return (await context.client.ok<CampaignData>('GET', `/campaign/${id}`)).data;
}

async function list(): Promise<CampaignData[]> {
	return (await context.client.ok<CampaignData[]>('GET', '/campaign')).data;
}

const statusOf = async (id: string): Promise<string> => (await get(id)).status;

describe('create', () => {
	test('sends at once when status is absent, and returns only id and URL', async () => {
		const reference = await create();
		expect(reference).toEqual({
			_id: textLike(/^[0-9a-f]{24}$/),
			campaignUrl: `${context.emulator.url}/console/campaign/${reference._id}`,
		});
		expect(await get(reference._id)).toEqual({
			_id: reference._id,
			name: 'Welcome',
			title: 'Welcome',
			description: 'Hello',
			categories: [],
			enableEmail: true,
			enableMobileNotification: true,
			commentVisibility: 'disabled',
			status: '1',
			sender: {
				_id: context.emulator.state.superUser._id,
				email: 'ada.admin@company.example',
				firstName: 'Ada',
				lastName: 'Admin',
				displayName: 'Ada Admin',
			},
			sharedUsers: [],
			sharedGroups: [],
			adminIds: [context.emulator.state.superUser._id],
			recipientAmount: 0,
			campaignUrl: reference.campaignUrl,
		});
		expect(first(await list()).liveDate).toBe(new Date(start).toISOString());
	});

	test.each([
		[{ status: 'live' }, '1'],
		[{ status: 'draft' }, '0'],
		[{ status: 'live', scheduledTime: later }, '1'],
		[{ status: 'draft', scheduledTime: later }, '0'],
		[{ status: 'scheduled', scheduledTime: later }, '4'],
		[{ scheduledTime: later }, '1'],
	])('%j reaches status %s', async (body, status) => {
		expect(await statusOf((await create(body))._id)).toBe(status);
	});

	test('a scheduled one goes live when the clock passes its time', async () => {
		const { _id } = await create({ status: 'scheduled', scheduledTime: later });
		expect(first(await list()).liveDate).toBe(later);
		context.emulator.clock.advance(59_999);
		expect(await statusOf(_id)).toBe('4');
		context.emulator.clock.advance(1);
		expect(context.emulator.state.campaigns.get(_id)?.status).toBe('1');
		expect(await statusOf(_id)).toBe('1');
		expect(first(await list()).liveDate).toBe(later);
	});

	test('all optional fields are kept', async () => {
		const template = first(context.emulator.state.templates.values());
		const { _id } = await create({
			title: 'Title',
			templateId: template._id,
			templateData: '{"first":"Ada"}',
			imageUrl: 'https://images.example/x.png',
			enableEmail: false,
			enableMobileNotification: false,
			emailReplyTo: 'hr@company.example',
			commentVisibility: '0',
			senderUserEmail: 'paul.plain@company.example',
			sharedGroups: ['team1'],
			categories: ['HR', 'Culture'],
		});
		expect(await get(_id)).toMatchObject({
			title: 'Title',
			imageUrl: 'https://images.example/x.png',
			enableEmail: false,
			enableMobileNotification: false,
			commentVisibility: '0',
			sharedGroups: ['team1'],
			categories: ['HR', 'Culture'],
			sender: { email: 'paul.plain@company.example' },
		});
		expect(context.emulator.state.campaigns.get(_id)).toMatchObject({
			templateId: template._id,
			templateData: '{"first":"Ada"}',
			emailReplyTo: 'hr@company.example',
		});
	});

	test('categories and image come from the template when they are absent', async () => {
		const template = first(context.emulator.state.templates.values());
		const { _id } = await create({ templateId: template._id });
		expect(await get(_id)).toMatchObject({
			categories: template.categories,
			imageUrl: template.marketImagePath,
		});
	});

	test('what does not exist is refused', async () => {
		const refused = (body: object) =>
			context.client.refused('POST', '/campaign', {
				body: { name: 'x', description: 'x', ...body },
			});
		expect(await refused({ templateId: 'nope' })).toBe('Template not found');
		expect(await refused({ senderUserEmail: 'no@body.example' })).toContain('No console user');
		expect(await refused({ ownerUserEmail: 'no@body.example' })).toContain('No console user');
		expect(await refused({ recipientGroups: ['nope'] })).toBe('Object does not exist');
		expect(await refused({ recipientEmails: ['no@body.example'] })).toBe(
			'Not all emails founded as recipient in system',
		);
		expect(context.emulator.state.campaigns.size).toBe(0);
		expect(context.emulator.violations).toEqual([]);
	});

	test('an owner other than the caller shares the campaign with the caller', async () => {
		const { _id } = await create({ ownerUserEmail: 'paul.plain@company.example' });
		expect(first(await list())._id).toBe(_id);
		expect((await context.plain.ok<CampaignData[]>('GET', '/campaign')).data).toHaveLength(1);
	});

	test('recipients by email, by group, or as new ones', async () => {
		const { state } = context.emulator;
		const people = state.people.values();
		const group = first(state.recipientGroups.values());
		const byEmail = await create({
			recipientEmails: [people[0]?.email.toUpperCase(), people[1]?.email, people[1]?.email],
		});
		expect((await get(byEmail._id)).recipientAmount).toBe(2);
		const byGroup = await create({ recipientGroups: [group._id] });
		expect((await get(byGroup._id)).recipientAmount).toBe(group.members.size);
		const fresh = await create({
			recipients: [{ email: 'new@people.example', firstName: 'New', lastName: 'Person' }],
		});
		expect((await get(fresh._id)).recipientAmount).toBe(1);
		expect(state.people.findByEmail('new@people.example')?.firstName).toBe('New');
	});

	test('unknown emails may also be passed over', async () => {
		context.emulator.switches.unknownCampaignEmails = 'ignore';
		const { _id } = await create({ recipientEmails: ['no@body.example'] });
		expect((await get(_id)).recipientAmount).toBe(0);
	});

	test.each([
		['recipientEmails', 'recipientGroups'],
		['recipientEmails', 'recipients'],
		['recipientGroups', 'recipients'],
	])('%s and %s exclude each other', async (one, other) => {
		const message = await context.client.refused('POST', '/campaign', {
			body: { name: 'x', description: 'x', [one]: [], [other]: [] },
		});
		expect(message).toContain('mutually exclusive');
		expect(context.emulator.violations).toHaveLength(1);
	});

	test('the switches for scheduling', async () => {
		const { switches } = context.emulator;
		const body = { name: 'x', description: 'x', scheduledTime: later };
		switches.absentStatusWithTime = 'scheduled';
		expect(await statusOf((await create({ scheduledTime: later }))._id)).toBe('4');
		switches.absentStatusWithTime = 'refuse';
		expect(await context.client.refused('POST', '/campaign', { body })).toBe('status is mandatory');
		switches.statusScheduled = 'refuse';
		expect(
			await context.client.refused('POST', '/campaign', { body: { ...body, status: 'scheduled' } }),
		).toBe("status must be 'live' or 'draft'");
		switches.statusScheduled = 'accept';
		switches.scheduledState = '0';
		const { _id } = await create({ status: 'scheduled', scheduledTime: later });
		expect(await statusOf(_id)).toBe('0');
		context.emulator.clock.advance(60_000);
		expect(await statusOf(_id)).toBe('1');
	});

	test('the switch for categories', async () => {
		const { switches } = context.emulator;
		const body = (categories: unknown) => ({ body: { name: 'x', description: 'x', categories } });
		expect((await get((await create({ categories: '["HR"]' }))._id)).categories).toEqual(['HR']);
		expect((await get((await create({ categories: 'HR' }))._id)).categories).toEqual(['HR']);
		const several = await create({ categories: 'HR, Culture,' });
		expect((await get(several._id)).categories).toEqual(['HR', 'Culture']);
		switches.categoriesFormat = 'array';
		await context.client.refused('POST', '/campaign', body('HR'));
		switches.categoriesFormat = 'string';
		await context.client.refused('POST', '/campaign', body(['HR']));
		expect(context.emulator.violations).toHaveLength(2);
	});
});

describe('update and close', () => {
	test('changes what is sent and nothing else', async () => {
		const { _id, campaignUrl } = await create({
			status: 'draft',
			title: 'Old',
			categories: ['HR'],
		});
		const { data } = await context.client.ok('PUT', `/campaign/${_id}`, {
			body: { title: '', enableEmail: false, emailReplyTo: '' },
		});
		expect(data).toEqual({ _id, campaignUrl });
		expect(await get(_id)).toMatchObject({ title: '', enableEmail: false, categories: ['HR'] });
	});

	test('draft and scheduled go live, live and closed do not', async () => {
		const draft = await create({ status: 'draft' });
		const scheduled = await create({ status: 'scheduled', scheduledTime: later });
		for (const { _id } of [draft, scheduled]) {
			await context.client.ok('PUT', `/campaign/${_id}`, { body: { status: 'live' } });
			expect(await statusOf(_id)).toBe('1');
			expect(
				await context.client.refused('PUT', `/campaign/${_id}`, { body: { status: 'live' } }),
			).toContain('draft or scheduled');
		}
		await context.client.ok('PUT', `/campaign/${draft._id}/close`);
		await context.client.refused('PUT', `/campaign/${draft._id}`, { body: { status: 'live' } });
		expect(await statusOf(draft._id)).toBe('3');
	});

	test('only "live" is allowed as status', async () => {
		const { _id } = await create();
		await context.client.refused('PUT', `/campaign/${_id}`, { body: { status: 'draft' } });
		expect(context.emulator.violations).toHaveLength(1);
	});

	test('close works on a live campaign once', async () => {
		const { _id, campaignUrl } = await create();
		const { data } = await context.client.ok('PUT', `/campaign/${_id}/close`);
		expect(data).toEqual({ _id, campaignUrl });
		expect(await statusOf(_id)).toBe('3');
		expect(await context.client.refused('PUT', `/campaign/${_id}/close`)).toBe(
			'Campaign already closed',
		);
		const draft = await create({ status: 'draft' });
		expect(await context.client.refused('PUT', `/campaign/${draft._id}/close`)).toBe(
			'Campaign is not live',
		);
	});

	test('description may be made mandatory on update, too', async () => {
		const { _id } = await create();
		context.emulator.switches.updateWithoutDescription = 'refuse';
		expect(await context.client.refused('PUT', `/campaign/${_id}`, { body: { name: 'y' } })).toBe(
			'description is mandatory',
		);
	});
});

describe('recipients and report', () => {
	test('are added and cancelled', async () => {
		const { state } = context.emulator;
		const [one, two, three] = state.people.values();
		const { _id, campaignUrl } = await create({ recipientEmails: [one?.email] });
		const added = await context.client.ok('PUT', `/campaign/${_id}/addRecipients`, {
			body: { recipientEmails: [two?.email, three?.email] },
		});
		expect(added.data).toEqual({ _id, campaignUrl });
		expect((await get(_id)).recipientAmount).toBe(3);
		await context.client.ok('PUT', `/campaign/${_id}/cancelRecipients`, {
			body: { recipientEmails: [one?.email.toUpperCase()] },
		});
		expect((await get(_id)).recipientAmount).toBe(2);
		await context.client.ok('PUT', `/campaign/${_id}/cancelRecipients`, { body: {} });
		expect((await get(_id)).recipientAmount).toBe(2);
	});

	test('a closed campaign takes no more', async () => {
		const { _id } = await create();
		await context.client.ok('PUT', `/campaign/${_id}/close`);
		expect(
			await context.client.refused('PUT', `/campaign/${_id}/addRecipients`, { body: {} }),
		).toBe('Campaign already closed');
	});

	test('the report has its eight numbers', async () => {
		const group = first(context.emulator.state.recipientGroups.values());
		const { _id } = await create({ recipientGroups: [group._id] });
		const { data } = await context.client.ok<Record<string, number>>(
			'GET',
			`/campaign/${_id}/report`,
		);
		expect(Object.keys(data).sort()).toEqual([
			'commentCount',
			'completeReadCount',
			'emailCount',
			'likeCount',
			'mobileNotificationCount',
			'readCount',
			'recipientsAmount',
			'smsCount',
		]);
		expect(data.recipientsAmount).toBe(10);
	});
});

describe('who sees what', () => {
	test('others do not see it, Super Users see everything one by one', async () => {
		const { _id } = await create();
		expect(await context.plain.refused('GET', `/campaign/${_id}`)).toBe('Not Found.');
		const other = context.emulator.state.addCampaign({
			name: 'Other',
			ownerId: context.emulator.state.plainUser._id,
		});
		expect((await get(other._id))._id).toBe(other._id);
		other.sharedUserIds.push(context.emulator.state.superUser._id);
		expect((await list()).map((campaign) => campaign._id)).toEqual([other._id, _id]);
	});
});
