import { endpoint } from '../../operations/endpoint';
import { channelId } from '../../fields/locators';
import { updateMayReplace } from '../../fields/notice';
import type { Operation } from '../../operations/operation';
import { sortedByName } from '../../operations/operation';
import { atLeastOneField } from '../../operations/body';
import { channelFields, channelName } from './channelFields';

/** PUT /int/v1/channel/:id: changes the given fields and gives the channel. */
export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a channel',
	description: 'Change a channel and its default settings',
	routing: endpoint('PUT', '/int/v1/channel/:channelId', { preSend: [atLeastOneField] }),
	fields: [
		channelId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'What to change; a text that is added and left empty is cleared',
			options: sortedByName([...channelFields('sendEmpty'), channelName('sendEmpty')]),
		},
		updateMayReplace,
	],
};
