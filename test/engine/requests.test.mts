import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

// Tests what single operations send and return. The tests `coverage` (method, path, fields) and
// `samples` (output, effect) cover what all operations have in common.

const service = useService();

/** Returns the IDs and addresses that the tables below name in braces. */
function named(): Record<string, string> {
	const { state } = service.emulator;
	const group = first(state.recipientGroups.values());
	const channel = first(state.channels.values());
	const people = state.people.values();
	const outsiders = people.filter(({ _id }) => !group.members.has(_id));
	const managers = state.consoleUsers.values();
	const newManager = managers.find(({ _id }) => !channel.managers.has(_id));
	const groups = [...state.consoleUserGroups.values()];
	const newGroup = groups.find(({ _id }) => !channel.managerGroups.has(_id));
	const campaignOf = (status: string) =>
		required(
			state.campaigns.find((one) => one.status === status && !one.survey),
			'campaign',
		)._id;
	return {
		...{ live: campaignOf('1'), draft: campaignOf('0'), group: group._id, channel: channel._id },
		...{ ada: String(people[0]?.email), bob: String(people[1]?.email), id: String(people[0]?._id) },
		scheduled: String(state.broadcasts.values().find(({ status }) => status === '4')?._id),
		...{ outsider: String(outsiders[0]?.email), outsiderId: String(outsiders[0]?._id) },
		...{ member: first(group.members), manager: first(channel.managers)[0] },
		...{ newManager: String(newManager?.email), newGroup: String(newGroup?._id) },
		...{ managerGroup: first(channel.managerGroups)[0], recipient: first(channel.recipients)[0] },
		template: first(state.templates.values())._id,
	};
}

/** Replaces each name in braces by its ID or address. */
function filled<Value>(value: Value, names = named()): Value {
	const text = JSON.stringify(value).replace(
		/\{(\w+)\}/g,
		(all, name: string) => names[name] ?? all,
	);
	return parseAs<Value>(text);
}

const texts = { name: 'Picnic', description: 'Where we meet' };
const campaign = { name: texts.name, campaignDescription: texts.description };
const broadcast = { title: 'Canteen', message: 'Closed' };
const permissions = ['channel_admin', 'channel_pause'];
const onChannel = { channelId: locator('{channel}') };
const onGroup = { recipientGroupId: locator('{group}') };
const onLive = { campaignId: locator('{live}') };
const asEmails = { recipientsFrom: 'emails' };

type Row = [operation: string, given: INodeParameters, sent: [string, object?], output?: object];

