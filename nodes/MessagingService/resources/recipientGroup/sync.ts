import type { IExecuteFunctions } from 'n8n-workflow';

import { options } from '../../fields/collections';
import { recipientGroupId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { errorForAgent, isTool } from '../../runner/agentRouting';
import { failure } from '../../../shared/failure';
import { syncRecipientGroup } from './sync/syncRecipientGroup';
import { identifyBy } from './memberFields';

/** POST and DELETE /int/v1/recipientGroup/:id/recipients, for all input items in as few requests as possible. */
export const sync: Operation = {
	name: 'Sync',
	value: 'sync',
	action: 'Sync a recipient group with the input items',
	description:
		'Add all input items to a group, remove them from it, or make the group exactly these people',
	async execute() {
		if (!isTool(this.getNode())) return await syncRecipientGroup.call(this);
		return [[errorForAgent(notAsTool(this), 0)]];
	},
	async send(item) {
		throw notAsTool(item);
	},
	fields: [
		recipientGroupId,
		identifyBy,
		{
			displayName: 'Recipient',
			name: 'recipient',
			type: 'string',
			default: '={{ $json.email }}',
			placeholder: 'e.g. {{ $json.email }}',
			description:
				'The email address or the recipient ID, whichever Identify By chooses, taken from each input item',
			hint: 'Evaluated for each input item; all other parameters must be the same for all items',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{
					name: 'Add',
					value: 'add',
					description: 'Add these people; everybody else stays as they are',
				},
				{
					name: 'Mirror',
					value: 'mirror',
					description: 'Make the group exactly these people: add who is missing, remove all others',
				},
				{
					name: 'Remove',
					value: 'remove',
					description: 'Remove these people; everybody else stays as they are',
				},
			],
			default: 'add',
			description: 'What to do with the people of the input items',
		},
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: false,
			description: 'Whether to only report what would happen and leave the group as it is',
		},
		{
			displayName: 'Maximum Removal (%)',
			name: 'maxRemovalPercent',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100 },
			default: 20,
			description:
				'Mirror changes nothing when it would remove more than this share of the group. Protects against an incomplete list.',
			displayOptions: { show: { mode: ['mirror'] } },
		},
		options([
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{
						name: 'Each Recipient',
						value: 'perRecipient',
						description: 'An item for each input item with what became of it',
					},
					{
						name: 'Summary',
						value: 'summary',
						description: 'One item that counts what became of the input items',
					},
				],
				default: 'perRecipient',
			},
			{
				displayName: 'Recipients per Request',
				name: 'chunkSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description: 'How many recipients one request carries at most',
			},
			{
				displayName: 'Requests at Once',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 4,
				description: 'How many requests are sent at the same time at most',
			},
		]),
	],
};

/** A tool of an AI agent is called for one item, and mirrored with one the group would lose everybody else. */
function notAsTool(context: Pick<IExecuteFunctions, 'getNode'>): Error {
	return failure(context)(
		'Sync works on all input items of a workflow at once and cannot be used as a tool',
		'Use Recipient Group: Add Recipients, or Remove Recipients. Nothing was sent.',
	);
}
