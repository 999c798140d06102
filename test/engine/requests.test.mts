import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

// Tests what single operations send and return. The tests `coverage` (method, path, fields), `kinds` (values) and
// `samples` (output, effect) cover what all operations have in common.

const service = useService();

/** Returns the IDs and addresses that the tables below name in braces. */
function named(): Record<string, string> {
	const { state } = service.emulator;
	const group = first(state.recipientGroups.values());
	const people = state.people.values();
	const live = state.campaigns.values().find(({ status, survey }) => status === '1' && !survey);
	const draft = state.campaigns.values().find(({ status, survey }) => status === '0' && !survey);
	return {
		...{ live: required(live, 'campaign')._id, draft: required(draft, 'draft')._id },
		...{ group: group._id, channel: first(state.channels.values())._id },
		...{ ada: String(people[0]?.email), bob: String(people[1]?.email) },
		scheduled: String(state.broadcasts.values().find(({ status }) => status === '4')?._id),
		outsiderId: String(people.find(({ _id }) => !group.members.has(_id))?._id),
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
const onChannel = { channelId: locator('{channel}') };
const onGroup = { recipientGroupId: locator('{group}') };
const onLive = { campaignId: locator('{live}') };
const asEmails = { recipientsFrom: 'emails' };

const newPerson = { email: ' new@x.example ', firstName: 'New', lastName: ' ' };

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
			recipients: { recipient: [newPerson, { ...newPerson, email: 'NEW@x.example' }] },
		},
		[
			'POST /campaign',
			{ ...texts, status: 'draft', recipients: [{ email: 'new@x.example', firstName: 'New' }] },
		],
	],
	// The service disables comments if the field is missing, so Disabled is not sent.
	[
		'campaign.create',
		{ ...campaign, additionalFields: { commentVisibility: 'disabled' } },
		['POST /campaign', { ...texts, status: 'draft' }],
	],
	[
		'campaign.update',
		{ campaignId: locator('{draft}'), updateFields: { commentVisibility: 'disabled' } },
		['PUT /campaign/{draft}', { commentVisibility: 'disabled' }],
	],
	[
		'channel.update',
		{ ...onChannel, updateFields: { template: '' } },
		['PUT /channel/{channel}', { defaults: { template: '' } }],
	],
	['channel.create', {}, ['POST /channel', {}]],
	// n8n makes a blank text of two expressions without a result, which must clear nothing.
	[
		'channel.update',
		{ ...onChannel, updateFields: { title: 'Oslo', description: '={{ $json.a }} {{ $json.b }}' } },
		['PUT /channel/{channel}', { title: 'Oslo' }],
	],
	[
		'broadcast.update',
		{ broadcastId: locator('{scheduled}') },
		['PUT /broadcast/{scheduled}', { status: 'draft' }],
		{ _id: '{scheduled}', status: '0' },
	],
	['campaign.getAll', { limit: 1 }, ['GET /campaign', { limit: '1' }], {}],
	// The request has no status, because the service always sends a broadcast of a channel at once.
	[
		'channel.createBroadcast',
		{ ...onChannel, ...broadcast, additionalFields: { emoji: '🔥', requiredConfirm: true } },
		['POST /channel/{channel}/broadcast', { ...broadcast, emoji: '🔥', requiredConfirm: true }],
	],
	[
		'channelRecipient.add',
		{
			...{ ...onChannel, recipients: '{ada}; {outsiderId}, {ada}\n' },
			additionalFields: {
				lists: ['{group}'],
				conditions: '{"email":"a@example.com"}\n  lastName=Berg, Larsson  \n\n',
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
		'recipientGroup.addRecipients',
		{
			...{ ...onGroup, identifyBy: 'id', recipientIds: ['{outsiderId}'] },
			options: { reset: true },
		},
		['POST /recipientGroup/{group}/recipients', { recipientIds: ['{outsiderId}'], reset: true }],
		{ recipientGroupId: '{group}', successCount: 1, errorCount: 0 },
	],
	[
		'recipientGroup.removeRecipients',
		{ ...onGroup, identifyBy: 'id', recipientIds: ['{outsiderId}'] },
		['DELETE /recipientGroup/{group}/recipients', { recipientIds: ['{outsiderId}'] }],
		{ recipientGroupId: '{group}', successCount: 0, errorCount: 0 },
	],
];

test.each(rows)('%s with %j', async (...[operation, given, sent, output]) => {
	const names = named();
	const { json, error } = await service.run(operation, filled(given, names));
	expect(error).toBeUndefined();
	expect(service.lastSent).toEqual([filled(sent, names)[0], filled(sent, names)[1]]);
	if (output) expect(json).toMatchObject([filled(output, names)]);
});

test.each([
	[null, 0],
	[1, 1],
])(
	'a copy of a group, of which the service shows %j members, has %i warnings',
	async (leadsTruncated, warnings) => {
		const group = first(service.emulator.state.recipientGroups.values());
		service.emulator.switches.leadsTruncated = leadsTruncated;
		const { items } = await service.run('recipientGroup.get', filled(onGroup));
		const additionalFields = { leads: '={{ $json.leads }}' };
		const copy = { name: 'Copy', additionalFields };
		const { hints, error } = await service.run('recipientGroup.create', copy, { items });
		expect(error).toBeUndefined();
		expect(hints).toEqual(
			Array.from({ length: warnings }, () =>
				expect.objectContaining({
					message: `Item 0: the new group gets 1 members, but the group in the input has ${group.members.size}. The service shows only some of them`,
				}),
			),
		);
	},
);

test('Get Many sends the conditions with every page', async () => {
	service.emulator.switches.pageCap = { channelRecipient: 5 };
	const conditions = '{"active":true}';
	const parameters = filled({ ...onChannel, returnAll: true, filters: { conditions } });
	const { json } = await service.run('channelRecipient.getAll', parameters);
	expect(json.length).toBeGreaterThan(5);
	for (const { query } of service.requests) expect(query.conditions).toBe(conditions);
});

const blank = { recipients: ' , ;\n', additionalFields: { lists: [], conditions: '\n' } };
const byId = { identifyBy: '={{ "id" }}' };
const later = { status: 'scheduled' };
const NO_DATE = '={{ DateTime.invalid("none") }}';
const halfAPerson = { minimumResponses: 2.5 };
const twoPeople = [{ lastName: 'B' }, { firstName: 'A' }].map((other) => ({
	recipient: [
		{ email: 'a@x.io', firstName: 'A', lastName: 'B' },
		{ email: 'A@x.io', ...other },
	],
}));

test.each<[operation: string, given: INodeParameters, message: RegExp]>([
	[
		'campaign.create',
		{ recipientsFrom: 'newRecipients', recipients: { recipient: [{ firstName: 'A' }] } },
		/person 1 has no email/,
	],
	...twoPeople.map((recipients): [string, INodeParameters, RegExp] => [
		'campaign.create',
		{ recipientsFrom: 'newRecipients', recipients },
		/A@x\.io belongs to/,
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
	[
		'campaign.close',
		{ campaignId: { __rl: true, mode: 'name', value: ' ' } },
		/^Campaign is empty$/,
	],
	...['list', 'id'].map((mode): [string, INodeParameters, RegExp] => [
		'campaign.close',
		{ campaignId: { __rl: true, mode, value: 'https://x.io/console/campaign/{live}' } },
		/^Campaign is a web address, not an ID$/,
	]),
	[
		'recipientGroup.sync',
		{ recipientGroupId: locator(' HTTP://x.io/g'), recipient: '{ada}' },
		/^Recipient Group is a web address, not an ID$/,
	],
	['channel.update', { ...onChannel, updateFields: {} }, /^Nothing to update$/],
	// For another spelling of a choice on which other fields depend, n8n has removed these fields.
	['broadcast.create', { status: 'Live' }, /^Status must be "live", not "Live"$/],
	['broadcast.sendAndWait', { responseType: 'APPROVAL' }, /^Response Type must be "approval", not/],
	['campaign.getAll', { returnAll: 'Yes' }, /^Return All must be true, not "Yes"$/],
	[
		'channelRecipient.sync',
		{ ...onChannel, recipient: '{ada}', mode: 'Mirror' },
		/^Mode must be "mirror", not "Mirror"$/,
	],
	['hrList.read', { source: 'Items' }, /^Source must be "items", not "Items"$/],
	['campaign.create', { ...later, scheduledTime: '={{ "" }}' }, /^Scheduled Time is empty/],
	['campaign.create', { ...later, scheduledTime: NO_DATE }, /^Scheduled Time is not a date/],
	['survey.create', { questionsInput: 'json', questionsJson: '' }, /^Add at least one question$/],
	['survey.getSummary', { ...onLive, options: halfAPerson }, /^Minimum Responses must be a whole/],
	['survey.remind', { ...onLive, title: ' ' }, /^Title is empty$/],
	[
		'broadcast.sendAndWait',
		{ options: { limitWaitTime: { values: { limitType: 'AtSpecifiedTime' } } } },
		/^Limit Type must be "atSpecifiedTime", not/,
	],
	['channelRecipient.add', onChannel, /^No recipients are selected/],
	['channelRecipient.add', { ...onChannel, ...blank }, /^No recipients are selected/],
	['channelRecipient.remove', { ...onChannel, recipients: '' }, /^No recipients are selected/],
	['recipientGroup.addRecipients', { ...onGroup, ...byId }, /^Recipient IDs is empty/],
	[
		'recipientGroup.addRecipients',
		{ ...onGroup, ...byId, recipientIds: 'a', recipientEmails: 'a@b.c' },
		/selects Recipient IDs, so Recipient Emails must be empty/,
	],
])('%s with %j fails before sending', async (operation, given, message) => {
	const parameters = { ...campaign, ...broadcast, ...filled(given) };
	const failure = await service.failure(operation, parameters);
	expect(failure).toMatchObject({ message: expect.stringMatching(message), sent: 0 });
});
