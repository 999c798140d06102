import { broadcastId } from '../../fields/locators';
import { simplifyMessage, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/broadcast/:id */
export const get: Operation = {
	description: 'Retrieve a broadcast',
	endpoint: ['GET', '/int/v1/broadcast/:broadcastId'],
	...simplifiedBy(simplifyMessage),
	fields: [broadcastId, simplify],
};
