import { limit, list, returnAll } from '../../operations/list';
import { conditionsFilters } from '../../fields/listFilters';
import { channelId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { bySkip } from '../../../shared/service/paging';

/** GET /int/v1/channel/:id/recipient */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channel recipients',
	description: 'Get a list of the recipients of a channel',
	routing: list('/int/v1/channel/:channelId/recipient', bySkip),
	fields: [channelId, returnAll, limit, conditionsFilters],
};
