import { statusName } from '../../../shared/campaignStatus';
import { validateBeforeSend, endpoint } from '../../operations/endpoint';
import { campaignId } from '../../fields/locators';
import { simplifiedData, simplify, wantsSimple } from '../../fields/simplify';
import type { Operation } from '../../operations/operation';

/** GET /int/v1/campaign/:id */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a campaign',
	description: 'Get one campaign',
	routing: endpoint('GET', '/int/v1/campaign/:campaignId', {
		preSend: [validateBeforeSend(wantsSimple)],
		toItems: simplifiedData(statusName),
	}),
	fields: [campaignId, simplify],
};
