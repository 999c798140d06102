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
	fields: [
		returnAll,
		limit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Category',
					name: 'category',
					type: 'string',
					default: '',
					placeholder: 'e.g. news',
					description: 'Code of one category; upper and lower case count',
				},
			],
		},
	],
};
