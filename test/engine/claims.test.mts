import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
import { LAUNCH } from '../kit/questions.mts';
import { first, firstSurvey } from '../kit/required.mts';
import { declared, properties } from '../kit/sampleParameters.mts';
import { useService } from '../kit/service.mts';

/** What several items of one run must not do. They fail before anything is sent. */

/** The operations that change something, and reach nobody, by resource. */
const REACH_NOBODY: Record<string, string> = {
	broadcast: 'close delete update',
	broadcastFile: 'delete replace upload',
	campaign: 'cancelRecipients close',
	campaignFile: 'delete replace upload',
	channel: 'archive create restore update',
	channelManager: 'remove set',
	channelManagerGroup: 'remove set',
	channelRecipient: 'add remove sync',
	recipientGroup: 'addRecipients create delete getOrCreate removeRecipients sync',
	survey: 'create update',
};

/** Operations that send, and need no claim: each item names its own record, or only one item is sent. */
const WITHOUT_CLAIM = ['broadcast.sendAndWait', 'campaign.addRecipients'];

test('each operation that changes something declares that it sends, and its claim, or is known to need none', () => {
	const changing = [...declared].filter(
		([, { endpoint, isLocal }]) => !isLocal && endpoint?.[0] !== 'GET',
	);
	const silent = changing.filter(([, { sends }]) => !sends).map(([operation]) => operation);
	const reachNobody = Object.entries(REACH_NOBODY).flatMap(([resource, names]) =>
		names.split(' ').map((name) => `${resource}.${name}`),
	);
	expect(silent.sort()).toEqual(reachNobody);
	const sending = [...declared].filter(([, { sends, claim }]) => sends && !claim);
	expect(sending.map(([operation]) => operation).sort()).toEqual(WITHOUT_CLAIM);
});

test('no resource preselects an operation that changes something', () => {
	const selectors = properties.filter(({ name }) => name === 'operation');
	const preselected = new Set(selectors.map((selector) => selector.default));
	expect(preselected).toEqual(new Set(['getAll', 'get', 'getSummary', 'read']));
});

const service = useService();
const email = () => first(service.emulator.state.people.values()).email;
const three = [1, 2, 3].map((n) => ({ json: { n, off: false } }));

type Case = [operation: string, parameters: () => INodeParameters];
const run = async ([operation, parameters]: Case, options: Partial<RunOptions> = {}) => {
	return await service.run(operation, parameters(), { items: three, ...options });
};
const people = () => ({ recipientsFrom: 'emails', recipientEmails: email() });
const group = () => locator(first(service.emulator.state.recipientGroups.values())._id);
const channelId = () => locator(first(service.emulator.state.channels.values())._id);
const toGroups = { recipientsFrom: 'groups', recipientEmails: '' };
const message = { title: 'T', message: 'M' };
const text = { name: 'N', campaignDescription: 'D', status: 'live' };
const broadcast: Case = ['broadcast.create', () => ({ ...message, status: 'live', ...people() })];
const campaign: Case = ['campaign.create', () => ({ ...text, ...people() })];
const inChannel: Case = ['channel.createBroadcast', () => ({ channelId: channelId(), ...message })];
const campaignInChannel: Case = [
	'channel.createCampaign',
	() => ({ channelId: channelId(), ...text }),
];
const launch: Case = ['survey.launch', () => ({ ...LAUNCH, ...people(), sendNow: true })];
const reset: Case = [
	'recipientGroup.addRecipients',
	() => ({ recipientGroupId: group(), recipientEmails: email(), options: { reset: true } }),
];
const remind: Case = [
	'survey.remind',
	() => ({ campaignId: locator(firstSurvey(service.emulator).campaign._id), ...message }),
];
const draft = () => {
	const content = { name: 'D', description: 'D', status: '0' } as const;
	const recipients = new Set([first(service.emulator.state.people.values())._id]);
	return service.emulator.state.addCampaign({ ...content, recipients })._id;
};
let drafted = '';
const sent: Case = ['campaign.send', () => ({ campaignId: locator(drafted) })];
const updated: Case = [
	'campaign.update',
	() => ({
		campaignId: locator(drafted),
		updateFields: { status: 'live', name: '={{ $json.n }}' },
	}),
];
const draftId = '64f1c0ffee0000000000abcd';
const withFields = ([operation, parameters]: Case, fields: INodeParameters): Case => [
	operation,
	() => ({ ...parameters(), ...fields }),
];

const shuffled = { recipientEmails: '={{ ["a@x, b@x", "B@x, a@x", "b@x, A@x"][$json.n - 1] }}' };
/** A time that each item evaluates anew. */
const soon = {
	status: 'scheduled',
	scheduledTime: '={{ $now.plus({ hours: 2, milliseconds: $json.n }) }}',
};

