import { campaignId } from '../../fields/locators';
import { simplifyMessage, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/campaign/:id */
export const get: Operation = {
	description: 'Retrieve a campaign',
	endpoint: ['GET', '/int/v1/campaign/:campaignId'],
	...simplifiedBy(simplifyMessage),
	fields: [campaignId, simplify],
};
