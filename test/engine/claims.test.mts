import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
import { LAUNCH } from '../kit/questions.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

/** What several items of one run must not do. They fail before anything is sent. */

const service = useService();
const email = () => first(service.emulator.state.people.values()).email;
const changes = () => service.requests.filter(({ method }) => method !== 'GET');
const three = [1, 2, 3].map((n) => ({ json: { n, off: false } }));
const run = async (
	resource: string,
	operation: string,
	parameters: INodeParameters,
	options: Partial<RunOptions> = {},
) => await service.run(resource, operation, parameters, { items: three, ...options });

type Case = [resource: string, operation: string, parameters: () => INodeParameters];
const people = () => ({ recipientsFrom: 'emails', recipientEmails: email() });
const group = () => locator(first(service.emulator.state.recipientGroups.values())._id);
const members = () => ({
	recipientGroupId: group(),
	recipientEmails: email(),
	options: { reset: true },
});
const broadcast: Case = [
	'broadcast',
	'create',
	() => ({ title: 'T', message: 'M', status: 'live', ...people() }),
];
const campaign: Case = [
	'campaign',
	'create',
	() => ({ name: 'N', campaignDescription: 'D', status: 'live', ...people() }),
];
const channelId = () => locator(first(service.emulator.state.channels.values())._id);
const inChannel: Case = [
	'channel',
	'createBroadcast',
	() => ({ channelId: channelId(), title: 'T', message: 'M' }),
];
const campaignInChannel: Case = [
	'channel',
	'createCampaign',
	() => ({ channelId: channelId(), name: 'N', campaignDescription: 'D', status: 'live' }),
];
const launch: Case = ['survey', 'launch', () => ({ ...LAUNCH, ...people(), sendNow: true })];
const reset: Case = ['recipientGroup', 'addRecipients', members];
const draftId = '64f1c0ffee0000000000abcd';
const withFields = ([resource, operation, parameters]: Case, fields: INodeParameters): Case => [
	resource,
	operation,
	() => ({ ...parameters(), ...fields }),
];

const refused: Array<[string, Case]> = [
	['3 items would send the same broadcast to the same people', broadcast],
	['3 items would send the same campaign to the same people', campaign],
	['3 items would send the same broadcast to the same people', inChannel],
	['3 items would send the same campaign to the same people', campaignInChannel],
	['3 items would send the same survey to the same people', launch],
	[
		'2 items would send the same broadcast to the same people',
		withFields(broadcast, { title: '={{ $json.n === 1 ? "A" : "B" }}' }),
	],
	[
		`3 items would continue with the same draft "${draftId}"`,
		withFields(launch, { sendNow: false, options: { draftId } }),
	],
	['3 items would reset the same group, each undoing the one before', reset],
];

describe.each(refused)('%s', (message, [resource, operation, parameters]) => {
	const count = Number(message[0]);

	test('fails before anything is sent, and names the items', async () => {
		const { error } = await run(resource, operation, parameters());
		expect(error?.message).toBe(message);
		expect(error?.description).toContain(`${count} of 3 items are invalid, so no item was sent`);
		expect(error?.context.itemIndex).toBe(3 - count);
		expect(changes()).toEqual([]);
	});

	test('fails for each such item with On Error Continue', async () => {
		const { json } = await run(resource, operation, parameters(), {
			onError: 'continueRegularOutput',
		});
		expect(json.slice(-count)).toEqual(Array.from({ length: count }, () => ({ error: message })));
		expect(changes()).toHaveLength(3 - count);
	});

	test('Execute Once sends it once', async () => {
		await run(resource, operation, parameters(), { settings: { executeOnce: true } });
		expect(service.requests.length).toBeGreaterThan(0);
	});
});

const allowed: Array<[string, Case]> = [
	['equal drafts', withFields(broadcast, { status: 'draft' })],
	['equal drafts in a channel', withFields(campaignInChannel, { status: 'draft' })],
	['surveys that are not sent', withFields(launch, { sendNow: false })],
	['broadcasts with different titles', withFields(broadcast, { title: '={{ $json.n }}' })],
	[
		'campaigns with different recipients',
		withFields(campaign, {
			recipientEmails:
				'={{ $json.n === 1 ? "x@example.com" : $json.n === 2 ? "y@example.com" : "z@example.com" }}',
		}),
	],
	['additions without Reset', withFields(reset, { options: { reset: '={{ $json.off }}' } })],
];

test.each(allowed)('sends %s', async (_what, [resource, operation, parameters]) => {
	await run(resource, operation, parameters(), { onError: 'continueRegularOutput' });
	expect(changes().length).toBeGreaterThanOrEqual(3);
});

test('sends the same broadcast to different channels', async () => {
	const ids = [...service.emulator.state.channels.values()].map(({ _id }) => _id);
	const [resource, operation, parameters] = withFields(inChannel, {
		channelId: locator(`={{ ${JSON.stringify(ids)}[$json.n - 1] }}`),
	});
	const { error } = await run(resource, operation, parameters());
	expect(error).toBeUndefined();
	expect(changes()).toHaveLength(3);
});
