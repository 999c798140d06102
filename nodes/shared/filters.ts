import type { IDataObject } from 'n8n-workflow';

import type { FieldInfo } from './field';
import { choices, loadedField, optionsField } from './fieldTypes';
import { hasNoResult, isBlank, isExpression, toChoice } from './values';

/**
 * Whether a filter that was added is not blank. Warns if it is blank because an expression returned a blank text.
 *
 * @param saved the parameter as it is saved, for example `={{ $json.status }}`
 * @param warn logs a warning
 * @throws if an expression has no result, because the list would have everything
 */
export function filterApplies(
	value: unknown,
	saved: unknown,
	field: FieldInfo,
	warn: (message: string) => void,
): boolean {
	if (!isBlank(value)) return true;
	if (hasNoResult(value, saved)) throw missingFilterValueError(field);
	if (isExpression(saved)) warn(`${field.label} is empty, so it does not filter the list`);
	return false;
}

/** Returns the error for a filter whose expression has no result. */
export function missingFilterValueError({ label, fail }: FieldInfo): Error {
	return fail(
		`${label} has no value`,
		'Remove the filter, or check the expression. Without the filter, everything would be listed.',
	);
}

/**
 * Converts a scope to the query: "all" → `{ all: 'true' }`, "mine" → `{}` (campaign.getAll in emulator/openapi.yaml).
 *
 * @throws for any other value (`toChoice`)
 */
export function toScopeQuery(value: unknown, field: FieldInfo): IDataObject {
	const chosen = toChoice(value, ['mine', 'all', 'onlyApi'], field);
	return chosen === 'mine' ? {} : { [chosen]: 'true' };
}

/**
 * The filter Scope: whose records to list. All values share one parameter, because `all` and `onlyApi` exclude each other
 * (campaign.getAll in emulator/openapi.yaml).
 */
export const scope = optionsField(
	'scope',
	choices({
		all: 'Everything on the platform. Only Super Users (a role in the service) can list it.',
		mine: 'What the owner of the access key created, and what is shared with the owner',
		onlyApi: ['Only API', 'What was created through the API'],
	}),
	'mine',
	'Which campaigns or broadcasts to list',
);

/** The filter Category: only records of one category (campaign.getAll, template.getAll in emulator/openapi.yaml). */
export const category = loadedField(
	'options',
	'category',
	'Category',
	'getCategories',
	'Only campaigns or templates in this category.',
);
