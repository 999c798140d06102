import { category } from '../../../shared/filters';
import { filters } from '../../fields/collections';
import { limit, list, returnAll } from '../../engine/list';
import type { Operation } from '../../engine/declaration';
import { templates } from '../../../shared/lists/lists';

/** GET /int/v1/template */
export const getAll: Operation = {
	description: 'Retrieve a list of campaign templates',
	...list(templates),
	fields: [returnAll, limit, filters([category])],
};
