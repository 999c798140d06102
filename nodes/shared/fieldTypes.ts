import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

import { fieldLabel } from './field';

/** Further properties of a field. They replace the properties that the functions of this file set. */
type Details = Partial<INodeProperties>;

/** Declares a field. Its label follows from the name (`fieldLabel`). For no description, pass ''. */
function field(
	name: string,
	type: NodePropertyTypes,
	initial: INodeProperties['default'],
	description: string,
	details?: Details,
): INodeProperties {
	const text = description === '' ? {} : { description };
	return { displayName: fieldLabel(name), name, type, default: initial, ...text, ...details };
}

/** Returns a function that declares fields of a type, all with the same default value. */
const fieldsOfType =
	(type: NodePropertyTypes, initial: INodeProperties['default']) =>
	(name: string, description: string, details?: Details): INodeProperties =>
		field(name, type, initial, description, details);

/** Declares a text field. */
export const stringField = fieldsOfType('string', '');

/** Declares a text field with several lines. */
export const textArea: typeof stringField = (name, description, details) =>
	stringField(name, description, { typeOptions: { rows: 3 }, ...details });

/** Declares a switch that is on at first. Users add a switch to a collection in order to turn it on. */
export const switchedOn = fieldsOfType('boolean', true);

/** Declares a switch that is off at first. */
export const switchedOff = fieldsOfType('boolean', false);

/** Declares a field with a date and time. */
export const dateField = fieldsOfType('dateTime', '');

/** Declares a field with a number. @param minValue the smallest number, if there is one */
export function numberField(
	name: string,
	initial: number,
	description: string,
	minValue?: number,
	details?: Details,
): INodeProperties {
	const limits = minValue === undefined ? {} : { typeOptions: { minValue } };
	return field(name, 'number', initial, description, { ...limits, ...details });
}

/** Declares a drop-down list. @param initial the value that is selected at first */
export function optionsField(
	name: string,
	options: INodePropertyOptions[],
	initial: string,
	description: string,
	details?: Details,
): INodeProperties {
	return field(name, 'options', initial, description, { options, ...details });
}

/**
 * Declares the options of a drop-down list: `{ draft: 'Not sent', id: ['ID'] }` becomes `[{ name: 'Draft', value:
 * 'draft', description: 'Not sent' }, { name: 'ID', value: 'id' }]`.
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

/** Returns the values of a drop-down's options. */
export function valuesOf(options: NonNullable<INodeProperties['options']>): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
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

/** Declares a form: fields that are entered together, once or several times. @param row name and label of one row */
export function fixedCollection(
	name: string,
	description: string,
	[rowName, rowLabel]: [name: string, label: string],
	values: INodeProperties[],
	details?: Details,
): INodeProperties {
	const options = [{ displayName: rowLabel, name: rowName, values }];
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
	const text = description === '' ? choose : `${description} ${choose}.`;
	const displayName = `${record} ${isOne ? 'Name or ID' : 'Names or IDs'}`;
	const typeOptions = { loadOptionsMethod };
	return field(name, type, isOne ? '' : [], text, { displayName, typeOptions, ...details });
}
