import { conditionsFilter, getMany, limit, returnAll } from '../../shared/getMany';
import { conditionsFilters } from '../../shared/listFilters';
import { channelId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { bySkip } from '../../shared/paging';

/** GET /int/v1/channel/:id/manager */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channel managers',
	description: 'Get a list of the users who manage a channel, with their permissions',
	execute: getMany({
		path: '/int/v1/channel/:channelId/manager',
		read: bySkip,
		filters: { conditions: conditionsFilter },
	}),
	fields: [channelId, returnAll, limit, conditionsFilters],
};
