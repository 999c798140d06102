import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { Item } from './item';
import type { Fail } from '../../shared/failure';
import { fieldAt, fieldLabel, type Field } from '../../shared/field';
import {
	choiceFilter,
	conditionsFilter,
	dateFilter,
	switchFilter,
	textFilter,
	type Filter,
} from '../../shared/filters';
import {
	isBlank,
	isDataObject,
	toChoice,
	toJson,
	toList,
	toSwitch,
	toText,
} from '../../shared/values';
import type { Check } from './operation';

/**
 * How to send a field that the user added and left empty: create omits it, update sends it empty to clear the old value
 * (docs/conventions.md).
 */
export type WhenEmptied = 'omit' | 'clear';

/** The options of a drop-down. */
type Choices = NonNullable<INodeProperties['options']>;

/**
 * Returns the default conversion that sends a field in the JSON body. It depends on the type of the field.
 *
 * @param property the property of the body to set; `defaults.template` sets `template` in the object `defaults`
 */
export function fieldInBody(
	{ name, type, options = [] }: INodeProperties,
	whenEmptied: WhenEmptied,
	property = name,
): Conversion {
	if (type === 'boolean') return switchInBody(property);
	if (type === 'json') return jsonTextInBody(property, whenEmptied);
	if (type === 'multiOptions') return listInBody(property, whenEmptied);
	return options.length > 0 ? choiceInBody(property, options) : textInBody(property, whenEmptied);
}

/** Returns the default conversion that sends a filter in the query. It depends on the type of the filter. */
export function fieldInQuery({ name, type, options = [] }: INodeProperties): Conversion {
	if (type === 'boolean') return inQuery(name, switchFilter);
	if (type === 'dateTime') return inQuery(name, dateFilter);
	if (type === 'json') return inQuery(name, conditionsFilter);
	return inQuery(name, options.length > 0 ? choiceFilter(valuesOf(options)) : textFilter);
}

/** Returns a conversion that sends a switch as a boolean. A value that is neither on nor off fails before sending. */
export function switchInBody(property: string): Conversion {
	return convertedInBody(property, toSwitch);
}

/** Returns a conversion that sends a choice in the JSON body. A value that is not an option fails before sending. */
export function choiceInBody(property: string, options: Choices): Conversion {
	const listed = valuesOf(options);
	return convertedInBody(property, (value, field) => toChoice(value, listed, field));
}

/** Returns the values of a drop-down's options. */
export function valuesOf(options: Choices): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}

/** Returns a conversion that sends a text in the JSON body. */
export function textInBody(property: string, whenEmptied: WhenEmptied): Conversion {
	return convertedInBody(property, (value, field) => {
		if (!isBlank(value)) return toText(value, field);
		return whenEmptied === 'clear' ? '' : undefined;
	});
}

/** Returns a conversion that sends a required text. An empty text fails before sending. */
export function requiredTextInBody(property: string): Conversion {
	return convertedInBody(property, (value, field) => {
		if (isBlank(value))
			throw field.fail(
				`${field.label} is empty`,
				'The service requires this field. Enter a text, or check the expression.',
			);
		return toText(value, field);
	});
}

/**
 * Returns a conversion that sends a list in the JSON body as an array.
 *
 * @param read converts the value into a list
 */
export function listInBody(
	property: string,
	whenEmptied: WhenEmptied,
	read: (value: unknown, field: Field) => unknown[] = toList,
): Conversion {
	return convertedInBody(property, (value, field) => {
		const list = read(value, field);
		return list.length > 0 || whenEmptied === 'clear' ? list : undefined;
	});
}

/**
 * Returns a conversion that sends a list. An empty list fails before sending.
 *
 * @param whyNot the description of the error for an empty list
 */
export function requiredListInBody(property: string, whyNot: string): Conversion {
	return convertedInBody(property, (value, field) => {
		const list = toList(value, field);
		if (list.length === 0) throw field.fail(`${field.label} is empty`, whyNot);
		return list;
	});
}

/**
 * Returns a conversion that sends JSON as text, the form in which the service expects template data. Invalid JSON fails
 * before sending.
 */
export function jsonTextInBody(property: string, whenEmptied: WhenEmptied): Conversion {
	return convertedInBody(property, (value, field) => {
		const parsed = toJson(value, field);
		if (parsed === undefined) return whenEmptied === 'clear' ? '' : undefined;
		return typeof value === 'string' ? value.trim() : JSON.stringify(parsed);
	});
}

/** The parts of a request that fields fill. */
type Parts = { query: IDataObject; body: IDataObject };

/** Returns the value to send for a field; `undefined` omits the field. */
type Convert = (value: unknown, field: Field, item: Item) => unknown;

/**
 * How a field is added to the request: `send` sets the place, `convert` the value. Our code applies these properties, also
 * when an AI agent uses the node. The request that n8n derives from them is not sent.
 */
export class Conversion implements INodePropertyRouting {
	readonly send: { type: 'body' | 'query'; property: string };

	/** @param property the property of the body or query to set; in the body it may be a path, such as `defaults.template` */
	constructor(
		type: 'body' | 'query',
		property: string,
		private readonly convert: Convert,
	) {
		this.send = { type, property };
	}

	/** Adds the converted value of a field to the item's request. @throws the error of the conversion */
	enter(value: unknown, item: Item, { query, body }: Parts): void {
		const { type, property } = this.send;
		const path = property.split('.');
		const name = path.pop() ?? property;
		const converted = this.convert(value, fieldAt(item, name), item);
		if (converted === undefined) return;
		if (type === 'query') Object.assign(query, converted);
		else Object.assign(path.reduce(objectIn, body), { [name]: converted });
	}
}

/** Returns the object in a property of `outer`, adding it if it is missing. */
function objectIn(outer: IDataObject, name: string): IDataObject {
	const known = outer[name];
	if (isDataObject(known)) return known;
	const inner: IDataObject = {};
	outer[name] = inner;
	return inner;
}

/** Returns a conversion that sends the result of `convert` in the JSON body. */
export function convertedInBody(property: string, convert: Convert): Conversion {
	return new Conversion('body', property, convert);
}

/** Returns a conversion that sends the result of `filter` as query parameters. */
export function inQuery(name: string, filter: Filter): Conversion {
	return new Conversion('query', name, (value, field) => filter(value, field, name));
}

/**
 * Returns the selected value of a drop-down.
 *
 * @param name the name of the parameter; `standard` is its default
 * @throws if the value is not among the options
 */
export function chosenAt(item: Item, name: string, standard: string, options: Choices): string {
	return toChoice(item.getNodeParameter(name, standard), valuesOf(options), fieldAt(item, name));
}

/**
 * Fails if the list that the user chose in a drop-down (Recipients From, Identify By) is empty.
 *
 * @param whyNot the end of the error's description
 */
export function checkChosenList(
	property: string,
	body: IDataObject,
	fail: Fail,
	whyNot: string,
): void {
	if (property in body) return;
	throw fail(
		`${fieldLabel(property)} is empty`,
		`Enter at least one, or check the expression${whyNot}`,
	);
}

/** Fails if an update would change nothing. */
export const atLeastOneField: Check = (_item, body, fail) => {
	if (Object.keys(body).length === 0) {
		throw fail('Nothing to update', 'Add at least one field under Update Fields.');
	}
};
