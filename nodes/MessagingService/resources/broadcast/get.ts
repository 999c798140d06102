import { statusName } from '../../../shared/status';
import { broadcastId } from '../../fields/locators';
import { simpleRecord, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';

/** GET /int/v1/broadcast/:id */
export const get: Operation = {
	description: 'Retrieve a broadcast',
	endpoint: ['GET', '/int/v1/broadcast/:broadcastId'],
	...simplifiedBy(simpleRecord(statusName)),
	fields: [broadcastId, simplify],
};
