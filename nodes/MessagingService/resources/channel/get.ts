import { channelId } from '../../fields/locators';
import { simplifyChannel, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/channel/:id */
export const get: Operation = {
	description:
		"Retrieve a channel. Status 1 probably means active. Switch off Simplify to see the channel's default settings for messages.",
	endpoint: ['GET', '/int/v1/channel/:channelId'],
	...simplifiedBy(simplifyChannel),
	fields: [channelId, simplify],
};
