import { options } from '../../fields/collections';
import { recipientGroupIdOrNew } from '../../fields/locators';
import type { Operation } from '../../engine/operation';
import { syncRecipientGroup } from './sync/syncRecipientGroup';
import { identifyBy } from './memberFields';

/** POST and DELETE /int/v1/recipientGroup/:id/recipients, for all input items in as few requests as possible. */
export const sync: Operation = {
	name: 'Sync',
	value: 'sync',
	action: 'Sync recipient group',
	description:
		'Add the people of all input items to groups, remove them, or make groups match the input exactly',
	builderHint:
		'Takes all input items in one run. Do not put this node into a loop, and start with dryRun on. The input has one item per person, with the email of the person. To sync one group per department, set Recipient Group to By Name, with an expression.',
	// A tool of an AI agent gets one item, and mirroring one item would remove everybody else.
	notAsTool: [
		'Sync works on all input items of a workflow at once and cannot be used as a tool',
		'Use Recipient Group: Add Recipients or Recipient Group: Remove Recipients instead. Nothing was sent.',
	],
	execute: syncRecipientGroup,
	fields: [
		recipientGroupIdOrNew,
		identifyBy,
		{
			displayName: 'Recipient',
			name: 'recipient',
			type: 'string',
			default: '={{ $json.email }}',
			placeholder: 'e.g. {{ $json.email }}',
			description: 'Email address or recipient ID of an input item, depending on "Identify By"',
			hint: 'This field and Recipient Group are evaluated for each input item, so items may name different groups. A group that no item names is not changed. All other fields must be the same for all items.',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{
					name: 'Add',
					value: 'add',
					description: 'Add these people and keep everybody else',
				},
				{
					name: 'Mirror',
					value: 'mirror',
					description:
						'Make the group match these people exactly: add missing people and remove all others',
				},
				{
					name: 'Remove',
					value: 'remove',
					description: 'Remove these people and keep everybody else',
				},
			],
			default: 'add',
			description: 'What to do with the people in the input items',
		},
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: false,
			description: 'Whether to only report what would happen, without changing a group',
		},
		{
			displayName: 'Maximum Removal (%)',
			name: 'maxRemovalPercent',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100 },
			default: 20,
			description:
				'If Mirror would remove more than this share of a group, it does not change the group. This protects against incomplete input. With several groups, removing one person from a group is allowed even above this share, unless the share is 0. If Mirror would remove more than this share of all groups together, it removes nobody.',
			displayOptions: { show: { mode: ['mirror'] } },
		},
		options([
			{
				displayName: 'Create Missing Groups',
				name: 'createMissingGroups',
				type: 'boolean',
				default: false,
				description:
					'Whether to create missing groups that are set By Name. If off, the items of a missing group fail.',
				displayOptions: { show: { '/mode': ['add', 'mirror'] } },
			},
			{
				displayName: 'Maximum New Groups',
				name: 'maxNewGroups',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description:
					'Maximum number of groups to create in one run. If more groups are missing, none is created and their items fail. This protects against an expression in Recipient Group that uses the wrong field.',
				displayOptions: { show: { '/mode': ['add', 'mirror'] } },
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{
						name: 'Each Recipient',
						value: 'perRecipient',
						description:
							'One item per input item, with its result. Mirror also outputs one item per member who is not in the input.',
					},
					{
						name: 'Summary',
						value: 'summary',
						description: 'One item per group with the counts of its results',
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
				description: 'Maximum number of recipients per request',
			},
			{
				displayName: 'Remove Despite Invalid',
				name: 'removeDespiteInvalid',
				type: 'boolean',
				default: false,
				description:
					'Whether Mirror removes people even if items have invalid addresses. If off, one invalid address prevents all removals.',
				displayOptions: { show: { '/mode': ['mirror'] } },
			},
			{
				displayName: 'Requests at Once',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 4,
				description: 'Maximum number of concurrent requests',
			},
		]),
	],
};
