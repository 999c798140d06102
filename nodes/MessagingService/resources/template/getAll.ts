import { categoryFilter, filters } from '../../fields/collections';
import { limit, list, returnAll } from '../../operations/list';
import type { Operation } from '../../operations/operation';
import { inOneAnswer } from '../../../shared/service/paging';

/** GET /int/v1/template */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'Get a list of campaign templates',
	routing: list('/int/v1/template', inOneAnswer),
	fields: [returnAll, limit, filters([categoryFilter])],
};
