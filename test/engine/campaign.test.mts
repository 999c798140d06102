import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const campaigns = () => service.emulator.state.campaigns;
const withStatus = (status: string) => {
	const found = campaigns().find((campaign) => campaign.status === status && !campaign.survey);
	return required(found, `campaign with status ${status}`);
};
const peopleEmails = () => [...service.emulator.state.people.values()].map(({ email }) => email);

const createCampaign = (parameters: INodeParameters, options = {}) =>
	service.run(
		'campaign',
		'create',
		{
			name: 'Picnic',
			campaignDescription: 'Where we meet',
			status: 'draft',
			recipientsFrom: 'none',
			...parameters,
		},
		options,
	);

describe('create', () => {
	test('saves a draft by default and gives id and URL', async () => {
		const { json } = await service.run('campaign', 'create', {
			name: 'Picnic',
			campaignDescription: 'Where',
		});
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: '/int/v1/campaign',
			body: { name: 'Picnic', description: 'Where', status: 'draft' },
		});
		expect(json).toEqual([
			{ _id: expect.any(String), campaignUrl: expect.stringContaining('http') },
		]);
		expect(campaigns().get(String(json[0]?._id))?.status).toBe('0');
	});

	test('sends every field the API knows, lists as arrays and template data as text', async () => {
		const [templateId] = service.emulator.state.templates.values().map(({ _id }) => _id);
		const emails = peopleEmails().slice(0, 2);
		const { superUser } = service.emulator.state;
		await createCampaign({
			status: 'live',
			recipientsFrom: 'emails',
			recipientEmails: ` ${emails[0]} ;\n${emails[1]},, ${emails[0]}`,
			additionalFields: {
				title: 'Come!',
				templateId: templateId ?? '',
				templateData: { city: 'Oslo' },
				categories: 'HR, IT',
				imageUrl: 'https://example.com/a.png',
				enableEmail: false,
				enableMobileNotification: true,
				emailReplyTo: 'hr@example.com',
				commentVisibility: '1',
				senderUserEmail: superUser.email,
				ownerUserEmail: superUser.email,
				sharedGroups: ['team-1'],
			},
		});
		expect(service.lastRequest.body).toEqual({
			name: 'Picnic',
			description: 'Where we meet',
			status: 'live',
			recipientEmails: emails,
			title: 'Come!',
			templateId,
			templateData: '{"city":"Oslo"}',
			categories: ['HR', 'IT'],
			imageUrl: 'https://example.com/a.png',
			enableEmail: false,
			enableMobileNotification: true,
			emailReplyTo: 'hr@example.com',
			commentVisibility: '1',
			senderUserEmail: superUser.email,
			ownerUserEmail: superUser.email,
			sharedGroups: ['team-1'],
		});
	});

	test('leaves out fields that were added and emptied', async () => {
		await createCampaign({
			additionalFields: {
				title: '',
				templateId: '',
				templateData: '',
				categories: ' , ',
				imageUrl: '',
				emailReplyTo: '',
				sharedGroups: [],
				ownerUserEmail: '',
				senderUserEmail: ' ',
			},
		});
		expect(service.lastRequest.body).toEqual({
			name: 'Picnic',
			description: 'Where we meet',
			status: 'draft',
		});
	});

	test.each([
		['2099-01-31T09:15:00', 'Europe/Berlin', '2099-01-31T08:15:00.000Z'],
		['2099-07-31T09:15:00', 'Europe/Berlin', '2099-07-31T07:15:00.000Z'],
		['2099-01-31T09:15:00+05:30', 'Europe/Berlin', '2099-01-31T03:45:00.000Z'],
		['2099-01-31T09:15:00Z', 'America/New_York', '2099-01-31T09:15:00.000Z'],
		[
			'={{ DateTime.fromISO("2099-01-31T09:15:00.250") }}',
			'Asia/Tokyo',
			'2099-01-31T00:15:00.250Z',
		],
		['={{ new Date(Date.UTC(2099, 0, 31)) }}', 'Asia/Tokyo', '2099-01-31T00:00:00.000Z'],
	])('schedules %s in %s at %s', async (scheduledTime, timezone, expected) => {
		const { error } = await createCampaign({ status: 'scheduled', scheduledTime }, { timezone });
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toMatchObject({
			status: 'scheduled',
			scheduledTime: expected,
		});
	});

	test('a scheduled campaign that the service does not take is refused, and nothing goes out', async () => {
		service.emulator.switches.statusScheduled = 'refuse';
		const before = campaigns().size;
		const { error } = await createCampaign({
			status: 'scheduled',
			scheduledTime: '2099-01-31T09:15',
		});
		expect(error).toBeDefined();
		expect(campaigns().size).toBe(before);
	});

	test.each<[string, INodeParameters, RegExp]>([
		['an empty name', { name: '={{ "" }}' }, /^Name is empty/],
		['a name that is an object', { name: '={{ ({ a: 1 }) }}' }, /^Name must be text/],
		['a missing description', { campaignDescription: '={{ undefined }}' }, /^Description is empty/],
		['no time', { status: 'scheduled', scheduledTime: '={{ "" }}' }, /^Scheduled Time is empty/],
		[
			'no date',
			{ status: 'scheduled', scheduledTime: '={{ "soon" }}' },
			/^Scheduled Time is not a date: "soon"/,
		],
		[
			'broken JSON',
			{ additionalFields: { templateData: '{"a":' } },
			/^Template Data is not valid JSON/,
		],
		[
			'an empty list',
			{ recipientsFrom: 'emails', recipientEmails: '={{ [] }}' },
			/^Recipient Emails is empty/,
		],
		[
			'a list of objects',
			{ recipientsFrom: 'emails', recipientEmails: '={{ [{}] }}' },
			/^Recipient Emails must be a list/,
		],
		[
			'a malformed address',
			{ recipientsFrom: 'emails', recipientEmails: 'ada@example.com, grace.example' },
			/^Recipient Emails holds what is no email address: "grace.example"$/,
		],
		[
			'a new person with a malformed address',
			{ recipientsFrom: 'newRecipients', recipients: { recipient: [{ email: 'ada' }] } },
			/^Recipients holds what is no email address: "ada"$/,
		],
		[
			'no group',
			{ recipientsFrom: 'groups', recipientGroups: '={{ [] }}' },
			/^Recipient Groups is empty/,
		],
		[
			'a person without email',
			{ recipientsFrom: 'newRecipients', recipients: { recipient: [{ firstName: 'A' }] } },
			/person 1 has no email/,
		],
		[
			'two kinds',
			{ recipientsFrom: '={{ "emails" }}', recipientEmails: 'a@b.c', recipientGroups: ['g'] },
			/^Only one kind of recipients/,
		],
		[
			'nobody, yet a list',
			{ recipientsFrom: '={{ "none" }}', recipientEmails: 'a@b.c' },
			/chooses nobody, but Recipient Emails/,
		],
	])('%s fails before anything is sent', async (_case, parameters, message) => {
		const { error } = await createCampaign(parameters);
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	test.each([
		['an emptied list of people', { recipients: { recipient: [] } }],
		['no people', { recipients: {} }],
		['no groups', { recipientGroups: [] }],
	])('%s beside the chosen emails counts as empty', async (_case, others) => {
		const [email = ''] = peopleEmails();
		const { error } = await createCampaign({
			recipientsFrom: '={{ "emails" }}',
			recipientEmails: email,
			...others,
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toMatchObject({ recipientEmails: [email] });
		expect(service.lastRequest.body).not.toHaveProperty('recipients');
		expect(service.lastRequest.body).not.toHaveProperty('recipientGroups');
	});

	test('recipients from groups and new people', async () => {
		const [group] = service.emulator.state.recipientGroups.values();
		await createCampaign({ recipientsFrom: 'groups', recipientGroups: [group?._id ?? ''] });
		expect(service.lastRequest.body).toMatchObject({ recipientGroups: [group?._id] });
		await createCampaign({
			recipientsFrom: 'newRecipients',
			recipients: { recipient: [{ email: 'new@example.com', firstName: 'New', lastName: '' }] },
		});
		expect(service.lastRequest.body).toMatchObject({
			recipients: [{ email: 'new@example.com', firstName: 'New' }],
		});
		await createCampaign({
			recipientsFrom: 'newRecipients',
			recipients: { recipient: [{ email: ' blank@example.com ', firstName: ' ', lastName: '\t' }] },
		});
		expect(service.lastRequest.body).toMatchObject({
			recipients: [{ email: 'blank@example.com' }],
		});
		expect(service.lastRequest.body).not.toHaveProperty('recipients[0].firstName');
	});

	test.each(['live', 'draft'])(
		'a status made by expression that gives %s needs no time',
		async (status) => {
			const { error } = await createCampaign({
				status: `={{ "${status}" }}`,
				scheduledTime: '',
				recipientsFrom: 'emails',
				recipientEmails: peopleEmails()[0] ?? '',
			});
			expect(error).toBeUndefined();
			expect(service.lastRequest.body).toMatchObject({ status });
			expect(service.lastRequest.body).not.toHaveProperty('scheduledTime');
		},
	);

	test('a status made by expression takes the time only when it schedules', async () => {
		const status = '={{ $json.when ? "scheduled" : "draft" }}';
		const { error } = await createCampaign(
			{ status, scheduledTime: '={{ $json.when }}' },
			{ items: [{ json: {} }, { json: { when: '2099-01-31T09:15:00Z' } }] },
		);
		expect(error).toBeUndefined();
		const bodies = service.requests.map(({ body }) => body);
		expect(bodies).toContainEqual(expect.objectContaining({ status: 'draft' }));
		expect(bodies).toContainEqual(
			expect.objectContaining({ status: 'scheduled', scheduledTime: '2099-01-31T09:15:00.000Z' }),
		);
		expect(bodies).not.toContainEqual(
			expect.objectContaining({ status: 'draft', scheduledTime: expect.anything() }),
		);
	});

	test('a choice made by expression sends the chosen kind', async () => {
		const [email = ''] = peopleEmails();
		const { error } = await createCampaign({
			recipientsFrom: '={{ "emails" }}',
			recipientEmails: email,
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toMatchObject({ recipientEmails: [email] });
	});
});

describe('get', () => {
	test('gives one campaign', async () => {
		const campaign = withStatus('1');
		const { json } = await service.run('campaign', 'get', { campaignId: locator(campaign._id) });
		expect(json).toEqual([expect.objectContaining({ _id: campaign._id, name: campaign.name })]);
	});
});

describe('getReport', () => {
	test('gives the numbers', async () => {
		const { json } = await service.run('campaign', 'getReport', {
			campaignId: locator(withStatus('1')._id),
		});
		expect(json).toEqual([expect.objectContaining({ recipientsAmount: expect.any(Number) })]);
	});

	test('of an unknown campaign fails', async () => {
		const { error } = await service.run('campaign', 'getReport', { campaignId: locator('none') });
		expect(error?.message).toBe('Not Found.');
	});
});

describe('getAll', () => {
	test('Return All reads to the end, though the service caps its pages', async () => {
		service.emulator.switches.pageCap = { campaign: 3 };
		const { json, items } = await service.run('campaign', 'getAll', { returnAll: true });
		expect(json.map(({ _id }) => _id)).toEqual(
			[...campaigns().newestFirst()].map(({ _id }) => _id),
		);
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
		expect(service.requests[0]?.query).toEqual({ limit: '1000' });
	});

	test('Limit asks for no more than it needs', async () => {
		service.emulator.switches.pageCap = { campaign: 3 };
		const { json } = await service.run('campaign', 'getAll', { limit: 5 });
		expect(json).toHaveLength(5);
		expect(service.requests.map(({ query }) => query.limit)).toEqual(['5', '2']);
	});

	test('50 is the limit when nothing is set', async () => {
		await service.run('campaign', 'getAll');
		expect(service.requests[0]?.query).toEqual({ limit: '50' });
	});

	test('sends every filter', async () => {
		await service.run('campaign', 'getAll', {
			filters: {
				status: '1',
				category: 'HR',
				minLiveDate: '2026-01-01T00:00:00',
				maxLiveDate: '2027-01-01T00:00:00Z',
				scope: 'all',
			},
		});
		expect(service.requests[0]?.query).toEqual({
			limit: '50',
			status: '1',
			category: 'HR',
			minLiveDate: '2025-12-31T23:00:00.000Z',
			maxLiveDate: '2027-01-01T00:00:00.000Z',
			all: 'true',
		});
		await service.run('campaign', 'getAll', { filters: { scope: 'onlyApi' } });
		expect(service.lastRequest.query).toMatchObject({ onlyApi: 'true' });
		expect(service.lastRequest.query).not.toHaveProperty('status');
		await service.run('campaign', 'getAll', { filters: { scope: 'mine' } });
		expect(service.lastRequest.query).not.toHaveProperty('all');
		expect(service.lastRequest.query).not.toHaveProperty('onlyApi');
		const sent = service.requests.length;
		const { error } = await service.run('campaign', 'getAll', { filters: { status: '' } });
		expect(error?.message).toContain('Status');
		expect(service.requests).toHaveLength(sent);
	});

	test('no match is an empty result, not an error', async () => {
		const { json, error } = await service.run('campaign', 'getAll', {
			filters: { category: 'nobody has this' },
		});
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
	});

	test('the scope All of somebody who is no Super User is refused in the service’s words', async () => {
		const credential = { ...service.accessKey, accessKey: service.emulator.plainAccessKey };
		const { error } = await service.run(
			'campaign',
			'getAll',
			{ filters: { scope: 'all' } },
			{ credential },
		);
		expect(error?.message).toBe('Illegal parameters');
		expect(error?.description).toContain('Super Users');
	});

	test.each([0, -1, 1.5, '', 'x', true, [3], {}, null])(
		'a Limit of %j is no number of records: nothing is sent',
		async (given) => {
			const { error } = await service.run(
				'campaign',
				'getAll',
				{ limit: '={{ $json.given }}' },
				{ items: [{ json: Object.assign({}, { given }) }] },
			);
			expect(error?.message).toBe('Limit must be a whole number of 1 or more');
			expect(service.requests).toEqual([]);
		},
	);

	test('a page that repeats its last id ends with an error', async () => {
		const records = [
			{ _id: 'same', name: 'Same' },
			{ _id: 'again', name: 'Again' },
		];
		service.emulator.faults.add({
			match: { path: '/int/v1/campaign' },
			times: Infinity,
			action: { status: 200, body: { success: true, data: records } },
		});
		const { error } = await service.run('campaign', 'getAll', { returnAll: true });
		expect(error?.message).toContain('repeats a page');
		expect(service.requests).toHaveLength(2);
	});

	test('each input item gets its own list', async () => {
		const { items } = await service.run(
			'campaign',
			'getAll',
			{ limit: 2, filters: { status: '={{ $json.status }}' } },
			{ items: [{ json: { status: '1' } }, { json: { status: '0' } }] },
		);
		const pairs = items.map(({ json, pairedItem }) => [json.status, pairedItem]);
		expect(pairs).toEqual(
			expect.arrayContaining([
				['live', { item: 0 }],
				['draft', { item: 1 }],
			]),
		);
	});
});

describe('update', () => {
	test('sends what was added, and empties what was added and left empty', async () => {
		const { _id } = withStatus('0');
		const { error, json } = await service.run('campaign', 'update', {
			campaignId: locator(_id),
			updateFields: { name: 'New', imageUrl: '', categories: '', templateData: '', title: 'T' },
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({ method: 'PUT', path: `/int/v1/campaign/${_id}` });
		expect(service.lastRequest.body).toEqual({
			name: 'New',
			imageUrl: '',
			categories: [],
			templateData: '',
			title: 'T',
		});
		expect(json).toEqual([expect.objectContaining({ _id })]);
	});

	test('Status sends a draft', async () => {
		const draft = withStatus('0');
		await service.run('campaign', 'update', {
			campaignId: locator(draft._id),
			updateFields: { status: 'live' },
		});
		expect(service.lastRequest.body).toEqual({ status: 'live' });
		expect(campaigns().get(draft._id)?.status).toBe('1');
	});

	test('without any field nothing is sent', async () => {
		const { error } = await service.run('campaign', 'update', { campaignId: locator('x') });
		expect(error?.message).toBe('Nothing to update');
		expect(service.requests).toEqual([]);
	});

	test('without a description the service may refuse: the advice says what to add', async () => {
		service.emulator.switches.updateWithoutDescription = 'refuse';
		const { error } = await service.run('campaign', 'update', {
			campaignId: locator(withStatus('0')._id),
			updateFields: { name: 'New' },
		});
		expect(error?.message).toBe('description is mandatory');
		expect(error?.description).toContain('Fill in the description');
	});
});

describe('close', () => {
	test('closes without a body', async () => {
		const live = withStatus('1');
		const { json } = await service.run('campaign', 'close', { campaignId: locator(live._id) });
		expect(service.lastRequest.body ?? null).toBeNull();
		expect(json).toEqual([expect.objectContaining({ _id: live._id })]);
		expect(campaigns().get(live._id)?.status).toBe('3');
	});
});

describe('addRecipients and cancelRecipients', () => {
	test('adds and takes off people', async () => {
		const { _id } = withStatus('1');
		const emails = peopleEmails().slice(0, 2);
		const added = await service.run('campaign', 'addRecipients', {
			campaignId: locator(_id),
			recipientsFrom: 'emails',
			recipientEmails: emails,
		});
		expect(added.error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({
			method: 'PUT',
			path: `/int/v1/campaign/${_id}/addRecipients`,
			body: { recipientEmails: emails },
		});
		const cancelled = await service.run('campaign', 'cancelRecipients', {
			campaignId: locator(_id),
			recipientEmails: emails[0] ?? '',
		});
		expect(cancelled.error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({
			path: `/int/v1/campaign/${_id}/cancelRecipients`,
			body: { recipientEmails: [emails[0]] },
		});
	});

	test('an empty list never goes out', async () => {
		for (const operation of ['addRecipients', 'cancelRecipients']) {
			const { error } = await service.run('campaign', operation, {
				campaignId: locator('x'),
				recipientsFrom: 'emails',
				recipientEmails: '={{ [] }}',
			});
			expect(error?.message).toBe('Recipient Emails is empty');
		}
		expect(service.requests).toEqual([]);
	});
});
