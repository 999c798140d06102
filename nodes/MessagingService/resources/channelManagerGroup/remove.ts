import { channelId, groupId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/** DELETE /int/v1/channel/:id/managerGroup/:groupId. The response has no data. */
export const remove: Operation = {
	description: 'Remove a group of console users from the managers of a channel',
	endpoint: ['DELETE', '/int/v1/channel/:channelId/managerGroup/:groupId'],
	fields: [channelId, groupId],
};
