import { endpoint } from '../../shared/endpoint';
import { broadcastId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';

/** GET /int/v1/broadcast/:id */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a broadcast',
	description: 'Get one broadcast',
	routing: endpoint('GET', '/int/v1/broadcast/:broadcastId'),
	fields: [broadcastId],
};
