import { choices, optionsField, stringField, textArea } from '../../../shared/fieldTypes';
import { campaignId } from '../../fields/locators';
import { fieldsIn } from '../../../shared/values';
import type { Operation } from '../../engine/declaration';
import { outputItems, recordOrSuccess } from '../../engine/output';
import { callApi } from '../../engine/sendItem';
import { atLeastOneField, updateFields } from '../../fields/collections';
import { sendingNotice, updateMayReplace } from '../../fields/notice';
import { categoriesAsText, campaignContentFields } from './campaignContent';
import { checkRecipients, goLiveClaim } from './goLive';

/** The allowed new status of a campaign (campaign.update in emulator/openapi.yaml). */
const newStatus = optionsField(
	'status',
	choices({ live: '' }),
	'live',
	'If the campaign is a draft or scheduled, adding this field sends the campaign right away',
);

/** PUT /int/v1/campaign/:id updates the given fields. Status `live` sends a draft or scheduled campaign. */
export const update: Operation = {
	description: 'Update a campaign, and optionally send it',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId'],
	checks: [atLeastOneField],
	async send(item, request, ids) {
		if (fieldsIn(request.body).status === 'live') await checkRecipients(item, request.url);
		return outputItems([recordOrSuccess(await callApi(item, request), ids)]);
	},
	claim: goLiveClaim,
	sends: sendingNotice(
		'Live: the campaign goes out to all its recipients',
		{ '/updateFields.status': ['live'] },
		' Only a draft or scheduled campaign can be sent.',
	),
	fields: [
		campaignId,
		updateFields([
			stringField('name', "Name of the campaign in the console (the service's website)"),
			textArea(
				'description',
				'What the campaign is about. Add this field if the service responds "description is mandatory".',
			),
			...campaignContentFields('clear'),
			newStatus,
		]),
		categoriesAsText,
		updateMayReplace(' Add "Status" only to send the campaign.'),
	],
};
