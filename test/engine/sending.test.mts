import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { LAUNCH } from '../kit/questions.mts';
import { first, required } from '../kit/required.mts';
import { isShown, properties } from '../kit/sampleParameters.mts';
import { useService } from '../kit/service.mts';
import { tableOf } from '../kit/table.mts';
import { parseAs } from '../kit/typed.mts';

useFakeSleep();
const service = useService();

const channelId = () => locator(first(service.emulator.state.channels.values())._id);
const campaign = { name: 'Picnic', campaignDescription: 'Where we meet' };

const ada = () => first(service.emulator.state.people.values()).email;

/** The three operations with the field Scheduled Time. */
const creations: Array<[operation: string, () => INodeParameters]> = [
	['campaign.create', () => campaign],
	[
		'broadcast.create',
		() => ({
			title: 'Canteen',
			message: 'Closed',
			recipientsFrom: 'emails',
			recipientEmails: ada(),
		}),
	],
	['channel.createCampaign', () => ({ ...campaign, channelId: channelId() })],
];

describe.each(creations)('%s', (operation, content) => {
	test.each(['scheduled', '={{ "Scheduled" }}'])(
		'with status %s, accepts a time four minutes ago, but not six minutes ago',
		async (status) => {
			const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
			const late = at(-6);
			const run = async (scheduledTime: string) =>
				await service.run(operation, { ...content(), status, scheduledTime });
			const { error } = await run(late);
			expect(error?.message).toBe(`Scheduled Time is in the past: ${late}`);
			expect(error?.description).toMatch(/Nothing was sent/);
			expect(service.requests).toEqual([]);
			const soon = at(-4);
			expect((await run(soon)).error).toBeUndefined();
			expect(service.lastRequest.body).toMatchObject({ status: 'scheduled', scheduledTime: soon });
		},
	);
});

describe('the scheduled time', () => {
	const create = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
		await service.run('campaign.create', { ...campaign, ...parameters }, options);
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
	const { json } = await service.run('campaign.create', draft);
	expect(service.lastRequest.body).toMatchObject({ categories: '["news","safety"]' });
	await service.run('channel.createCampaign', { ...draft, channelId: channelId() });
	expect(service.lastRequest.body).toMatchObject({ categories: '["news","safety"]' });

	const id = String(json[0]?._id);
	const saved = service.emulator.state.campaigns.get(id);
	expect(saved?.categories).toEqual(['news', 'safety']);
	const updateFields = { categories: '' };
	await service.run('campaign.update', { campaignId: locator(id), updateFields, options });
	expect(service.lastRequest.body).toEqual({ categories: '[]' });
	expect(saved?.categories).toEqual([]);
});

/** An operation, its parameters, and a pattern of each notice that it shows. */
const notices = tableOf(`
	campaign.create ⇒ {"status": "draft", "recipientsFrom": "none"}
	campaign.create ⇒ {"status": "live", "recipientsFrom": "groups"} ⇒ ^Live: .*as soon as the node runs
	broadcast.create ⇒ {"status": "live", "recipientsFrom": "groups"} ⇒ ^Live: .*as soon as the node runs
	broadcast.create ⇒ {"status": "draft", "recipientsFrom": "none"} ⇒ cannot send a draft broadcast
	broadcast.create ⇒ {"status": "draft", "recipientsFrom": "emails"} ⇒ cannot send a draft broadcast
	channel.createCampaign ⇒ {"status": "draft"}
	channel.createCampaign ⇒ {"status": "live"} ⇒ ^Live: .*to the channel as soon as
	channel.createCampaign ⇒ {"status": "scheduled"}
	campaign.update ⇒ {"updateFields": {"status": "live"}} ⇒ ^Live: .*as soon as ⇒ might reset fields that you do not add under "Update Fields"
	campaign.update ⇒ {"updateFields": {"name": "x"}} ⇒ might reset fields that you do not add under "Update Fields"
	campaign.send ⇒ {} ⇒ as soon as the node runs
	campaign.addRecipients ⇒ {"recipientsFrom": "emails"} ⇒ as soon as the node runs
	channel.createBroadcast ⇒ {} ⇒ as soon as the node runs
	broadcast.sendAndWait ⇒ {"recipientsFrom": "emails"} ⇒ as soon as the node runs
	survey.launch ⇒ {"sendNow": true} ⇒ as soon as the node runs
	survey.launch ⇒ {"sendNow": false} ⇒ creates a draft that nobody receives
`).map(([operation = '', own = '', ...texts]): [string, string, string[]] => [
	operation,
	own,
	texts,
]);

