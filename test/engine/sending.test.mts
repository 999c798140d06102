import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { properties } from '../kit/sampleParameters.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const channelId = () => locator(first(service.emulator.state.channels.values())._id);
const campaign = { name: 'Picnic', campaignDescription: 'Where we meet' };

/** The three operations with the field Scheduled Time. */
const creations: Array<[resource: string, operation: string, () => INodeParameters]> = [
	['campaign', 'create', () => campaign],
	['broadcast', 'create', () => ({ title: 'Canteen', message: 'Closed' })],
	['channel', 'createCampaign', () => ({ ...campaign, channelId: channelId() })],
];

describe.each(creations)('%s %s', (resource, operation, content) => {
	test.each(['scheduled', '={{ "Scheduled" }}'])(
		'with status %s, accepts a time four minutes ago, but not six minutes ago',
		async (status) => {
			const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
			const late = at(-6);
			const run = async (scheduledTime: string) =>
				await service.run(resource, operation, { ...content(), status, scheduledTime });
			const { error } = await run(late);
			expect(error?.message).toBe(`Scheduled Time is in the past: ${late}`);
			expect(error?.description).toMatch(/Nothing was sent/);
			expect(service.requests).toEqual([]);
			const soon = at(-4);
			expect((await run(soon)).error).toBeUndefined();
			expect(service.lastRequest.body).toMatchObject({ status: 'scheduled', scheduledTime: soon });
		},
	);

	test('shows Scheduled Time only for the status Scheduled or an expression, and never as required', async () => {
		const required = async (status: string) => {
			const parameters = { resource, operation, ...content(), status };
			const filled =
				NodeHelpers.getNodeParameters(properties, parameters, true, false, null, null) ?? {};
			return properties
				.filter(({ name }) => name === 'scheduledTime')
				.filter((property) => NodeHelpers.displayParameter(filled, property, null, null, filled))
				.map((property) => property.required ?? false);
		};
		expect(await required('draft')).toEqual([]);
		expect(await required('live')).toEqual([]);
		expect(await required('scheduled')).toEqual([false]);
		expect(await required('={{ $json.status }}')).toEqual([false]);
	});
});

