import { endpoint } from '../../shared/endpoint';
import { channelId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { permissions } from '../../shared/permissions';
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
