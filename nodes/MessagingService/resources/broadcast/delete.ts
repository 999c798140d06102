import { deleted } from '../../engine/output';
import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';

/** DELETE /int/v1/broadcast/:id deletes a draft, scheduled or closed broadcast. */
export const deleteBroadcast: Operation = {
	action: 'Delete broadcast',
	description: 'Delete a draft, scheduled or closed broadcast. Close a live one first.',
	endpoint: ['DELETE', '/int/v1/broadcast/:broadcastId'],
	acceptsStatus: ['draft', 'scheduled', 'closed'],
	toItems: deleted,
	fields: [broadcastId],
};
