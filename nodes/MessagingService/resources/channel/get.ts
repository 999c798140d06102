import { channelId } from '../../fields/locators';
import { simplifyChannel, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/channel/:id */
export const get: Operation = {
	description: "Retrieve a channel. To see the channel's default settings, switch off Simplify.",
	endpoint: ['GET', '/int/v1/channel/:channelId'],
	...simplifiedBy(simplifyChannel),
	fields: [channelId, simplify],
};
