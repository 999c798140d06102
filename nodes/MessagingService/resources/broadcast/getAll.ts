import { filters } from '../../shared/collections';
import { dateFilter, getMany, limit, returnAll, scopeFilter } from '../../shared/getMany';
import { liveDateFilters, scope } from '../../shared/listFilters';
import type { Operation } from '../../shared/operation';
import { byPreviousLastId } from '../../shared/paging';

/** GET /int/v1/broadcast: broadcasts created by or shared with the caller, newest first. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many broadcasts',
	description: 'Get a list of broadcasts, newest first',
	execute: getMany({
		path: '/int/v1/broadcast',
		read: byPreviousLastId,
		filters: { minLiveDate: dateFilter, maxLiveDate: dateFilter, scope: scopeFilter },
	}),
	fields: [returnAll, limit, filters([...liveDateFilters, scope])],
};
