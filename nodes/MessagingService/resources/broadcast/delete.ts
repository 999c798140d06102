import type { Operation } from '../../engine/declaration';
import { deleted } from '../../engine/output';
import { broadcastId } from '../../fields/locators';

/** DELETE /int/v1/broadcast/:id deletes a draft, scheduled or closed broadcast. */
export const deleteBroadcast: Operation = {
	description:
		'Delete a broadcast that is a draft, scheduled or closed. To delete a live broadcast, close it first.',
	endpoint: ['DELETE', '/int/v1/broadcast/:broadcastId'],
	acceptsStatus: ['draft', 'scheduled', 'closed'],
	toItems: deleted,
	fields: [broadcastId],
};
