import { broadcastId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/** PUT /int/v1/broadcast/:id can only change the status, and only to 'draft'. */
export const update: Operation = {
	name: 'Return to Draft',
	action: 'Return broadcast to draft',
	description: 'Cancel a scheduled broadcast and keep it as a draft (status 0 in the output)',
	endpoint: ['PUT', '/int/v1/broadcast/:broadcastId'],
	acceptsStatus: ['scheduled'],
	body: { status: 'draft' },
	fields: [broadcastId],
};
