import { endpoint } from '../../operations/endpoint';
import { channelId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { permissions } from '../../fields/permissions';
import { user } from './user';

/** PUT /int/v1/channel/:id/manager; its answer holds no data. */
export const set: Operation = {
	name: 'Set',
	value: 'set',
	action: 'Set a channel manager',
	description: 'Make a user a manager of a channel, or change what a manager may do',
	routing: endpoint('PUT', '/int/v1/channel/:channelId/manager', { alsoNames: ['user'] }),
	fields: [channelId, user, permissions],
};
