import type { INodeProperties } from 'n8n-workflow';

import {
	choices,
	numberField,
	optionsField,
	stringField,
	switchedOff,
} from '../../shared/fieldTypes';

const modes = choices({
	add: 'Add these people and keep everybody else',
	mirror:
		'Make the group or channel match these people exactly: add missing people and remove all others',
	remove: 'Remove these people and keep everybody else',
});

const outputs = choices({
	perRecipient: [
		'Each Recipient',
		'One item per input item, with its result. Mirror also outputs one item per member who is not in the input.',
	],
	summary: 'One item per group or channel with the counts of its results',
});

/** The parameters of a sync: whom to sync, and how. Both resources use the same objects, which the engine evaluates once. */
export const syncFields: INodeProperties[] = [
	stringField(
		'recipient',
		'Email address or recipient ID of an input item, depending on "Identify By"',
		{
			required: true,
			placeholder: '{{ $json.email }}',
			hint: 'This field and the group or channel are evaluated for each input item, so items may name different ones. What no item names is not changed. All other fields must be the same for all items.',
		},
	),
	optionsField('mode', modes, 'add', 'What to do with the people in the input items'),
	switchedOff('dryRun', 'Whether to only report what would happen, without changing anything'),
	numberField(
		'maxRemovalPercent',
		20,
		'If Mirror would remove more than this share of a group or channel, it does not change it. This protects against incomplete input. If the share is above 0, removing one person is always allowed. If Mirror would remove more than this share of all of them together, it changes none that would lose people.',
		0,
		{
			typeOptions: { minValue: 0, maxValue: 100 },
			displayOptions: { show: { mode: ['mirror'] } },
		},
	),
];

/** The options of a sync that groups and channels share. */
export const syncOptions: INodeProperties[] = [
	optionsField('output', outputs, 'perRecipient', ''),
	numberField('chunkSize', 500, 'Maximum number of recipients per request', 1),
	switchedOff(
		'removeDespiteInvalid',
		'Whether Mirror removes people even if an address cannot be read, or the service shows nobody for it. If this is off, a single address of this kind prevents all removals. Blank addresses never prevent removals.',
		{ displayOptions: { show: { '/mode': ['mirror'] } } },
	),
];
