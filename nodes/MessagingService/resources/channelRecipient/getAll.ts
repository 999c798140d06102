import { conditionsFilter, getMany, limit, returnAll } from '../../shared/getMany';
import { conditionsFilters } from '../../shared/listFilters';
import { channelId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { bySkip } from '../../shared/paging';

/** GET /int/v1/channel/:id/recipient */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channel recipients',
	description: 'Get a list of the recipients of a channel',
	execute: getMany({
		path: '/int/v1/channel/:channelId/recipient',
		read: bySkip,
		filters: { conditions: conditionsFilter },
	}),
	fields: [channelId, returnAll, limit, conditionsFilters],
};
