import { deleted, endpoint } from '../../operations/endpoint';
import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** DELETE /int/v1/broadcast/:id: a draft, scheduled or closed one. */
export const deleteBroadcast: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a broadcast',
	description: 'Delete a draft, scheduled or closed broadcast; close a live one first',
	routing: endpoint('DELETE', '/int/v1/broadcast/:broadcastId', { toItems: deleted }),
	fields: [broadcastId],
};