const rows: Row[] = [
	[
		'campaign.create',
		{
			...{ ...campaign, ...asEmails, status: 'live', recipientEmails: ' {ada} ;\n{bob},, {ada}' },
			additionalFields: {
				...{ title: 'Come!', enableEmail: false, sharedGroups: ['team-1'] },
				...{ templateData: { city: 'Oslo' }, categories: 'HR, IT' },
			},
		},
		[
			'POST /campaign',
			{
				...{ ...texts, status: 'live', recipientEmails: ['{ada}', '{bob}'], title: 'Come!' },
				...{ enableEmail: false, sharedGroups: ['team-1'] },
				...{ templateData: '{"city":"Oslo"}', categories: ['HR', 'IT'] },
			},
		],
	],
	[
		'campaign.create',
		{
			...{ ...campaign, recipientsFrom: 'newRecipients' },
			recipients: { recipient: [{ email: ' new@x.example ', firstName: 'New', lastName: ' ' }] },
		},
		[
			'POST /campaign',
			{ ...texts, status: 'draft', recipients: [{ email: 'new@x.example', firstName: 'New' }] },
		],
	],
	[
		'campaign.create',
		{ ...campaign, recipientsFrom: 'groups', recipientGroups: ['{group}'] },
		['POST /campaign', { ...texts, status: 'draft', recipientGroups: ['{group}'] }],
	],
	...[{ recipients: { recipient: [] }, recipientGroups: [] }, { recipients: {} }].map(
		(others): Row => [
			'campaign.create',
			{ ...campaign, recipientsFrom: '={{ "emails" }}', recipientEmails: '{ada}', ...others },
			['POST /campaign', { ...texts, status: 'draft', recipientEmails: ['{ada}'] }],
		],
	),
	// The service disables comments if the field is missing, so Disabled is not sent.
	[
		'campaign.create',
		{ ...campaign, additionalFields: { commentVisibility: 'disabled' } },
		['POST /campaign', { ...texts, status: 'draft' }],
	],
	[
		'campaign.update',
		{
			campaignId: locator('{draft}'),
			updateFields: { name: 'N', imageUrl: '', templateData: '', title: 'T', categories: '' },
		},
		[
			'PUT /campaign/{draft}',
			{ name: 'N', imageUrl: '', templateData: '', title: 'T', categories: [] },
		],
		{ _id: '{draft}' },
	],
	[
		'campaign.update',
		{ campaignId: locator('{draft}'), updateFields: { commentVisibility: 'disabled' } },
		['PUT /campaign/{draft}', { commentVisibility: 'disabled' }],
	],
	['campaign.close', onLive, ['PUT /campaign/{live}/close'], { _id: '{live}' }],
	...['addRecipients', 'cancelRecipients'].map(
		(operation): Row => [
			`campaign.${operation}`,
			{ ...onLive, ...asEmails, recipientEmails: ['{ada}', '{bob}'] },
			[`PUT /campaign/{live}/${operation}`, { recipientEmails: ['{ada}', '{bob}'] }],
		],
	),
	[
		'broadcast.create',
		{
			...{ ...broadcast, status: 'live', recipientsFrom: 'groups', recipientGroups: ['{group}'] },
			additionalFields: { emoji: '📣', requiredConfirm: true, contentInEmail: false },
		},
		[
			'POST /broadcast',
			{
				...{ ...broadcast, status: 'live', recipientGroups: ['{group}'] },
				...{ emoji: '📣', requiredConfirm: true, contentInEmail: false },
			},
		],
	],
	[
		'broadcast.update',
		{ broadcastId: locator('{scheduled}') },
		['PUT /broadcast/{scheduled}', { status: 'draft' }],
		{ _id: '{scheduled}', status: '0' },
	],
	[
		'broadcast.delete',
		{ broadcastId: locator('{scheduled}') },
		['DELETE /broadcast/{scheduled}'],
		{ broadcastId: '{scheduled}', deleted: true },
	],
	[
		'channel.create',
		{
			name: 'New joiners',
			additionalFields: { title: 'Hi', template: '{template}', enableSms: false },
		},
		[
			'POST /channel',
			{ name: 'New joiners', title: 'Hi', defaults: { template: '{template}', enableSms: false } },
		],
		{ name: 'New joiners', status: '1' },
	],
	[
		'channel.update',
		{ ...onChannel, updateFields: { title: '', template: '', name: 'Renamed' } },
		['PUT /channel/{channel}', { title: '', name: 'Renamed', defaults: { template: '' } }],
	],
	[
		'channel.createCampaign',
		{
			...{ ...onChannel, ...campaign, status: 'draft' },
			additionalFields: { templateData: '{ "city": "Oslo" }', categories: 'HR, Culture' },
		},
		[
			'POST /channel/{channel}/campaign',
			{
				...{ ...texts, status: 'draft', templateData: '{ "city": "Oslo" }' },
				categories: ['HR', 'Culture'],
			},
		],
	],
	// The request has no status, because the service always sends a broadcast of a channel at once.
	[
		'channel.createBroadcast',
		{ ...onChannel, ...broadcast, additionalFields: { emoji: '🔥', requiredConfirm: true } },
		['POST /channel/{channel}/broadcast', { ...broadcast, emoji: '🔥', requiredConfirm: true }],
	],
	...[
		permissions,
		'={{ "channel_admin; channel_pause, channel_admin" }}',
		'={{ ["channel_admin", "channel_pause"] }}',
	].map(
		(given): Row => [
			'channelManager.set',
			{ ...onChannel, user: ' {newManager} ', permissions: given },
			['PUT /channel/{channel}/manager', { user: '{newManager}', permissions }],
			{ success: true, channelId: '{channel}' },
		],
	),
	[
		'channelManager.remove',
		{ ...onChannel, user: '{manager}' },
		['DELETE /channel/{channel}/manager', { user: '{manager}' }],
		{ success: true, channelId: '{channel}', user: '{manager}' },
	],
	[
		'channelManagerGroup.getAll',
		{ ...onChannel, limit: 1, filters: { conditions: { name: 'Console group 2' } } },
		[
			'GET /channel/{channel}/managerGroup',
			{ limit: '1', skip: '0', conditions: '{"name":"Console group 2"}' },
		],
		{ name: 'Console group 2', permissions: ['channel_recipient_add'] },
	],
	[
		'channelManagerGroup.set',
		{ ...onChannel, groupId: locator('{newGroup}'), permissions },
		['PUT /channel/{channel}/managerGroup', { groupId: '{newGroup}', permissions }],
		{ success: true, channelId: '{channel}', groupId: '{newGroup}' },
	],
	[
		'channelManagerGroup.remove',
		{ ...onChannel, groupId: locator('{managerGroup}', 'list') },
		['DELETE /channel/{channel}/managerGroup/{managerGroup}'],
		{ success: true, channelId: '{channel}', groupId: '{managerGroup}' },
	],
	[
		'channelRecipient.add',
		{
			...{ ...onChannel, recipients: '{ada}; {outsiderId}, {ada}\n' },
			additionalFields: {
				lists: ['{group}'],
				conditions: '{\n  "email": "a@example.com"\n}\n  lastName=Berg, Larsson  \n\n',
			},
		},
		[
			'POST /channel/{channel}/recipient',
			{
				...{ recipients: ['{ada}', '{outsiderId}'], lists: ['{group}'] },
				conditions: ['{"email":"a@example.com"}', 'lastName=Berg, Larsson'],
			},
		],
		{ success: true, channelId: '{channel}' },
	],
	[
		'channelRecipient.remove',
		{
			...{ ...onChannel, recipients: '={{ ["{recipient}"] }}' },
			additionalFields: { lists: [], conditions: '' },
		},
		['POST /channel/{channel}/recipient/remove', { recipients: ['{recipient}'] }],
		{ success: true, channelId: '{channel}' },
	],
	['recipientGroup.getAll', { limit: 1 }, ['GET /recipientGroup', { limit: '1', skip: '0' }]],
	[
		'recipientGroup.create',
		{ name: 'Bergen', additionalFields: { leads: '{id};{outsiderId}' } },
		['POST /recipientGroup', { name: 'Bergen', leads: ['{id}', '{outsiderId}'] }],
		{ name: 'Bergen', leadsTotal: 2 },
	],
	[
		'recipientGroup.addRecipients',
		{ ...onGroup, identifyBy: 'email', recipientEmails: '{outsider}' },
		['POST /recipientGroup/{group}/recipients', { recipientEmails: ['{outsider}'] }],
		{ successCount: 1, errorCount: 0 },
	],
	[
		'recipientGroup.addRecipients',
		{
			...{ ...onGroup, identifyBy: 'id', recipientIds: ['{outsiderId}'] },
			options: { reset: true },
		},
		['POST /recipientGroup/{group}/recipients', { recipientIds: ['{outsiderId}'], reset: true }],
	],
	[
		'recipientGroup.removeRecipients',
		{ ...onGroup, identifyBy: 'id', recipientIds: '{member}' },
		['DELETE /recipientGroup/{group}/recipients', { recipientIds: ['{member}'] }],
		{ successCount: 1, errorCount: 0 },
	],
];

