import { channelId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** POST /int/v1/channel/:id/restore: gives the channel, its status now '1' again. */
export const restore: Operation = {
	name: 'Restore',
	value: 'restore',
	action: 'Restore channel',
	description: 'Restore an archived channel',
	endpoint: ['POST', '/int/v1/channel/:channelId/restore'],
	takes: ['archived'],
	fields: [channelId],
};
