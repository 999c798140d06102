import type { INodePropertyOptions } from 'n8n-workflow';

import { endpoint } from '../../operations/endpoint';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { atLeastOneField, choiceInBody, textInBody } from '../../operations/body';
import { updateFields } from '../../fields/collections';
import { notice, updateMayReplace } from '../../fields/notice';
import { categoriesAsText, contentFields } from './contentFields';

/** What the status of a campaign can be changed to (campaign.update in emulator/openapi.yaml). */
const becomes: INodePropertyOptions[] = [
	{
		name: 'Live',
		value: 'live',
		description: 'Send it to its recipients at once; only for drafts and scheduled campaigns',
	},
];

/** PUT /int/v1/campaign/:id: changes the given fields; status `live` sends a draft or scheduled campaign. */
export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a campaign',
	description: 'Change a campaign, or send a draft or scheduled one',
	routing: endpoint('PUT', '/int/v1/campaign/:campaignId', { preSend: [atLeastOneField] }),
	fields: [
		campaignId,
		updateFields([
			...contentFields('sendEmpty'),
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				description:
					'What the campaign is about; the service may refuse an update without it ("description is mandatory")',
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
				options: becomes,
				default: 'live',
				description: 'Adding this field sends the campaign',
				routing: choiceInBody('status', becomes),
			},
		]),
		categoriesAsText,
		updateMayReplace,
		notice(
			'sendsAtOnce',
			'Live: the campaign goes out to all its recipients as soon as this runs, also when you only test the step, and cannot be taken back. It is for drafts and scheduled campaigns.',
			{ '/updateFields.status': ['live'] },
		),
	],
};
