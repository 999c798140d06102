import { channelId } from '../../fields/locators';
import { simplifyChannel, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/channel/:id */
export const get: Operation = {
	description:
		'Retrieve a channel. Status 1 probably means active. To see the default settings of its messages, switch off Simplify.',
	endpoint: ['GET', '/int/v1/channel/:channelId'],
	...simplifiedBy(simplifyChannel),
	fields: [channelId, simplify],
};
