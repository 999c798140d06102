import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
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
const createCampaign = (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	service.run(
		'campaign',
		'create',
		{ name: texts.name, campaignDescription: texts.description, ...parameters },
		options,
	);

describe('create', () => {
	test('saves a draft by default and returns ID and URL', async () => {
		const { json } = await createCampaign();
		expect(service.lastSent).toEqual(['POST /campaign', { ...texts, status: 'draft' }]);
		const campaignUrl = expect.stringContaining('http');
		expect(json).toEqual([{ _id: expect.any(String), campaignUrl }]);
		expect(campaigns().get(String(json[0]?._id))?.status).toBe('0');
	});

	test('sends lists as arrays and template data as text', async () => {
		const [one, two] = peopleEmails();
		const fields = { title: 'Come!', enableEmail: false, sharedGroups: ['team-1'] };
		await createCampaign({
			status: 'live',
			recipientsFrom: 'emails',
			recipientEmails: ` ${one} ;\n${two},, ${one}`,
			additionalFields: { ...fields, templateData: { city: 'Oslo' }, categories: 'HR, IT' },
		});
		expect(service.lastRequest.body).toEqual({
			...{ ...texts, ...fields, status: 'live', recipientEmails: [one, two] },
			...{ templateData: '{"city":"Oslo"}', categories: ['HR', 'IT'] },
		});
	});

	test.each([
		['2099-07-31T09:15:00', 'Europe/Berlin', '2099-07-31T07:15:00.000Z'],
		[
			'={{ DateTime.fromISO("2099-01-31T09:15:00.250") }}',
			'Asia/Tokyo',
			'2099-01-31T00:15:00.250Z',
		],
		['2099-01-31T09:15:00,5z', 'Asia/Tokyo', '2099-01-31T09:15:00.500Z'],
		['={{ new Date(Date.UTC(2099, 0, 31)) }}', 'Asia/Tokyo', '2099-01-31T00:00:00.000Z'],
	])(
		'sends the scheduled time %s in the time zone %s as %s',
		async (given, timezone, scheduledTime) => {
			const status = 'scheduled';
			await createCampaign({ status, scheduledTime: given }, { timezone });
			expect(service.lastRequest.body).toEqual({ ...texts, status, scheduledTime });
		},
	);

	test('refuses a scheduled time that is an invalid Luxon value, and sends nothing', async () => {
		const status = 'scheduled';
		const scheduledTime = '={{ DateTime.invalid("none") }}';
		const { error } = await createCampaign({ status, scheduledTime });
		expect(error?.message).toContain('Scheduled Time is not a date');
		expect(service.emulator.requests).toEqual([]);
	});

	test('creates no campaign if the service refuses to schedule it', async () => {
		service.emulator.switches.statusScheduled = 'refuse';
		const before = campaigns().size;
		const scheduled = { status: 'scheduled', scheduledTime: '2099-01-31T09:15' };
		expect((await createCampaign(scheduled)).error).toBeDefined();
		expect(campaigns().size).toBe(before);
	});

	test('sends the time only if an expression for Status returns scheduled', async () => {
		const { error } = await createCampaign(
			{
				status: '={{ $json.when ? "scheduled" : "draft" }}',
				scheduledTime: '={{ $json.when }}',
			},
			{ items: [{ json: {} }, { json: { when: '2099-01-31T09:15:00Z' } }] },
		);
		expect(error).toBeUndefined();
		const scheduledTime = '2099-01-31T09:15:00.000Z';
		const bodies = service.requests.map(({ body }) => body);
		expect(bodies).toHaveLength(2);
		expect(bodies).toContainEqual({ ...texts, status: 'draft' });
		expect(bodies).toContainEqual({ ...texts, status: 'scheduled', scheduledTime });
	});

	const emails = (recipientEmails: string, others: INodeParameters = {}) => ({
		recipientsFrom: '={{ "emails" }}',
		recipientEmails,
		...others,
	});
	const newPerson = (person: INodeParameters) => ({
		recipientsFrom: 'newRecipients',
		recipients: { recipient: [person] },
	});

	test.each<[string, INodeParameters, RegExp]>([
		['a missing description', { campaignDescription: '={{ undefined }}' }, /^Description is empty/],
		['no time', { status: 'scheduled', scheduledTime: '={{ "" }}' }, /^Scheduled Time is empty/],
		['an empty list', emails('={{ [] }}'), /^Recipient Emails is empty/],
		['a malformed address', emails('ada@example.com, ada.org'), /^Recipient Emails .+: "ada.org"$/],
		['a malformed address of a new person', newPerson({ email: 'ada' }), /^Recipients .+: "ada"$/],
		['a new person without email', newPerson({ firstName: 'A' }), /person 1 has no email/],
		[
			'no group',
			{ recipientsFrom: 'groups', recipientGroups: '={{ [] }}' },
			/^Recipient Groups is empty/,
		],
		[
			'two kinds of recipients',
			emails('a@b.c', { recipientGroups: ['g'] }),
			/^Use only one kind of recipients/,
		],
		[
			'recipient emails although Nobody Yet is selected',
			emails('a@b.c', { recipientsFrom: '={{ "none" }}' }),
			/is "Nobody Yet", but there are recipients in Recipient Emails/,
		],
	])('with %s, fails before sending', async (_what, parameters, message) => {
		const { error } = await createCampaign(parameters);
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	test.each<INodeParameters>([
		{ recipients: { recipient: [] }, recipientGroups: [] },
		{ recipients: {} },
	])('ignores empty fields for other kinds of recipients: %j', async (others) => {
		const [email = ''] = peopleEmails();
		await createCampaign(emails(email, others));
		expect(service.lastRequest.body).toEqual({
			...texts,
			status: 'draft',
			recipientEmails: [email],
		});
	});

	test('sends new people without empty names', async () => {
		await createCampaign(
			newPerson({ email: ' new@example.com ', firstName: 'New', lastName: ' ' }),
		);
		expect(service.lastRequest.body).toMatchObject({
			recipients: [{ email: 'new@example.com', firstName: 'New' }],
		});
		expect(JSON.stringify(service.lastRequest.body)).not.toContain('lastName');
	});

	test('sends recipient groups', async () => {
		const recipientGroups = [[...service.emulator.state.recipientGroups.values()][0]?._id ?? ''];
		await createCampaign({ recipientsFrom: 'groups', recipientGroups });
		expect(service.lastRequest.body).toMatchObject({ recipientGroups });
	});
});

test('get returns a campaign, and getReport returns its numbers', async () => {
	const { _id, name } = withStatus('1');
	const campaignId = locator(_id);
	const { json } = await service.run('campaign', 'get', { campaignId });
	expect(json).toEqual([expect.objectContaining({ _id, name })]);
	const report = await service.run('campaign', 'getReport', { campaignId });
	expect(report.json).toEqual([expect.objectContaining({ recipientsAmount: expect.any(Number) })]);
});

describe('getAll', () => {
	test.each([0, -1, 1.5, '', 'x', true, [3], {}, null])(
		'refuses %j as Limit before sending',
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
});

test('Comment Visibility: Disabled is not sent on create, and cannot be chosen in a channel', async () => {
	const additionalFields = { commentVisibility: 'disabled' };
	const texts = { name: 'N', campaignDescription: 'D', additionalFields };
	await service.run('campaign', 'create', texts);
	expect(service.lastRequest.body).toEqual({ name: 'N', description: 'D', status: 'draft' });
	const { error } = await service.run('channel', 'createCampaign', {
		...{ ...texts, channelId: locator('c1') },
	});
	expect(error?.message).toMatch(/Comment Visibility must be 0 or 1/);
});

describe('update', () => {
	test('sends the added fields, including empty ones', async () => {
		const { _id } = withStatus('0');
		const fields = { name: 'New', imageUrl: '', templateData: '', title: 'T' };
		const { json } = await service.run('campaign', 'update', {
			campaignId: locator(_id),
			updateFields: { ...fields, categories: '' },
		});
		expect(service.lastSent).toEqual([`PUT /campaign/${_id}`, { ...fields, categories: [] }]);
		expect(json).toEqual([expect.objectContaining({ _id })]);
	});

	test('sends the campaign to its recipients if Status is set to live', async () => {
		const { _id } = withStatus('0');
		const updateFields = { status: 'live' };
		await service.run('campaign', 'update', { campaignId: locator(_id), updateFields });
		expect(service.lastRequest.body).toEqual(updateFields);
		expect(campaigns().get(_id)?.status).toBe('1');
	});

	test('sends Disabled as it is, and shows a refusal of the service', async () => {
		const { _id } = withStatus('0');
		const updateFields = { commentVisibility: 'disabled' };
		const update = { campaignId: locator(_id), updateFields };
		await service.run('campaign', 'update', update);
		expect(service.lastRequest.body).toEqual(updateFields);
		service.emulator.faults.add({ match: { method: 'PUT' }, action: { refuse: 'Illegal value' } });
		const { error } = await service.run('campaign', 'update', update);
		expect(error?.message).toBe('Illegal value');
	});

	test.each(['NaN', 'Infinity', '-Infinity'])('sends nothing for the ID %s', async (id) => {
		const updateFields = { name: 'New' };
		for (const campaignId of [locator(`={{ ${id} }}`), `={{ ${id} }}`]) {
			const { error } = await service.run('campaign', 'update', { campaignId, updateFields });
			expect(error?.message).toMatch(/Campaign is missing/);
		}
		const { error } = await service.run('recipientGroup', 'addRecipients', {
			...{ recipientGroupId: locator('g1'), identifyBy: 'id' },
			recipientIds: `={{ ['a', ${id}] }}`,
		});
		expect(error?.message).toContain(`contains ${id}`);
		expect(service.requests).toEqual([]);
	});

	test('fails before sending if no field is added', async () => {
		const failure = await service.failure('campaign', 'update', { campaignId: locator('x') });
		expect(failure).toMatchObject({ message: 'Nothing to update', sent: 0 });
	});
});

test('close sends no body', async () => {
	const { _id } = withStatus('1');
	const { json } = await service.run('campaign', 'close', { campaignId: locator(_id) });
	expect(service.lastSent).toEqual([`PUT /campaign/${_id}/close`, undefined]);
	expect(json).toEqual([expect.objectContaining({ _id })]);
	expect(campaigns().get(_id)?.status).toBe('3');
});

test.each([
	{ resource: 'campaign', operation: 'addRecipients' },
	{ resource: 'campaign', operation: 'cancelRecipients' },
])(
	'$operation sends recipients, and refuses an empty or malformed list',
	async ({ resource, operation }) => {
		const { _id } = withStatus('1');
		const recipientEmails = peopleEmails().slice(0, 2);
		const parameters = { campaignId: locator(_id), recipientsFrom: 'emails' };
		await service.run(resource, operation, { ...parameters, recipientEmails });
		expect(service.lastSent).toEqual([`PUT /campaign/${_id}/${operation}`, { recipientEmails }]);
		for (const [list, message] of [
			['={{ [] }}', 'Recipient Emails is empty'],
			['ada@b.c, ada.org', 'Recipient Emails contains an invalid email address: "ada.org"'],
		]) {
			const wrong = { ...parameters, recipientEmails: list };
			expect(await service.failure(resource, operation, wrong)).toMatchObject({ message, sent: 1 });
		}
	},
);
