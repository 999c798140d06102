import { dataWithIds, endpoint } from '../../operations/endpoint';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** GET /int/v1/campaign/:id/report: how many people it reached, and how many read, liked and commented on it. */
export const getReport: Operation = {
	name: 'Get Report',
	value: 'getReport',
	action: 'Get the report of a campaign',
	description:
		'Get how many recipients a campaign reached, and how many read, liked and commented on it',
	routing: endpoint('GET', '/int/v1/campaign/:campaignId/report', { toItems: dataWithIds }),
	fields: [campaignId],
};
