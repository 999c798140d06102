import { statusName } from '../../../shared/status';
import { filters } from '../../fields/collections';
import { limit, list, returnAll } from '../../engine/list';
import { liveDateFilters, scopeOfList } from '../../fields/listFilters';
import { simpleRecord, simplified, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';
import { broadcasts } from '../../../shared/lists/lists';

/** GET /int/v1/broadcast: broadcasts created by or shared with the caller, newest first. */
export const getAll: Operation = {
	description: 'Retrieve a list of broadcasts, newest first',
	...list(broadcasts, simplified(simpleRecord(statusName))),
	fields: [returnAll, limit, simplify, filters([...liveDateFilters, scopeOfList])],
};
