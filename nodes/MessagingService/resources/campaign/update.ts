import type { INodePropertyOptions } from 'n8n-workflow';

import { campaignId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';
import { atLeastOneField } from '../../engine/conversions';
import { updateFields } from '../../fields/collections';
import { sendsAtOnce, updateMayReplace } from '../../fields/notice';
import { categoriesAsText, contentFields } from './contentFields';

/** The allowed new status of a campaign (campaign.update in emulator/openapi.yaml). */
const becomes: INodePropertyOptions[] = [
	{
		name: 'Live',
		value: 'live',
		description: 'Send a draft or scheduled campaign to its recipients right away',
	},
];

/** PUT /int/v1/campaign/:id updates the given fields. Status `live` sends a draft or scheduled campaign. */
export const update: Operation = {
	action: 'Update campaign',
	description: 'Update a campaign, or send a draft or scheduled one',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId'],
	checks: [atLeastOneField],
	sends: sendsAtOnce(
		'Live: the campaign goes out to all its recipients',
		{ '/updateFields.status': ['live'] },
		' Only a draft or scheduled campaign can be sent.',
	),
	fields: [
		campaignId,
		updateFields([
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				description: 'Name in the console',
			},
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				description:
					'What the campaign is about. The service may refuse an update without a description ("description is mandatory").',
			},
			...contentFields('clear'),
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: becomes,
				default: 'live',
				description: 'Adding this field sends the campaign',
			},
		]),
		categoriesAsText,
		updateMayReplace,
	],
};
