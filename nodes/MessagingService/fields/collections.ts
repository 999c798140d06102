import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { category } from '../../shared/category';
import { textFilter } from '../../shared/filters';
import { isDataObject } from '../../shared/typeGuards';
import { inQuery } from '../operations/conversions';
import { sortedByName } from '../operations/properties';

/** What the API leaves optional when something is created. */
export const additionalFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: sortedByName(options),
});

/** What an update can change. */
export const updateFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'Fields to change. A field that you add and leave empty is cleared.',
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

/** Settings of the node itself, which no endpoint knows. */
export const options = (fields: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: sortedByName(fields),
});

/** The options that a builder added, as they were given. */
export function addedOptions(item: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): IDataObject {
	const added: unknown = item.getNodeParameter('options', {});
	return isDataObject(added) ? added : {};
}

/** The filter by category, of campaigns and templates. */
export const categoryFilter: INodeProperties = {
	...category,
	routing: inQuery('category', textFilter),
};
