import { channelId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';
import { people, atLeastOneSelection } from './people';

/** POST /int/v1/channel/:id/recipient. The response has no data. */
export const add: Operation = {
	action: 'Add recipients to channel',
	description: 'Add recipients to a channel',
	endpoint: ['POST', '/int/v1/channel/:channelId/recipient'],
	checks: [atLeastOneSelection],
	fields: [channelId, ...people],
};
