import { conditionsFilter } from '../../../shared/filters';
import { getMany, limit, returnAll } from '../../operations/list';
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
	execute: getMany({
		path: '/int/v1/channel/:channelId/recipient',
		read: bySkip,
		filters: { conditions: conditionsFilter },
	}),
	fields: [channelId, returnAll, limit, conditionsFilters],
};
