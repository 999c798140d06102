import { channelStatusName } from '../../../shared/channelStatus';
import { validateBeforeSend, endpoint } from '../../operations/endpoint';
import { channelId } from '../../fields/locators';
import { simplifiedData, simplify, wantsSimple } from '../../fields/simplify';
import type { Operation } from '../../operations/operation';

/** GET /int/v1/channel/:id */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a channel',
	description: 'Get one channel with its default settings',
	routing: endpoint('GET', '/int/v1/channel/:channelId', {
		preSend: [validateBeforeSend(wantsSimple)],
		toItems: simplifiedData(channelStatusName),
	}),
	fields: [channelId, simplify],
};
