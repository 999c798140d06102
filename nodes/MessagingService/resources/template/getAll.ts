import { categoryFilter, filters } from '../../shared/collections';
import { getMany, limit, returnAll, textFilter } from '../../shared/getMany';
import type { Operation } from '../../shared/operation';
import { inOneAnswer } from '../../shared/paging';

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