const refused: Array<[string, Case]> = [
	['3 items would send the same campaign to the same people', campaign],
	['3 items would send the same broadcast to the same people', inChannel],
	['3 items would send the same campaign to the same people', campaignInChannel],
	['3 items would send the same survey to the same people', launch],
	['3 items would send the same broadcast to the same people', withFields(broadcast, shuffled)],
	['3 items would send the same broadcast to the same people', withFields(broadcast, soon)],
	[
		'2 items would send the same broadcast to the same people',
		withFields(broadcast, { title: '={{ $json.n === 1 ? "A" : "B" }}' }),
	],
	[
		`3 items would continue with the same draft "${draftId}"`,
		withFields(launch, { sendNow: false, options: { draftId } }),
	],
	['3 items would remind people of the same survey', remind],
	[
		'3 items would remind people of the same survey',
		withFields(remind, { sendNow: true, title: '={{ $json.n }}' }),
	],
	['3 items would send the same campaign', sent],
	['3 items would send the same campaign', updated],
	['3 items would reset the same group, each undoing the one before', reset],
];

test.each(refused)(
	'%s: fails before anything is sent, or for each such item but the first with On Error Continue, or sends once with Execute Once',
	async (expected, its) => {
		drafted = draft();
		const count = Number(expected[0]);
		const { error } = await run(its);
		expect(error?.message).toBe(expected);
		expect(error?.description).toContain('No item was completed.');
		expect(error?.context.itemIndex).toBe(3 - count);
		expect(service.changes).toEqual([]);
		await run(its, { settings: { executeOnce: true } });
		const changesOfOne = service.changes.length;
		service.emulator.clearRequests();
		const { json } = await run(its, { onError: 'continueRegularOutput' });
		// Of equal items, the first is sent, unless each undoes the one before.
		const kept = its === reset ? 0 : 1;
		const failed = json.filter((item) => item.error === expected);
		expect(failed).toHaveLength(count - kept);
		expect(json.slice(kept - count)).toEqual(failed);
		expect(service.changes).toHaveLength(changesOfOne * (3 - count + kept));
		service.emulator.clearRequests();
		await run(its, { settings: { executeOnce: true } });
		expect(service.requests.length).toBeGreaterThan(0);
	},
);

const allowed: Array<[string, Case]> = [
	['equal drafts', withFields(broadcast, { status: 'draft' })],
	['equal drafts in a channel', withFields(campaignInChannel, { status: 'draft' })],
	[
		'equal broadcasts at different times',
		withFields(broadcast, { ...soon, scheduledTime: '={{ $now.plus({ hours: $json.n }) }}' }),
	],
	['surveys that are not sent', withFields(launch, { sendNow: false })],
	['broadcasts with different titles', withFields(broadcast, { title: '={{ $json.n }}' })],
	[
		'campaigns with different recipients',
		withFields(campaign, { recipientEmails: '={{ `p${$json.n}@example.com` }}' }),
	],
	[
		'campaigns to different new people',
		withFields(campaign, {
			recipientsFrom: 'newRecipients',
			recipients: { recipient: [{ email: '={{ `p${$json.n}@example.com` }}' }] },
		}),
	],
	['additions without Reset', withFields(reset, { options: { reset: '={{ $json.off }}' } })],
];

test.each(allowed)('sends %s', async (_what, its) => {
	await run(its, { onError: 'continueRegularOutput' });
	expect(service.changes.length).toBeGreaterThanOrEqual(3);
});

test.each([
	['channels', inChannel, (id: string) => ({ channelId: locator(id) })],
	['recipientGroups', broadcast, (id: string) => ({ ...toGroups, recipientGroups: id })],
] as const)('sends the same broadcast to different %s', async (kind, its, to) => {
	const ids = service.emulator.state[kind].values().map(({ _id }) => _id);
	const { error } = await run(withFields(its, to(`={{ ${JSON.stringify(ids)}[$json.n - 1] }}`)));
	expect(error).toBeUndefined();
	expect(service.changes).toHaveLength(3);
});

test('sends an equal item in no later try of Retry On Fail', async () => {
	service.emulator.faults.on('POST /broadcast', { refuse: 'No' });
	const its = withFields(broadcast, { title: '={{ $json.n === 1 ? "A" : "B" }}' });
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { json } = await run(its, {
		...{ onError: 'continueRegularOutput', settings },
	});
	const titles = [...service.emulator.state.broadcasts.values()].map(({ title }) => title);
	expect(titles.filter((title) => title === 'A')).toHaveLength(1);
	expect(titles.filter((title) => title === 'B')).toHaveLength(1);
	expect(json.map(({ error }) => error)).toEqual([
		...[undefined, undefined],
		'2 items would send the same broadcast to the same people',
	]);
});
