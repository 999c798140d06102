import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** PUT /int/v1/broadcast/:id/close */
export const close: Operation = {
	name: 'Close',
	value: 'close',
	action: 'Close a broadcast',
	description: 'End a live broadcast; recipients can no longer open it',
	endpoint: ['PUT', '/int/v1/broadcast/:broadcastId/close'],
	takes: ['live'],
	fields: [broadcastId],
};
