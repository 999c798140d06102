import { channelStatusName } from '../../../shared/status';
import { limit, list, returnAll } from '../../engine/list';
import { simpleRecord, simplified, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';
import { channels } from '../../../shared/lists/lists';

/** GET /int/v1/channel: channels accessible to the caller, newest first, in one response. */
export const getAll: Operation = {
	description: 'Retrieve a list of the channels that you can access, newest first',
	...list(channels, simplified(simpleRecord(channelStatusName))),
	fields: [returnAll, limit, simplify],
};
