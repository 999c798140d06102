import { endpoint } from '../../shared/endpoint';
import { broadcastId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';

/** PUT /int/v1/broadcast/:id/close */
export const close: Operation = {
	name: 'Close',
	value: 'close',
	action: 'Close a broadcast',
	description: 'End a live broadcast; recipients can no longer open it',
	routing: endpoint('PUT', '/int/v1/broadcast/:broadcastId/close'),
	fields: [broadcastId],
};
