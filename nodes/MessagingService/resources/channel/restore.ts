import { channelId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/** POST /int/v1/channel/:id/restore returns the channel, with status '1'. */
export const restore: Operation = {
	description: 'Restore an archived channel',
	endpoint: ['POST', '/int/v1/channel/:channelId/restore'],
	acceptsStatus: ['archived'],
	fields: [channelId],
};
