import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { loadPackage, locator } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const service = useService();

/** The three ways to create something that can go out, and where they send it. */
const creations: Array<[resource: string, operation: string, () => INodeParameters]> = [
	['campaign', 'create', () => ({ name: 'Picnic', campaignDescription: 'Where we meet' })],
	['broadcast', 'create', () => ({ title: 'Canteen', message: 'Closed' })],
	[
		'channel',
		'createCampaign',
		() => {
			const [channel] = service.emulator.state.channels.values();
			return {
				channelId: locator(channel?._id ?? ''),
				name: 'Day one',
				campaignDescription: 'What to bring',
			};
		},
	],
];

describe.each(creations)('%s %s', (resource, operation, content) => {
	test.each([
		'={{ $json.nothing }}',
		'={{ null }}',
		'={{ "" }}',
		'={{ {} }}',
		'={{ 1 }}',
		'={{ "sent" }}',
		'={{ ["draft"] }}',
	])('never sends the status that %s gives', async (status) => {
		const { error } = await service.run(resource, operation, { ...content(), status });
		expect(error?.message).toMatch(/^Status must be draft, live or scheduled: it is /);
		expect(service.requests).toEqual([]);
	});

	test.each([
		['={{ "DRAFT" }}', 'draft'],
		['={{ "Live" }}', 'live'],
	])('sends the status that %s gives as %s', async (status, sent) => {
		const { error } = await service.run(resource, operation, { ...content(), status });
		expect(error).toBeUndefined();
		expect(service.lastRequest.body).toMatchObject({ status: sent });
		expect(service.lastRequest.body).not.toHaveProperty('scheduledTime');
	});

	test.each(['scheduled', '={{ "Scheduled" }}'])(
		'with status %s it takes a time just now, and refuses an hour ago',
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

	test.each(['Room 12', 'week 7', '-1', '1', '={{ -1 }}', '={{ 1 }}', '={{ true }}'])(
		'takes %s for no date',
		async (scheduledTime) => {
			const { error } = await service.run(resource, operation, {
				...content(),
				status: 'scheduled',
				scheduledTime,
			});
			expect(error?.message).toMatch(/^Scheduled Time is not a date: /);
			expect(service.requests).toEqual([]);
		},
	);

	test('n8n asks for the time where Scheduled is chosen, and nowhere else', async () => {
		const issues = async (parameters: INodeParameters) => {
			const { properties } = (await loadPackage()).node('messagingService').description;
			const filled = NodeHelpers.getNodeParameters(
				properties,
				{ resource, operation, ...content(), ...parameters },
				true,
				false,
				null,
				null,
			);
			return properties
				.filter(({ name }) => name === 'scheduledTime')
				.filter((property) =>
					NodeHelpers.displayParameter(filled ?? {}, property, null, null, filled ?? {}),
				)
				.map(({ required = false }) => required);
		};
		expect(await issues({ status: 'draft' })).toEqual([]);
		expect(await issues({ status: 'live' })).toEqual([]);
		expect(await issues({ status: 'scheduled' })).toEqual([true]);
		expect(await issues({ status: '={{ $json.status }}' })).toEqual([false]);
	});
});

test('recipients are added only from a choice that is listed', async () => {
	const [campaign] = service.emulator.state.campaigns.values();
	for (const recipientsFrom of ['={{ "none" }}', '={{ $json.nothing }}']) {
		const { error } = await service.run('campaign', 'addRecipients', {
			campaignId: locator(campaign?._id ?? ''),
			recipientsFrom,
		});
		expect(error?.message).toMatch(/^Recipients From must be emails, newRecipients or groups: /);
	}
	expect(service.requests).toEqual([]);
});

test.each([true, 'YES'])('categories go out as text when the option is %j', async (option) => {
	service.emulator.switches.categoriesFormat = 'string';
	const [channel] = service.emulator.state.channels.values();
	const text = { categories: JSON.stringify(['news', 'safety']) };
	const options = { categoriesAsText: `={{ ${JSON.stringify(option)} }}` };
	const fields = { categories: 'news, safety' };

	const { json, error } = await service.run('campaign', 'create', {
		name: 'Picnic',
		campaignDescription: 'Where we meet',
		additionalFields: fields,
		options,
	});
	expect(error).toBeUndefined();
	expect(service.lastRequest.body).toMatchObject(text);
	const id = String(json[0]?._id);
	expect(service.emulator.state.campaigns.get(id)?.categories).toEqual(['news', 'safety']);

	await service.run('channel', 'createCampaign', {
		channelId: locator(channel?._id ?? ''),
		name: 'Day one',
		campaignDescription: 'What to bring',
		additionalFields: fields,
		options,
	});
	expect(service.lastRequest.body).toMatchObject(text);

	await service.run('campaign', 'update', {
		campaignId: locator(id),
		updateFields: { categories: '' },
		options,
	});
	expect(service.lastRequest.body).toEqual({ categories: '[]' });
	expect(service.emulator.state.campaigns.get(id)?.categories).toEqual([]);
});

test('the screen says what Live and Scheduled do, wherever they can be chosen', async () => {
	const { properties } = (await loadPackage()).node('messagingService').description;
	const notices = (parameters: INodeParameters): string[] =>
		properties
			.filter(
				(property) =>
					property.type === 'notice' &&
					NodeHelpers.displayParameter(parameters, property, null, null, parameters),
			)
			.map(({ displayName }) => displayName);
	for (const [resource, operation, until] of [
		['campaign', 'create', ' until you add some.'],
		['broadcast', 'create', ': the API cannot add any later. Choose them below.'],
	] as const) {
		const at = (status: string, recipientsFrom: string) =>
			notices({ resource, operation, status, recipientsFrom });
		const draft =
			resource === 'broadcast' ? [expect.stringMatching(/cannot send a draft broadcast/)] : [];
		expect(at('draft', 'none')).toEqual(draft);
		expect(at('draft', 'emails')).toEqual(draft);
		expect(at('live', 'groups')).toEqual([expect.stringMatching(/^Live: .*as soon as this runs/)]);
		const nobody = [`Without recipients, nobody receives it${until}`];
		expect(at('live', 'none')).toEqual(nobody);
		expect(at('scheduled', 'emails')).toEqual([
			expect.stringMatching(/^Scheduled: .*recipients below/),
		]);
		expect(at('scheduled', 'none')).toEqual(nobody);
	}
	const inChannel = { resource: 'channel', operation: 'createCampaign' };
	expect(notices({ ...inChannel, status: 'draft' })).toEqual([]);
	expect(notices({ ...inChannel, status: 'live' })).toEqual([
		expect.stringMatching(/^Live: .*everybody in the channel as soon as this runs/),
	]);
	expect(notices({ ...inChannel, status: 'scheduled' })).toEqual([
		expect.stringMatching(/^Scheduled: .*everybody in the channel/),
	]);
	const update = { resource: 'campaign', operation: 'update' };
	const live = expect.stringMatching(/^Live: .*all its recipients as soon as this runs/);
	expect(notices({ ...update, updateFields: { name: 'x' } })).not.toContainEqual(live);
	expect(notices({ ...update, updateFields: { status: 'live' } })).toContainEqual(live);
});
