import { choices, optionsField, stringField, textArea } from '../../../shared/fieldTypes';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';
import { atLeastOneField, updateFields } from '../../fields/collections';
import { sendingNotice, updateMayReplace } from '../../fields/notice';
import { categoriesAsText, campaignContentFields } from './campaignContent';

/** The allowed new status of a campaign (campaign.update in emulator/openapi.yaml). */
const newStatus = optionsField(
	'status',
	choices({ live: 'Send a draft or scheduled campaign to its recipients right away' }),
	'live',
	'Adding this field sends the campaign',
);

/** PUT /int/v1/campaign/:id updates the given fields. Status `live` sends a draft or scheduled campaign. */
export const update: Operation = {
	description: 'Update a campaign, or send a draft or scheduled campaign',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId'],
	checks: [atLeastOneField],
	sends: sendingNotice(
		'Live: the campaign goes out to all its recipients',
		{ '/updateFields.status': ['live'] },
		' Only a draft or scheduled campaign can be sent.',
	),
	fields: [
		campaignId,
		updateFields([
			stringField('name', 'Name in the console'),
			textArea(
				'description',
				'What the campaign is about. The service may refuse an update without a description ("description is mandatory").',
			),
			...campaignContentFields('clear'),
			newStatus,
		]),
		categoriesAsText,
		updateMayReplace,
	],
};
