import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
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
		'with status %s, accepts a time one minute ago, but not one hour ago',
		async (status) => {
			const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
			const late = at(-60);
			const run = async (scheduledTime: string) =>
				await service.run(resource, operation, { ...content(), status, scheduledTime });
			const { error } = await run(late);
			expect(error?.message).toBe(`Scheduled Time is in the past: ${late}`);
			expect(error?.description).toMatch(/Nothing was sent/);
			expect(service.requests).toEqual([]);
			const soon = at(-1);
			expect((await run(soon)).error).toBeUndefined();
			expect(service.lastRequest.body).toMatchObject({ status: 'scheduled', scheduledTime: soon });
		},
	);

	test('marks Scheduled Time as required only for the status Scheduled', async () => {
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
		expect(await required('scheduled')).toEqual([true]);
		expect(await required('={{ $json.status }}')).toEqual([false]);
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
