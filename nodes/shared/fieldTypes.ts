import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

import { fieldLabel } from './field';

/** Further properties of a field. They replace the properties that the functions of this file set. */
type Details = Partial<INodeProperties>;

/** Declares a field. Its label follows from the name (`fieldLabel`). An empty description is left out. */
function field(
	name: string,
	type: NodePropertyTypes,
	standard: INodeProperties['default'],
	description: string,
	details?: Details,
): INodeProperties {
	const text = description === '' ? {} : { description };
	return { displayName: fieldLabel(name), name, type, default: standard, ...text, ...details };
}

/** Returns a function that declares a field of a type with a default value. */
const fieldOf =
	(type: NodePropertyTypes, standard: INodeProperties['default']) =>
	(name: string, description: string, details?: Details): INodeProperties =>
		field(name, type, standard, description, details);

/** Declares a text field. */
export const stringField = fieldOf('string', '');

/** Declares a text field with several lines. */
export const textArea: typeof stringField = (name, description, details) =>
	stringField(name, description, { typeOptions: { rows: 3 }, ...details });

/** Declares a switch that is on at first. Users add a switch to a collection in order to turn it on. */
export const booleanField = fieldOf('boolean', true);

/** Declares a switch that is off at first. */
export const switchedOff = fieldOf('boolean', false);

/** Declares a field with a date and time. */
export const dateField = fieldOf('dateTime', '');

/** Declares a field with a number. @param minValue the smallest number, if there is one */
export function numberField(
	name: string,
	standard: number,
	description: string,
	minValue?: number,
	details?: Details,
): INodeProperties {
	const limits = minValue === undefined ? {} : { typeOptions: { minValue } };
	return field(name, 'number', standard, description, { ...limits, ...details });
}

/** Declares a drop-down list. @param standard the value that is selected at first */
export function optionsField(
	name: string,
	options: INodePropertyOptions[],
	standard: string,
	description: string,
	details?: Details,
): INodeProperties {
	return field(name, 'options', standard, description, { options, ...details });
}

/**
 * Declares the options of a drop-down list: `{ draft: 'Not sent', id: ['ID'] }` becomes `[{ name: 'Draft', value: 'draft',
 * description: 'Not sent' }, { name: 'ID', value: 'id' }]`.
 *
 * @param entries by value: the description, or name and description if the name does not follow from the value
 *   (`fieldLabel`)
 */
export function choices(
	entries: Record<string, string | [name: string, description?: string]>,
): INodePropertyOptions[] {
	return Object.entries(entries).map(([value, entry]) => {
		const [name, description] = typeof entry === 'string' ? [fieldLabel(value), entry] : entry;
		return { name, value, ...(description && { description }) };
	});
}

/** Declares a collection: optional fields, which users add from a menu. */
export function collectionField(
	name: string,
	placeholder: string,
	fields: INodeProperties[],
	details?: Details,
): INodeProperties {
	return field(name, 'collection', {}, '', { placeholder, options: fields, ...details });
}

/** Declares a group of fields, or a list of groups. @param group name and label of one group */
export function groupField(
	name: string,
	description: string,
	[groupName, displayName]: [name: string, label: string],
	values: INodeProperties[],
	details?: Details,
): INodeProperties {
	const options = [{ displayName, name: groupName, values }];
	return field(name, 'fixedCollection', {}, description, { options, ...details });
}

/**
 * Declares a drop-down list that n8n loads from the service. The label and description have the wording that n8n
 * prescribes.
 *
 * @param type `multiOptions` if several entries can be selected
 * @param record what the list shows, for the label: "Template" becomes "Template Name or ID"
 * @param description sentences to show before n8n's own description
 */
export function loadedField(
	type: 'options' | 'multiOptions',
	name: string,
	record: string,
	loadOptionsMethod: string,
	description = '',
	details?: Details,
): INodeProperties {
	const isOne = type === 'options';
	const choose = `Choose from the list, or specify ${isOne ? 'an ID' : 'IDs'} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>`;
	return field(
		name,
		type,
		isOne ? '' : [],
		description === '' ? choose : `${description} ${choose}.`,
		{
			displayName: `${record} ${isOne ? 'Name or ID' : 'Names or IDs'}`,
			typeOptions: { loadOptionsMethod },
			...details,
		},
	);
}
