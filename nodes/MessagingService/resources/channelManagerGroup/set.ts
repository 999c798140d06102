import { endpoint, idInBody } from '../../operations/endpoint';
import { channelId, groupId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { permissions } from '../../fields/permissions';

/** PUT /int/v1/channel/:id/managerGroup, the group's id in the body; its answer holds no data. */
export const set: Operation = {
	name: 'Set',
	value: 'set',
	action: 'Set a channel manager group',
	description: 'Make a console user group manage a channel, or change what the group may do',
	routing: endpoint('PUT', '/int/v1/channel/:channelId/managerGroup', {
		preSend: [idInBody('groupId')],
		alsoNames: ['groupId'],
	}),
	fields: [channelId, groupId, permissions],
};
