import { campaignId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/** PUT /int/v1/campaign/:id/close */
export const close: Operation = {
	description: 'Close a live campaign, so that recipients can no longer open it',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId/close'],
	acceptsStatus: ['live'],
	fields: [campaignId],
};
