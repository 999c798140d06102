import type { INodeProperties } from 'n8n-workflow';

import { fieldLabel } from '../../shared/field';
import {
	choices,
	numberField,
	optionsField,
	stringField,
	switchedOff,
} from '../../shared/fieldTypes';
import type { Container } from './types';

/** Returns the parameters of a sync that do not depend on the service: whom to sync, and how. */
export function syncFields({ word, idName }: Container): INodeProperties[] {
	const modes = choices({
		add: 'Add these people and keep everybody else',
		mirror: `Make the ${word} match these people exactly: add missing people and remove all others`,
		remove: 'Remove these people and keep everybody else',
	});
	return [
		stringField(
			'recipient',
			'Email address or recipient ID of an input item, depending on "Identify By"',
			{
				required: true,
				placeholder: '{{ $json.email }}',
				hint: `This field and ${fieldLabel(idName)} are evaluated for each input item, so items may name different ${word}s. A ${word} that no item names is not changed. All other fields must be the same for all items.`,
			},
		),
		optionsField('mode', modes, 'add', 'What to do with the people in the input items'),
		switchedOff('dryRun', `Whether to only report what would happen, without changing a ${word}`),
		numberField(
			'maxRemovalPercent',
			20,
			`If Mirror would remove more than this share of a ${word}, it does not change the ${word}. This protects against incomplete input. If the share is above 0, removing one person from a ${word} is always allowed. If Mirror would remove more than this share of all ${word}s together, it changes no ${word} that would lose people.`,
			0,
			{
				typeOptions: { minValue: 0, maxValue: 100 },
				displayOptions: { show: { mode: ['mirror'] } },
			},
		),
	];
}

/** Returns the options of a sync that do not depend on the service. */
export function syncOptions({ word }: Container): INodeProperties[] {
	const outputs = choices({
		perRecipient: [
			'Each Recipient',
			'One item per input item, with its result. Mirror also outputs one item per member who is not in the input.',
		],
		summary: `One item per ${word} with the counts of its results`,
	});
	return [
		optionsField('output', outputs, 'perRecipient', ''),
		numberField('chunkSize', 500, 'Maximum number of recipients per request', 1),
		switchedOff(
			'removeDespiteInvalid',
			'Whether Mirror removes people even if an address cannot be read, or the service shows nobody for it. If this is off, a single address of this kind prevents all removals. Blank addresses never prevent removals.',
			{ displayOptions: { show: { '/mode': ['mirror'] } } },
		),
	];
}
