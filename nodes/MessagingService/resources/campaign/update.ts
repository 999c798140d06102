import { endpoint } from '../../operations/endpoint';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { sortedByName } from '../../operations/operation';
import { atLeastOneField, inBody, textInBody } from '../../operations/body';
import { contentFields } from './contentFields';

/** PUT /int/v1/campaign/:id: changes the given fields; status `live` sends a draft or scheduled campaign. */
export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a campaign',
	description: 'Change a campaign, or send a draft or scheduled one',
	routing: endpoint('PUT', '/int/v1/campaign/:campaignId', { preSend: [atLeastOneField] }),
	fields: [
		campaignId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'What to change; a text that is added and left empty is cleared',
			options: sortedByName([
				...contentFields('sendEmpty'),
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					description: 'What the campaign is about',
					routing: textInBody('description', 'sendEmpty'),
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: 'Name in the console',
					routing: textInBody('name', 'sendEmpty'),
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: [
						{
							name: 'Live',
							value: 'live',
							description:
								'Send it to its recipients at once; only for drafts and scheduled campaigns',
						},
					],
					default: 'live',
					description: 'Adding this field sends the campaign',
					routing: inBody('status'),
				},
			]),
		},
	],
};
