import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { Item } from '../runner/item';
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
import { isDataObject } from '../../shared/typeGuards';
import { isBlank, toChoice, toJson, toList, toSwitch, toText } from '../../shared/values';
import type { Check } from './operation';

/**
 * What becomes of a field that the user added and emptied: creating omits it, updating sends it empty, which is how a
 * user clears a text (docs/conventions.md).
 */
export type WhenEmptied = 'omit' | 'clear';

/** A list on the screen to choose from. */
type Choices = NonNullable<INodeProperties['options']>;

/**
 * How a field goes into the JSON body by default: as its type implies.
 *
 * @param property where it goes; dots nest
 */
export function fieldInBody(
	{ name, type, options = [] }: INodeProperties,
	whenEmptied: WhenEmptied,
	property = name,
): Conversion {
	if (type === 'boolean') return switchInBody(property);
	if (type === 'json') return jsonTextInBody(property, whenEmptied);
	if (type === 'multiOptions') return listInBody(property, whenEmptied);
	const isChoice = type === 'options' && options.length > 0;
	return isChoice ? choiceInBody(property, options) : textInBody(property, whenEmptied);
}

/** How a filter goes into the query by default: as its type implies. */
export function fieldInQuery({ name, type, options = [] }: INodeProperties): Conversion {
	if (type === 'boolean') return inQuery(name, switchFilter);
	if (type === 'dateTime') return inQuery(name, dateFilter);
	if (type === 'json') return inQuery(name, conditionsFilter);
	const isChoice = type === 'options' && options.length > 0;
	return inQuery(name, isChoice ? choiceFilter(valuesOf(options)) : textFilter);
}

/** Sends a switch in the JSON body as a boolean; anything that is neither on nor off fails before sending. */
export function switchInBody(property: string): Conversion {
	return convertedInBody(property, toSwitch);
}

/**
 * Sends a choice in the JSON body as it is listed; anything else, nothing included, fails before sending.
 *
 * @param options the list on the screen
 */
export function choiceInBody(property: string, options: Choices): Conversion {
	const listed = valuesOf(options);
	return convertedInBody(property, (value, field) => toChoice(value, listed, field));
}

/** The values of a list on the screen. */
export function valuesOf(options: Choices): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}

/** Sends a text in the JSON body. */
export function textInBody(property: string, whenEmptied: WhenEmptied): Conversion {
	return convertedInBody(property, (value, field) => {
		if (!isBlank(value)) return toText(value, field);
		return whenEmptied === 'clear' ? '' : undefined;
	});
}

/** Sends a text that the service cannot do without; an expression that gives nothing fails before sending. */
export function requiredTextInBody(property: string): Conversion {
	return convertedInBody(property, (value, field) => {
		if (isBlank(value))
			throw field.fail(
				`${field.label} is empty`,
				'The service needs it: enter a text, or check the expression.',
			);
		return toText(value, field);
	});
}

/**
 * Sends a list in the JSON body as an array.
 *
 * @param read turns what was entered into the list
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
 * Sends a list that must not be empty.
 *
 * @param whyNot what an empty list could do, told to the builder
 */
export function requiredListInBody(property: string, whyNot: string): Conversion {
	return convertedInBody(property, (value, field) => {
		const list = toList(value, field);
		if (list.length === 0) throw field.fail(`${field.label} is empty`, whyNot);
		return list;
	});
}

/** Sends JSON as text, the way the service takes template data; text that is not JSON fails before sending. */
export function jsonTextInBody(property: string, whenEmptied: WhenEmptied): Conversion {
	return convertedInBody(property, (value, field) => {
		const parsed = toJson(value, field);
		if (parsed === undefined) return whenEmptied === 'clear' ? '' : undefined;
		return typeof value === 'string' ? value.trim() : JSON.stringify(parsed);
	});
}

/** What a request is put together from: its query and its JSON body. */
type Parts = { query: IDataObject; body: IDataObject };

/** Gives what is sent for the value of a field; `undefined` leaves the field out. */
type Convert = (value: unknown, field: Field, item: Item) => unknown;

/**
 * What a field of the screen puts into a request: `send` says where, `convert` what. Our runner enters it, also for an
 * agent; n8n's own engine does not get so far.
 */
export class Conversion implements INodePropertyRouting {
	readonly send: { type: 'body' | 'query'; property: string };

	/** @param property where it goes; dots nest in the body: `defaults.template` */
	constructor(
		type: 'body' | 'query',
		property: string,
		private readonly convert: Convert,
	) {
		this.send = { type, property };
	}

	/** Puts the value that an item has for the field into its request. @throws what the conversion throws */
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

/** The object in a member of another, put there where it is missing. */
function objectIn(outer: IDataObject, name: string): IDataObject {
	const known = outer[name];
	if (isDataObject(known)) return known;
	const inner: IDataObject = {};
	outer[name] = inner;
	return inner;
}

/** Sends a value in the JSON body after a conversion. */
export function convertedInBody(property: string, convert: Convert): Conversion {
	return new Conversion('body', property, convert);
}

/** Sends a filter in the query, as the parameters that it gives for what was entered. */
export function inQuery(name: string, filter: Filter): Conversion {
	return new Conversion('query', name, (value, field) => filter(value, field, name));
}

/**
 * The selected value of a choice on the screen. @throws when it is not in the list
 *
 * @param name of the parameter; `standard` is its default
 */
export function chosenAt(item: Item, name: string, standard: string, options: Choices): string {
	return toChoice(item.getNodeParameter(name, standard), valuesOf(options), fieldAt(item, name));
}

/**
 * Fails when the list that a choice on the screen asks for is empty.
 *
 * @param whyNot what an empty list could do, told to the builder
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

/** Fails an update that would change nothing. */
export const atLeastOneField: Check = (_item, body, fail) => {
	if (Object.keys(body).length === 0) {
		throw fail('Nothing to update', 'Add at least one field under Update Fields.');
	}
};
