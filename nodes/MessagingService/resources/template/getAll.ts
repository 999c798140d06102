import { categoryFilter, filters } from '../../fields/collections';
import { getMany, limit, returnAll } from '../../operations/list';
import { textFilter } from '../../../shared/filters';
import type { Operation } from '../../operations/operation';
import { inOneAnswer } from '../../../shared/service/paging';

/** GET /int/v1/template */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'Get a list of campaign templates',
	execute: getMany({
		path: '/int/v1/template',
		read: inOneAnswer,
		filters: { category: textFilter },
	}),
	fields: [returnAll, limit, filters([categoryFilter])],
};
