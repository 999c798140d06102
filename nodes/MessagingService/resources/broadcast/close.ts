import { endpoint } from '../../operations/endpoint';
import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** PUT /int/v1/broadcast/:id/close */
export const close: Operation = {
	name: 'Close',
	value: 'close',
	action: 'Close a broadcast',
	description: 'End a live broadcast; recipients can no longer open it',
	routing: endpoint('PUT', '/int/v1/broadcast/:broadcastId/close'),
	fields: [broadcastId],
};
