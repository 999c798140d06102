import type { IDataObject } from 'n8n-workflow';

import type { Field } from './field';
import { loadedField, optionsField } from './fieldTypes';
import { toChoice, toJsonObject, toSwitch, toText, toUtcTimestamp } from './values';

/** Converts the value of a filter into query parameters; a blank value adds none. */
export type Filter = (value: unknown, field: Field, name: string) => IDataObject;

/** A filter with a text. */
export const textFilter: Filter = (value, field, name) => {
	const text = toText(value, field).trim();
	return text === '' ? {} : { [name]: text };
};

/** A filter with a date and time. */
export const dateFilter: Filter = (value, field, name) => {
	const timestamp = toUtcTimestamp(value, field);
	return timestamp === undefined ? {} : { [name]: timestamp };
};

/** A filter with a switch, as the text that the service expects: `true` or `false`. */
export const switchFilter: Filter = (value, field, name) => ({
	[name]: String(toSwitch(value, field)),
});

/** A filter with one of the listed values; throws if the value is empty or not listed. */
export const choiceFilter =
	(listed: readonly string[]): Filter =>
	(value, field, name) => ({ [name]: toChoice(value, listed, field) });

/** A filter with conditions, JSON-encoded (channelRecipient.getAll in emulator/openapi.yaml). */
export const conditionsFilter: Filter = (value, field, name) => {
	const conditions = toJsonObject(value, field);
	if (conditions === undefined) return {};
	// Keeps the text as typed, because JavaScript would round large numbers.
	return { [name]: typeof value === 'string' ? value.trim() : JSON.stringify(conditions) };
};

/** One choice for the two mutually exclusive parameters `all` and `onlyApi` (campaign.getAll in emulator/openapi.yaml). */
export const scopeFilter: Filter = (value, field) => {
	const scope = toChoice(value, ['mine', 'all', 'onlyApi'], field);
	return scope === 'mine' ? {} : { [scope]: 'true' };
};

/**
 * Selects whose records to list. All values share one parameter, because `all` and `onlyApi` exclude each other
 * (campaign.getAll in emulator/openapi.yaml).
 */
export const scope = optionsField(
	'scope',
	[
		{ name: 'All', value: 'all', description: 'Everything on the platform (Super Users only)' },
		{
			name: 'Mine',
			value: 'mine',
			description: 'Created by or shared with the credential’s owner',
		},
		{ name: 'Only API', value: 'onlyApi', description: 'Only records created through the API' },
	],
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
