import { limit, list, returnAll } from '../../operations/list';
import { conditionsFilters } from '../../fields/listFilters';
import { channelId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { bySkip } from '../../../shared/service/paging';

/** GET /int/v1/channel/:id/managerGroup */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channel manager groups',
	description: 'Get a list of the groups that manage a channel, with their permissions',
	routing: list('/int/v1/channel/:channelId/managerGroup', bySkip),
	fields: [channelId, returnAll, limit, conditionsFilters],
};
