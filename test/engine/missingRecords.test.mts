import type { INodeParameters } from 'n8n-workflow';
import { inMemory } from '../kit/binary.mts';
import { locator } from '../kit/engine.mts';
import { LAUNCH } from '../kit/questions.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const ID = '64f1c0ffee00000000000bad';
const campaignId = locator(ID);
const broadcastId = locator(ID);
const recipientGroupId = locator(ID);
const draft = () => service.emulator.state.addCampaign({ name: 'Draft', status: '0' })._id;
const someone = { recipientsFrom: 'emails', recipientEmails: 'ada@example.com' };
const addRecipients = ['campaign.addRecipients', { campaignId, ...someone }] as const;

describe('the error names the record that the service does not find', () => {
	test.each([
		['campaign.get', { campaignId }, 'Campaign', 'Not Found'],
		['campaign.getReport', { campaignId }, 'Campaign', 'Not Found'],
		['campaign.send', { campaignId }, 'Campaign', 'Not Found'],
		['survey.getResponses', { campaignId }, 'Survey', 'Not Found'],
		['broadcast.get', { broadcastId }, 'Broadcast', 'Not Found'],
		['broadcast.delete', { broadcastId }, 'Broadcast', 'Broadcast not found'],
		['recipientGroup.get', { recipientGroupId }, 'Recipient group', 'Not Found'],
		['recipientGroup.delete', { recipientGroupId }, 'Recipient group', 'Object does not exist'],
	] as const)('%s', async (operation, parameters, kind, said) => {
		const { message, advice } = await service.failure(operation, parameters);
		expect(message).toBe(`${kind} "${ID}" was not found`);
		expect(advice).toMatch(new RegExp(`^The service says: ${said}\\. \\S`));
	});

	test('a record that was chosen from the list is named as it was chosen', async () => {
		const chosen = { ...campaignId, mode: 'list', cachedResultName: 'Pulse (live)' };
		const named = async (value: INodeParameters) =>
			(await service.failure('campaign.get', { campaignId: value })).message;
		expect(await named(chosen)).toBe(`Campaign "Pulse (live)" (${ID}) was not found`);
		// An expression replaces the value, but the locator keeps the old name.
		expect(await named({ ...chosen, value: `={{ "${ID}" }}` })).toBe(
			`Campaign "${ID}" was not found`,
		);
	});

	test.each<[string[], string]>([
		[[ID], `"${ID}"`],
		[['other', ID], `"other" or "${ID}"`],
	])(
		'the error names the recipient groups %j, and the draft of Launch',
		async (recipientGroups, named) => {
			const to = { recipientsFrom: 'groups', recipientGroups };
			for (const [operation, parameters] of [
				['campaign.addRecipients', { campaignId: locator(draft()) }],
				['broadcast.create', { title: 'Hello', message: 'All', status: 'draft' }],
				['survey.launch', LAUNCH],
			] as const) {
				const { message, advice } = await service.failure(operation, { ...parameters, ...to });
				expect(message).toBe(`Recipient group ${named} was not found`);
				expect(advice).toMatch(/^The service says: Object does not exist\. No recipient group/);
				if (operation === 'survey.launch')
					expect(advice).toContain('The survey was created as draft ');
			}
		},
	);

	test('the error of Launch names a missing draft', async () => {
		const { message, advice, sent } = await service.failure('survey.launch', {
			...LAUNCH,
			options: { draftId: ID },
		});
		expect(message).toBe(`Survey "${ID}" was not found`);
		expect(advice).toContain('The service says: Not Found.');
		expect(sent).toBe(1);
	});

	test('the error names a missing file and the campaign of the file', async () => {
		const { _id } = first(service.emulator.state.campaigns.values(), 'campaign');
		const file = { campaignId: locator(_id), fileId: locator(ID) };
		const items = [{ json: {}, binary: { data: inMemory(Buffer.from('x')) } }];
		for (const operation of ['get', 'replace']) {
			const { message } = await service.failure(`campaignFile.${operation}`, file, { items });
			expect(message).toBe(`File "${ID}" of campaign "${_id}" was not found`);
		}
	});

	test('the error names a missing channel after the message "Not Found", but not after "Invalid parameters"', async () => {
		const channel = { channelId: locator(ID) };
		service.emulator.faults.on('/channel/:id', { refuse: 'Not Found.' });
		const { message } = await service.failure('channel.get', channel);
		expect(message).toBe(`Channel "${ID}" was not found`);
		const documented = await service.failure('channel.get', channel);
		expect(documented.message).toBe('Invalid parameters');
	});
});

describe('the error keeps the message of the service', () => {
	test.each([
		['that may be about other records', { refuse: 'Not Found.' }, 'Not Found.'],
		[
			'that is about a recipient',
			{ status: 404, body: { success: false, message: 'Recipient not found' } },
			'Recipient not found',
		],
		[
			'but without one, after HTTP 404, names the record in the path of its request',
			{ status: 404, body: { success: false } },
			`Campaign "${ID}" was not found`,
		],
	])('an error of a change keeps a message %s', async (_what, fault, message) => {
		service.emulator.faults.on('PUT /campaign/:id/addRecipients', fault);
		expect(await service.failure(...addRecipients)).toMatchObject({ message });
	});

	test('an error of a list keeps its message', async () => {
		service.emulator.faults.on('/campaign', { refuse: 'Not Found.' });
		expect((await service.failure('campaign.getAll', {})).message).toBe('Not Found.');
	});
});