test.each(notices)('%s with %s shows the notices %j', (name, own, texts) => {
	const [resource = '', operation = ''] = name.split('.');
	const parameters = { resource, operation, ...parseAs<INodeParameters>(own) };
	const shown = properties
		.filter((property) => property.type === 'notice' && isShown(property, parameters))
		.map(({ displayName }) => displayName);
	expect(shown).toEqual(texts.map((text) => expect.stringMatching(text)));
});

describe('a message to nobody', () => {
	const groupOf = (...members: string[]) => service.emulator.state.addRecipientGroup('G', members);
	const person = () => first(service.emulator.state.people.values())._id;
	const to = (...groups: Array<{ _id: string }>): INodeParameters => ({
		recipientsFrom: 'groups',
		recipientGroups: groups.map(({ _id }) => _id),
	});
	const content = { title: 'Canteen', message: 'Closed', ...campaign };
	const later = { status: 'scheduled', scheduledTime: '2099-01-31T09:15:00Z' };
	const broadcast = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
		await service.run('broadcast.create', { ...content, ...parameters }, options);

	test.each<[string, INodeParameters]>([
		['broadcast.create', { status: 'live' }],
		['broadcast.create', { status: '={{ "LIVE" }}' }],
		['broadcast.create', later],
		['broadcast.sendAndWait', {}],
		['campaign.create', { status: 'live' }],
		['campaign.create', later],
		['survey.launch', { ...LAUNCH, sendNow: true }],
		['survey.launch', { ...LAUNCH, sendNow: '={{ "yes" }}' }],
	])('%s with %j does not go to groups without members', async (operation, own) => {
		const isTool = operation === 'broadcast.sendAndWait' ? [] : [true];
		for (const asTool of [false, ...isTool]) {
			const empty = [groupOf(), groupOf()];
			service.emulator.clearRequests();
			const parameters = { ...content, ...own, ...to(...empty) };
			const { error, items } = await service.run(operation, parameters, { asTool });
			const message = error?.message ?? items[0]?.json.error;
			expect(message).toBe('The selected recipient groups have no members');
			expect(service.changes).toEqual([]);
		}
	});

	test('Campaign: Add Recipients says so, and adds groups that may have members later', async () => {
		const { _id } = service.emulator.state.addCampaign({
			name: 'A',
			description: 'B',
			status: '0',
		});
		const added = async (...groups: Array<{ _id: string }>) => {
			const parameters = { campaignId: locator(_id), ...to(...groups) };
			const { hints, error } = await service.run('campaign.addRecipients', parameters);
			expect(error).toBeUndefined();
			return hints.map(({ message }) => message);
		};
		const empty = groupOf();
		expect(await added(empty)).toEqual([
			'Item 0: the selected recipient groups have no members, so nobody is added',
		]);
		expect(await added(empty, groupOf(person()))).toEqual([]);
		expect(service.changes).toHaveLength(2);
	});

	test('goes out to groups of which one has members, and each group is read once', async () => {
		const groups = to(groupOf(), groupOf(person()), groupOf(person()));
		const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
		const { error } = await broadcast(
			{ status: 'live', title: '={{ $json.n }}', ...groups },
			{ items },
		);
		expect(error).toBeUndefined();
		expect(service.changes).toHaveLength(2);
		// The empty group is read three times.
		expect(service.requests).toHaveLength(2 + 3 + 1);
	});

	test.each<[string, number, () => void]>([
		['the group shows its members at the third read', 3, () => undefined],
		[
			'the group cannot be read',
			1,
			() => service.emulator.faults.on('GET /recipientGroup/:id', { refuse: 'No' }),
		],
	])('goes out if %s', async (_what, reads, prepare) => {
		const group = groupOf();
		let seen = 0;
		service.emulator.onRequest(({ method }) => {
			if (method === 'GET' && ++seen === 3) group.members.add(person());
		});
		prepare();
		expect((await broadcast({ status: 'live', ...to(group) })).error).toBeUndefined();
		expect([seen, service.changes.length]).toEqual([reads, 1]);
	});

	test('a campaign is sent if the service does not say how many recipients it has', async () => {
		const draft = { name: 'A', description: 'B', status: '0' } as const;
		const { _id } = service.emulator.state.addCampaign(draft);
		const body = { success: true, data: { _id } };
		service.emulator.faults.on('GET /campaign/:id', { status: 200, body });
		const { error } = await service.run('campaign.send', { campaignId: locator(_id) });
		expect(error).toBeUndefined();
		expect(service.changes).toHaveLength(1);
	});

	test('may be a draft', async () => {
		for (const recipients of [to(groupOf()), {}]) {
			expect((await broadcast({ status: 'draft', ...recipients })).error).toBeUndefined();
		}
		const survey = await service.run('survey.launch', { ...LAUNCH, ...to(groupOf()) });
		expect(survey.error).toBeUndefined();
		expect(service.changes).toHaveLength(service.requests.length);
	});

	test.each<[INodeParameters, boolean]>([
		[{ status: 'live' }, false],
		[{ status: '={{ "live" }}' }, true],
		[{ ...later, recipientsFrom: 'none', recipientEmails: 'ada@example.com' }, false],
	])('is no broadcast with %j (as a tool: %j)', async (parameters, asTool) => {
		const { error, items } = await broadcast(parameters, { asTool });
		const json = items[0]?.json;
		expect(error?.message ?? json?.error).toMatch(/^Recipients From is "Nobody Yet", so nobody/);
		expect(error?.description ?? json?.advice).toContain('n8n has removed them');
		expect(service.requests).toEqual([]);
	});

	test('is a campaign whose recipients are added later, and a warning says so', async () => {
		const { error, hints } = await service.run('campaign.create', {
			...campaign,
			status: 'live',
		});
		expect(error).toBeUndefined();
		expect(hints).toMatchObject([{ message: expect.stringMatching(/^Item 0: nobody receives/) }]);
	});

	test.each(['update', 'send'])(
		'is no campaign that %s sends, unless a later read shows recipients',
		async (operation) => {
			for (const [shownAt, message] of [
				[3, undefined],
				[4, 'The campaign has no recipients'],
			] as const) {
				const draft = service.emulator.state.addCampaign({
					...draftContent,
					recipients: new Set(),
				});
				let reads = 0;
				service.emulator.onRequest(({ method }) => {
					if (method === 'GET' && ++reads === shownAt) draft.recipients = new Set([person()]);
				});
				service.emulator.clearRequests();
				const began = Date.now();
				const updateFields = operation === 'update' ? { status: 'live' } : {};
				const parameters = { campaignId: locator(draft._id), updateFields };
				const { error } = await service.run(`campaign.${operation}`, parameters);
				expect([error?.message, draft.status]).toEqual([message, message ? '0' : '1']);
				expect([reads, Date.now() - began >= 4_000]).toEqual([3, true]);
			}
		},
	);

	test('is no survey that Launch sends, and the error names the draft', async () => {
		service.emulator.onRequest(({ method }) => {
			if (method === 'GET') required(launched(), 'survey').recipients = new Set();
		});
		const { error } = await service.run('survey.launch', {
			...{ ...LAUNCH, sendNow: true, recipientsFrom: 'emails', recipientEmails: ada() },
		});
		expect(error?.message).toBe('The campaign has no recipients');
		expect(error?.description).toContain(launched()?._id);
		expect(launched()?.status).toBe('0');
	});
	const draftContent = { name: 'A', description: 'B', status: '0' } as const;
	const launched = () =>
		service.emulator.state.campaigns.values().find(({ name }) => name === LAUNCH.name);
});
