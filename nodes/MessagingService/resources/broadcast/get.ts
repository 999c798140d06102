import { statusName } from '../../../shared/campaignStatus';
import { validateBeforeSend, endpoint } from '../../operations/endpoint';
import { broadcastId } from '../../fields/locators';
import { simplifiedData, simplify, wantsSimple } from '../../fields/simplify';
import type { Operation } from '../../operations/operation';

/** GET /int/v1/broadcast/:id */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a broadcast',
	description: 'Get one broadcast',
	routing: endpoint('GET', '/int/v1/broadcast/:broadcastId', {
		preSend: [validateBeforeSend(wantsSimple)],
		toItems: simplifiedData(statusName),
	}),
	fields: [broadcastId, simplify],
};
