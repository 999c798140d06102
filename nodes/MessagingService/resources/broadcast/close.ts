import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';

/** PUT /int/v1/broadcast/:id/close */
export const close: Operation = {
	name: 'Close',
	value: 'close',
	action: 'Close broadcast',
	description: 'Close a live broadcast, so that recipients can no longer open it',
	endpoint: ['PUT', '/int/v1/broadcast/:broadcastId/close'],
	takes: ['live'],
	fields: [broadcastId],
};
