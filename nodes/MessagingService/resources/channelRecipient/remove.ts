import { channelId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';
import { people, atLeastOneSelection } from './people';

/** POST /int/v1/channel/:id/recipient/remove. The response has no data. */
export const remove: Operation = {
	action: 'Remove recipients from channel',
	description: 'Remove recipients from a channel',
	endpoint: ['POST', '/int/v1/channel/:channelId/recipient/remove'],
	checks: [atLeastOneSelection],
	fields: [channelId, ...people],
};
