import type { Operation } from '../../engine/declaration';
import { dataOrSuccessWith } from '../../engine/output';
import { channelId } from '../../fields/locators';
import { currentManager } from './user';

/** DELETE /int/v1/channel/:id/manager with a JSON body. The response has no data. */
export const remove: Operation = {
	description: 'Remove a user from the managers of a channel',
	endpoint: ['DELETE', '/int/v1/channel/:channelId/manager'],
	toItems: dataOrSuccessWith('user'),
	fields: [channelId, currentManager],
};
