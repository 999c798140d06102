import { statusName } from '../../../shared/status';
import { campaignId } from '../../fields/locators';
import { simpleRecord, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/campaign/:id */
export const get: Operation = {
	description: 'Retrieve a campaign',
	endpoint: ['GET', '/int/v1/campaign/:campaignId'],
	...simplifiedBy(simpleRecord(statusName)),
	fields: [campaignId, simplify],
};
