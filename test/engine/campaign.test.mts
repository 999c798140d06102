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

const texts = { name: 'Picnic', description: 'Where we meet' };
const createCampaign = (parameters: INodeParameters, options = {}) =>
	service.run(
		'campaign',
		'create',
		{
			name: texts.name,
			campaignDescription: texts.description,
			status: 'draft',
			recipientsFrom: 'none',
			...parameters,
		},
		options,
	);

describe('create', () => {
	test('saves a draft by default and gives id and URL', async () => {
		const { json } = await service.run('campaign', 'create', {
			name: texts.name,
			campaignDescription: texts.description,
		});
		expect(service.lastSent).toEqual(['POST /campaign', { ...texts, status: 'draft' }]);
		expect(json).toEqual([
			{ _id: expect.any(String), campaignUrl: expect.stringContaining('http') },
		]);
		expect(campaigns().get(String(json[0]?._id))?.status).toBe('0');
	});

	test('sends every field the API knows, lists as arrays and template data as text', async () => {
		const { superUser, templates } = service.emulator.state;
		const [one, two] = peopleEmails();
		const fields = {
			title: 'Come!',
			templateId: [...templates.values()][0]?._id ?? '',
			imageUrl: 'https://example.com/a.png',
			enableEmail: false,
			enableMobileNotification: true,
			emailReplyTo: 'hr@example.com',
			commentVisibility: '1',
			senderUserEmail: superUser.email,
			ownerUserEmail: superUser.email,
			sharedGroups: ['team-1'],
		};
		await createCampaign({
			status: 'live',
			recipientsFrom: 'emails',
			recipientEmails: ` ${one} ;\n${two},, ${one}`,
			additionalFields: { ...fields, templateData: { city: 'Oslo' }, categories: 'HR, IT' },
		});
		expect(service.lastRequest.body).toEqual({
			...texts,
			status: 'live',
			recipientEmails: [one, two],
			...fields,
			templateData: '{"city":"Oslo"}',
			categories: ['HR', 'IT'],
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
		expect(service.lastRequest.body).toEqual({ ...texts, status: 'draft' });
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
		['nothing', {}],
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

	test.each<[INodeParameters, unknown]>([
		[{ email: 'new@example.com', firstName: 'New', lastName: '' }, { firstName: 'New' }],
		[{ email: ' new@example.com ', firstName: ' ', lastName: '\t' }, {}],
	])('a new person is sent without empty names: %j', async (person, names) => {
		await createCampaign({ recipientsFrom: 'newRecipients', recipients: { recipient: [person] } });
		expect(service.lastRequest.body).toMatchObject({
			recipients: [Object.assign({ email: 'new@example.com' }, names)],
		});
	});

	test('recipients from groups', async () => {
		const recipientGroups = [[...service.emulator.state.recipientGroups.values()][0]?._id ?? ''];
		await createCampaign({ recipientsFrom: 'groups', recipientGroups });
		expect(service.lastRequest.body).toMatchObject({ recipientGroups });
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
});

test('get gives one campaign', async () => {
	const { _id, name } = withStatus('1');
	const { json } = await service.run('campaign', 'get', { campaignId: locator(_id) });
	expect(json).toEqual([expect.objectContaining({ _id, name })]);
});

test('getReport gives the numbers; of an unknown campaign it fails', async () => {
	const campaignId = locator(withStatus('1')._id);
	const { json } = await service.run('campaign', 'getReport', { campaignId });
	expect(json).toEqual([expect.objectContaining({ recipientsAmount: expect.any(Number) })]);
	const unknown = { campaignId: locator('none') };
	expect((await service.failure('campaign', 'getReport', unknown)).message).toBe('Not Found.');
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
		for (const [filters, query] of [
			[{ scope: 'onlyApi' }, { limit: '1', onlyApi: 'true' }],
			[{ scope: 'mine' }, { limit: '1' }],
		] as const) {
			await service.run('campaign', 'getAll', { limit: 1, filters });
			expect(service.requests.at(-1)?.query).toEqual(query);
		}
	});

	test('an empty Status is refused before anything is sent', async () => {
		expect(await service.failure('campaign', 'getAll', { filters: { status: '' } })).toMatchObject({
			message: expect.stringContaining('Status'),
			sent: 0,
		});
	});

	test('no match is an empty result, not an error', async () => {
		const { json, error } = await service.run('campaign', 'getAll', {
			filters: { category: 'nobody has this' },
		});
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
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
		service.emulator.faults.on(
			'/campaign',
			{ status: 200, body: { success: true, data: records } },
			{ times: Infinity },
		);
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
		const texts = { name: 'New', imageUrl: '', templateData: '', title: 'T' };
		const { error, json } = await service.run('campaign', 'update', {
			campaignId: locator(_id),
			updateFields: { ...texts, categories: '' },
		});
		expect(error).toBeUndefined();
		expect(service.lastSent).toEqual([`PUT /campaign/${_id}`, { ...texts, categories: [] }]);
		expect(json).toEqual([expect.objectContaining({ _id })]);
	});

	test('Status sends a draft', async () => {
		const { _id } = withStatus('0');
		const updateFields = { status: 'live' };
		await service.run('campaign', 'update', { campaignId: locator(_id), updateFields });
		expect(service.lastRequest.body).toEqual(updateFields);
		expect(campaigns().get(_id)?.status).toBe('1');
	});

	test('without any field nothing is sent', async () => {
		const failure = await service.failure('campaign', 'update', { campaignId: locator('x') });
		expect(failure).toMatchObject({ message: 'Nothing to update', sent: 0 });
	});

	test('without a description the service may refuse: the advice says what to add', async () => {
		service.emulator.switches.updateWithoutDescription = 'refuse';
		const campaignId = locator(withStatus('0')._id);
		const updateFields = { name: 'New' };
		expect(await service.failure('campaign', 'update', { campaignId, updateFields })).toMatchObject(
			{
				message: 'description is mandatory',
				advice: expect.stringContaining('Fill in the description'),
			},
		);
	});
});

test('close closes without a body', async () => {
	const { _id } = withStatus('1');
	const { json } = await service.run('campaign', 'close', { campaignId: locator(_id) });
	expect(service.lastSent).toEqual([`PUT /campaign/${_id}/close`, undefined]);
	expect(json).toEqual([expect.objectContaining({ _id })]);
	expect(campaigns().get(_id)?.status).toBe('3');
});

test.each([
	{ resource: 'campaign', operation: 'addRecipients' },
	{ resource: 'campaign', operation: 'cancelRecipients' },
])('$operation sends people, never nobody', async ({ resource, operation }) => {
	const { _id } = withStatus('1');
	const recipientEmails = peopleEmails().slice(0, 2);
	const parameters = { campaignId: locator(_id), recipientsFrom: 'emails' };
	const { error } = await service.run(resource, operation, { ...parameters, recipientEmails });
	expect(error).toBeUndefined();
	expect(service.lastSent).toEqual([`PUT /campaign/${_id}/${operation}`, { recipientEmails }]);
	const nobody = { ...parameters, recipientEmails: '={{ [] }}' };
	expect(await service.failure(resource, operation, nobody)).toMatchObject({
		message: 'Recipient Emails is empty',
		sent: 1,
	});
});
