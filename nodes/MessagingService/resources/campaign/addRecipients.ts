import { campaignId } from '../../fields/locators';
import { sendingNotice } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { oneKindOfRequiredRecipients, requiredRecipientFields } from '../../fields/recipients';
import { warnOfEmptyGroups } from '../../fields/sending';

/** PUT /int/v1/campaign/:id/addRecipients */
export const addRecipients: Operation = {
	action: 'Add recipients to campaign',
	description: 'Add recipients to a campaign',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId/addRecipients'],
	checks: [oneKindOfRequiredRecipients, warnOfEmptyGroups],
	sends: sendingNotice('If the campaign is live (sent), the new recipients probably get it'),
	fields: [campaignId, ...requiredRecipientFields],
};
