import type { Operation } from '../../engine/declaration';
import { dataWithIds } from '../../engine/output';
import { campaignId } from '../../fields/locators';

/** GET /int/v1/campaign/:id/report: the number of recipients, reads, likes and comments. */
export const getReport: Operation = {
	action: 'Get campaign report',
	description: 'Retrieve the number of recipients, reads, likes and comments of a campaign',
	endpoint: ['GET', '/int/v1/campaign/:campaignId/report'],
	acceptsStatus: ['live', 'closed'],
	toItems: dataWithIds,
	fields: [campaignId],
};
