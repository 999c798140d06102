import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/** PUT /int/v1/broadcast/:id/close */
export const close: Operation = {
	description: 'Close a live broadcast, so that recipients can no longer open it',
	endpoint: ['PUT', '/int/v1/broadcast/:broadcastId/close'],
	acceptsStatus: ['live'],
	fields: [broadcastId],
};
