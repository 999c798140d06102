import { endpoint } from '../../shared/endpoint';
import { channelId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';

/** POST /int/v1/channel/:id/archive: gives the channel, its status now '3'. */
export const archive: Operation = {
	name: 'Archive',
	value: 'archive',
	action: 'Archive a channel',
	description: 'Put a channel away; Restore brings it back',
	routing: endpoint('POST', '/int/v1/channel/:channelId/archive'),
	fields: [channelId],
};