test.each(rows)('%s with %j', async (...[operation, given, sent, output]) => {
	const names = named();
	const [resource = '', name = ''] = operation.split('.');
	const { json, error } = await service.run(resource, name, filled(given, names));
	expect(error).toBeUndefined();
	expect(service.lastSent).toEqual([filled(sent, names)[0], filled(sent, names)[1]]);
	if (output) expect(json).toMatchObject([filled(output, names)]);
});

test('Get Many sends the conditions with every page', async () => {
	service.emulator.switches.pageCap = { channelRecipient: 5 };
	const conditions = '{"active":true}';
	const parameters = filled({ ...onChannel, returnAll: true, filters: { conditions } });
	const { json } = await service.run('channelRecipient', 'getAll', parameters);
	expect(json.length).toBeGreaterThan(5);
	for (const { query } of service.requests) expect(query.conditions).toBe(conditions);
});

const blank = { recipients: ' , ;\n', additionalFields: { lists: [], conditions: '\n' } };
const byId = { identifyBy: '={{ "id" }}' };

test.each<[operation: string, given: INodeParameters, message: RegExp]>([
	['campaign.create', { ...asEmails, recipientEmails: '={{ [] }}' }, /^Recipient Emails is empty/],
	...['campaign.create', 'campaign.cancelRecipients', 'recipientGroup.removeRecipients'].map(
		(operation): [string, INodeParameters, RegExp] => [
			operation,
			{ ...onLive, ...onGroup, ...asEmails, recipientEmails: 'ada@example.com, ada.org' },
			/^Recipient Emails .+: "ada.org"$/,
		],
	),
	...(
		[
			[{ email: 'ada' }, /^Recipients .+: "ada"$/],
			[{ firstName: 'A' }, /person 1 has no email/],
		] as const
	).map(([recipient, message]): [string, INodeParameters, RegExp] => [
		'campaign.create',
		{ recipientsFrom: 'newRecipients', recipients: { recipient: [recipient] } },
		message,
	]),
	[
		'campaign.create',
		{ recipientsFrom: 'groups', recipientGroups: '={{ [] }}' },
		/^Recipient Groups is empty/,
	],
	...['campaign.create', 'broadcast.create'].map((operation): [string, INodeParameters, RegExp] => [
		operation,
		{ recipientsFrom: '={{ "emails" }}', recipientEmails: 'a@b.c', recipientGroups: ['g'] },
		/^Recipients From selects .*, so .* must be empty/,
	]),
	[
		'campaign.create',
		{ recipientsFrom: '={{ "none" }}', recipientEmails: 'a@b.c' },
		/selects nobody, so Recipient Emails must be empty/,
	],
	['campaign.update', { ...onLive, updateFields: {} }, /^Nothing to update$/],
	...['addRecipients', 'cancelRecipients'].map((operation): [string, INodeParameters, RegExp] => [
		`campaign.${operation}`,
		{ ...onLive, ...asEmails, recipientEmails: '={{ [] }}' },
		/^Recipient Emails is empty/,
	]),
	['channel.update', { ...onChannel, updateFields: {} }, /^Nothing to update$/],
	[
		'channel.createCampaign',
		{ ...onChannel, additionalFields: { commentVisibility: 'disabled' } },
		/Comment Visibility must be Campaign Team Only or All/,
	],
	[
		'channelManager.getAll',
		{ ...onChannel, filters: { conditions: '{ email' } },
		/^Conditions is not valid/,
	],
	['channelRecipient.add', onChannel, /^No recipients are selected/],
	['channelRecipient.add', { ...onChannel, ...blank }, /^No recipients are selected/],
	['channelRecipient.remove', { ...onChannel, recipients: '' }, /^No recipients are selected/],
	['recipientGroup.addRecipients', { ...onGroup, recipientEmails: '' }, /^Recipient Emails is em/],
	['recipientGroup.addRecipients', { ...onGroup, ...byId }, /^Recipient IDs is empty/],
	[
		'recipientGroup.addRecipients',
		{ ...onGroup, ...byId, recipientIds: 'a', recipientEmails: 'a@b.c' },
		/selects Recipient IDs, so Recipient Emails must be empty/,
	],
])('%s with %j fails before sending', async (operation, given, message) => {
	const [resource = '', name = ''] = operation.split('.');
	const parameters = { ...campaign, ...broadcast, ...filled(given) };
	const failure = await service.failure(resource, name, parameters);
	expect(failure).toMatchObject({ message: expect.stringMatching(message), sent: 0 });
});
