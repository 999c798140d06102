import type { IDataObject } from 'n8n-workflow';

import type { Field } from './field';
import { choices, loadedField, optionsField } from './fieldTypes';
import { toChoice } from './values';

/** Converts a scope to a query parameter: `all`, `onlyApi` or none (campaign.getAll in emulator/openapi.yaml). */
export function scopeFilter(value: unknown, field: Field): IDataObject {
	const chosen = toChoice(value, ['mine', 'all', 'onlyApi'], field);
	return chosen === 'mine' ? {} : { [chosen]: 'true' };
}

/**
 * Selects whose records to list. All values share one parameter, because `all` and `onlyApi` exclude each other
 * (campaign.getAll in emulator/openapi.yaml).
 */
export const scope = optionsField(
	'scope',
	choices({
		all: 'Everything on the platform (Super Users only)',
		mine: 'Created by or shared with the credential’s owner',
		onlyApi: ['Only API', 'Only records created through the API'],
	}),
	'mine',
	'Whose records to list',
);

/** Filters a list by one category (campaign.getAll, template.getAll in emulator/openapi.yaml). */
export const category = loadedField(
	'options',
	'category',
	'Category',
	'getCategories',
	'Only records in this category. The list has the categories of your templates and campaigns.',
);
