import type { Operation } from '../../engine/declaration';
import { dataOrSuccessWith } from '../../engine/output';
import { channelId } from '../../fields/locators';
import { permissions } from '../../fields/permissions';
import { user } from './user';

/** PUT /int/v1/channel/:id/manager. The response has no data. */
export const set: Operation = {
	description: "Add a user to the managers of a channel, or change a manager's permissions",
	endpoint: ['PUT', '/int/v1/channel/:channelId/manager'],
	toItems: dataOrSuccessWith('user'),
	fields: [channelId, user, permissions],
};
