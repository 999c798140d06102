import { filters } from '../../fields/collections';
import { dateFilter, scopeFilter } from '../../../shared/filters';
import { getMany, limit, returnAll } from '../../operations/list';
import { liveDateFilters } from '../../fields/listFilters';
import type { Operation } from '../../operations/operation';
import { scope } from '../../../shared/scope';
import { byPreviousLastId } from '../../../shared/service/paging';

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