describe('the scheduled time', () => {
	const create = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
		await service.run('campaign', 'create', { ...campaign, ...parameters }, options);
	const { name, campaignDescription: description } = campaign;
	const status = 'scheduled';

	test.each([
		['2099-07-31T09:15:00', 'Europe/Berlin', '2099-07-31T07:15:00.000Z'],
		[
			'={{ DateTime.fromISO("2099-01-31T09:15:00.250") }}',
			'Asia/Tokyo',
			'2099-01-31T00:15:00.250Z',
		],
		['2099-01-31T09:15:00,5z', 'Asia/Tokyo', '2099-01-31T09:15:00.500Z'],
		['={{ new Date(Date.UTC(2099, 0, 31)) }}', 'Asia/Tokyo', '2099-01-31T00:00:00.000Z'],
	])('%s in the time zone %s is sent as %s', async (given, timezone, scheduledTime) => {
		await create({ status, scheduledTime: given }, { timezone });
		expect(service.lastRequest.body).toEqual({ name, description, status, scheduledTime });
	});

	test.each([
		['={{ DateTime.invalid("none") }}', 'Scheduled Time is not a date'],
		['={{ "" }}', 'Scheduled Time is empty'],
	])('%s is refused, and nothing is sent', async (scheduledTime, message) => {
		const { error } = await create({ status, scheduledTime });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	test('is sent only if an expression for Status returns scheduled', async () => {
		const scheduledTime = '2099-01-31T09:15:00.000Z';
		const { error } = await create(
			{ status: '={{ $json.when ? "scheduled" : "draft" }}', scheduledTime: '={{ $json.when }}' },
			{ items: [{ json: {} }, { json: { when: scheduledTime } }] },
		);
		expect(error).toBeUndefined();
		const bodies = service.requests.map(({ body }) => body);
		expect(bodies).toHaveLength(2);
		expect(bodies).toContainEqual({ name, description, status: 'draft' });
		expect(bodies).toContainEqual({ name, description, status, scheduledTime });
	});
});

test('Categories as Text sends the categories as text, in every operation that has this option', async () => {
	service.emulator.switches.categoriesFormat = 'string';
	const options = { categoriesAsText: '={{ "YES" }}' };
	const additionalFields = { categories: 'news, safety' };
	const draft = { ...campaign, additionalFields, options };
	const { json } = await service.run('campaign', 'create', draft);
	expect(service.lastRequest.body).toMatchObject({ categories: '["news","safety"]' });
	await service.run('channel', 'createCampaign', { ...draft, channelId: channelId() });
	expect(service.lastRequest.body).toMatchObject({ categories: '["news","safety"]' });

	const id = String(json[0]?._id);
	const saved = service.emulator.state.campaigns.get(id);
	expect(saved?.categories).toEqual(['news', 'safety']);
	const updateFields = { categories: '' };
	await service.run('campaign', 'update', { campaignId: locator(id), updateFields, options });
	expect(service.lastRequest.body).toEqual({ categories: '[]' });
	expect(saved?.categories).toEqual([]);
});

const NO_DRAFT = /cannot send a draft broadcast/;
const NOBODY = /^Without recipients, nobody receives the campaign/;
const LIVE = /^Live: .*as soon as the node runs/;
const UPDATE = /keeps fields that you do not add/;
test.each<[string, string, INodeParameters, RegExp[]]>([
	['campaign', 'create', { status: 'draft', recipientsFrom: 'none' }, []],
	[
		'campaign',
		'create',
		{ status: 'live', recipientsFrom: 'none' },
		[/nobody .* add recipients later/],
	],
	['campaign', 'create', { status: 'scheduled', recipientsFrom: 'none' }, [NOBODY]],
	[
		'campaign',
		'create',
		{ status: 'scheduled', recipientsFrom: 'emails' },
		[/^Scheduled: .*recipients above/],
	],
	['campaign', 'create', { status: 'live', recipientsFrom: 'groups' }, [LIVE]],
	['broadcast', 'create', { status: 'live', recipientsFrom: 'groups' }, [LIVE]],
	[
		'broadcast',
		'create',
		{ status: 'live', recipientsFrom: 'none' },
		[/cannot add any .* nobody receives/],
	],
	['broadcast', 'create', { status: 'draft', recipientsFrom: 'none' }, [NO_DRAFT]],
	['broadcast', 'create', { status: 'draft', recipientsFrom: 'emails' }, [NO_DRAFT]],
	['channel', 'createCampaign', { status: 'draft' }, []],
	['channel', 'createCampaign', { status: 'live' }, [/^Live: .*everybody in .* as soon as/]],
	[
		'channel',
		'createCampaign',
		{ status: 'scheduled' },
		[/^Scheduled: .*everybody in the channel/],
	],
	['campaign', 'update', { updateFields: { status: 'live' } }, [/^Live: .*as soon as/, UPDATE]],
	['campaign', 'update', { updateFields: { name: 'x' } }, [UPDATE]],
])('%s %s with %j shows the expected notices', async (resource, operation, own, expected) => {
	const parameters = { resource, operation, ...own };
	const notices = properties
		.filter(({ type }) => type === 'notice')
		.filter((property) =>
			NodeHelpers.displayParameter(parameters, property, null, null, parameters),
		)
		.map(({ displayName }) => displayName);
	expect(notices).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test.each([
	...['channel createBroadcast', 'campaign send', 'campaign addRecipients', 'campaign update'],
	...['broadcast sendAndWait', 'survey launch'],
])('%s says on the screen that it sends as soon as the node runs', (names) => {
	const [resource = '', operation = ''] = names.split(' ');
	const texts = properties
		.filter(({ displayOptions: { show } = {} }) => show?.resource?.includes(resource))
		.filter(({ displayOptions: { show } = {} }) => show?.operation?.includes(operation))
		.map(({ type, displayName }) => (type === 'notice' ? displayName : ''));
	expect(texts.join()).toContain('as soon as the node runs');
});
