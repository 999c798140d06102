import { channelId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/** POST /int/v1/channel/:id/archive returns the channel, with status '3'. */
export const archive: Operation = {
	description: 'Archive a channel. You can restore it later.',
	endpoint: ['POST', '/int/v1/channel/:channelId/archive'],
	acceptsStatus: ['active'],
	fields: [channelId],
};
