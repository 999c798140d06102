import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { fieldLabel } from './field';

/** Further properties of a field, and those that differ from the rule. */
type Details = Partial<INodeProperties>;

/** Declares a text field. As with all these functions, the label follows from the name (`fieldLabel`). */
export function stringField(name: string, description: string, details?: Details): INodeProperties {
	const displayName = fieldLabel(name);
	return { displayName, name, type: 'string', default: '', description, ...details };
}

/** Declares a text field with several lines. */
export function textArea(name: string, description: string, details?: Details): INodeProperties {
	return stringField(name, description, { typeOptions: { rows: 3 }, ...details });
}

/** Declares a switch. It is on as soon as it is added to a collection, because that is why users add it. */
export function booleanField(
	name: string,
	description: string,
	details?: Details,
): INodeProperties {
	return stringField(name, description, { type: 'boolean', default: true, ...details });
}

/** Declares a field with a number. @param minValue the smallest number, if there is one */
export function numberField(
	name: string,
	standard: number,
	description: string,
	minValue?: number,
	details?: Details,
): INodeProperties {
	const limits = minValue === undefined ? {} : { typeOptions: { minValue } };
	return stringField(name, description, {
		...{ type: 'number', default: standard, ...limits, ...details },
	});
}

/** Declares a drop-down list. @param standard the value that is selected at first */
export function optionsField(
	name: string,
	options: INodePropertyOptions[],
	standard: string,
	description: string,
	details?: Details,
): INodeProperties {
	const property = { type: 'options', options, default: standard } as const;
	return stringField(name, description, { ...property, ...details });
}

/**
 * Declares a drop-down list that n8n loads from the service, in the words that n8n prescribes for such a list.
 *
 * @param type `multiOptions` if several entries can be selected
 * @param record what the list shows, for the label: "Template" becomes "Template Name or ID"
 * @param description sentences before n8n's own
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
	return stringField(name, description === '' ? choose : `${description} ${choose}.`, {
		displayName: `${record} ${isOne ? 'Name or ID' : 'Names or IDs'}`,
		type,
		typeOptions: { loadOptionsMethod },
		default: isOne ? '' : [],
		...details,
	});
}
