import { campaignId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';

/** PUT /int/v1/campaign/:id/close */
export const close: Operation = {
	action: 'Close campaign',
	description: 'Close a live campaign, so that recipients can no longer open it',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId/close'],
	acceptsStatus: ['live'],
	fields: [campaignId],
};
