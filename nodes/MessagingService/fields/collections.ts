import type { INodeProperties } from 'n8n-workflow';

import { category } from '../../shared/category';
import { textFilter } from '../../shared/filters';
import { inQuery } from '../operations/list';
import { sortedByName } from '../operations/operation';

/** What the API leaves optional when something is created. */
export const additionalFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: sortedByName(options),
});

/** What narrows a list. */
export const filters = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: sortedByName(options),
});

/** The filter by category, of campaigns and templates. */
export const categoryFilter: INodeProperties = {
	...category,
	routing: inQuery('category', textFilter),
};
