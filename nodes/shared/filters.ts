import type { IDataObject } from 'n8n-workflow';

import type { Field } from './field';
import { choices, loadedField, optionsField } from './fieldTypes';
import { hasNoResult, isBlank, isExpression, toChoice } from './values';

/**
 * Checks a filter that was added. Warns if an expression returned a blank text.
 *
 * @param saved the parameter as it is saved
 * @returns whether the filter applies: a blank filter does not
 * @throws if an expression has no result, because the list would have everything
 */
export function checkFilter(
	value: unknown,
	saved: unknown,
	{ label, fail }: Field,
	warn: (message: string) => void,
): boolean {
	if (!isBlank(value)) return true;
	if (hasNoResult(value, saved)) throw noFilterValue({ label, fail });
	if (isExpression(saved)) warn(`${label} is empty, so it does not filter the list`);
	return false;
}

/** Returns the error for a filter whose expression has no result. */
export function noFilterValue({ label, fail }: Pick<Field, 'label' | 'fail'>): Error {
	return fail(
		`${label} has no value`,
		'Remove the filter, or check the expression. Without the filter, everything would be listed.',
	);
}

/** Converts a scope to a query parameter: `all`, `onlyApi` or none (campaign.getAll in emulator/openapi.yaml). */
export function toScopeQuery(value: unknown, field: Field): IDataObject {
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
