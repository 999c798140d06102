import { endpoint } from '../../shared/endpoint';
import { campaignId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { oneKindOfRecipients, requiredRecipientFields } from '../../shared/recipients';

/** PUT /int/v1/campaign/:id/addRecipients */
export const addRecipients: Operation = {
	name: 'Add Recipients',
	value: 'addRecipients',
	action: 'Add recipients to a campaign',
	description: 'Add recipients to a campaign; a live one reaches them at once',
	routing: endpoint('PUT', '/int/v1/campaign/:campaignId/addRecipients', {
		preSend: [oneKindOfRecipients],
	}),
	fields: [campaignId, ...requiredRecipientFields],
};
