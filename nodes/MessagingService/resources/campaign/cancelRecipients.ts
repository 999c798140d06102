import { emailList } from '../../fields/recipients';
import { campaignId } from '../../fields/locators';
import { toEmails } from '../../../shared/email';
import { inBody, required } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';

/**
 * PUT /int/v1/campaign/:id/cancelRecipients. The API allows a request without addresses, but does not document its
 * effect. So this operation requires at least one address.
 */
export const cancelRecipients: Operation = {
	action: 'Cancel recipients of campaign',
	description:
		'Remove people from the recipients of a campaign. The API does not document whether the campaign disappears for people who already have it.',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId/cancelRecipients'],
	fields: [
		campaignId,
		emailList(
			'Addresses of the people to remove, separated by commas, semicolons or new lines. An expression can also return a list.',
			{
				required: true,
				routing: inBody(
					'recipientEmails',
					required(
						toEmails,
						'Enter at least one address. Nothing was sent, because the API does not document the effect of an empty list.',
					),
				),
			},
		),
	],
};
