import type {
	IDataObject,
	IHttpRequestOptions,
	INodePropertyOptions,
	INodePropertyRouting,
	PreSendAction,
} from 'n8n-workflow';

import type { Item } from '../runner/item';
import { failure, type Fail } from '../../shared/failure';
import { fieldAt } from '../../shared/field';
import { isDataObject } from '../../shared/typeGuards';
import type { Field } from '../../shared/field';
import { isBlank, toChoice, toJson, toList, toSwitch, toText } from '../../shared/values';

/**
 * What becomes of a field that the user added and emptied: creating omits it, updating sends it empty, which is how a
 * user clears a text (docs/conventions.md).
 */
export type WhenEmptied = 'omit' | 'clear';

/** Sends a switch in the JSON body as a boolean; anything that is neither on nor off fails before sending. */
export function switchInBody(property: string): INodePropertyRouting {
	return convertedInBody(property, toSwitch);
}

/**
 * Sends a choice in the JSON body as it is listed; anything else, nothing included, fails before sending.
 *
 * @param options the list on the screen
 */
export function choiceInBody(
	property: string,
	options: readonly INodePropertyOptions[],
): INodePropertyRouting {
	const listed = valuesOf(options);
	return convertedInBody(property, (value, field) => toChoice(value, listed, field));
}

/** The values of a list on the screen. */
export function valuesOf(options: readonly INodePropertyOptions[]): string[] {
	return options.map(({ value }) => String(value));
}

/** Sends a text in the JSON body. */
export function textInBody(property: string, whenEmptied: WhenEmptied): INodePropertyRouting {
	return convertedInBody(property, (value, field) => {
		if (!isBlank(value)) return toText(value, field);
		return whenEmptied === 'clear' ? '' : undefined;
	});
}

/** Sends a text that the service cannot do without; an expression that gives nothing fails before sending. */
export function requiredTextInBody(property: string): INodePropertyRouting {
	return convertedInBody(property, (value, field) => {
		if (isBlank(value))
			throw field.fail(
				`${field.label} is empty`,
				'The service needs it: enter a text, or check the expression.',
			);
		return toText(value, field);
	});
}

/** Sends a list of strings in the JSON body as an array. */
export function listInBody(property: string, whenEmptied: WhenEmptied): INodePropertyRouting {
	return convertedInBody(property, (value, field) => {
		const list = toList(value, field);
		return list.length > 0 || whenEmptied === 'clear' ? list : undefined;
	});
}

/**
 * Sends a list that must not be empty.
 *
 * @param whyNot what an empty list could do, told to the builder
 */
export function requiredListInBody(property: string, whyNot: string): INodePropertyRouting {
	return convertedInBody(property, (value, field) => {
		const list = toList(value, field);
		if (list.length === 0) throw field.fail(`${field.label} is empty`, whyNot);
		return list;
	});
}

/** Sends JSON as text, the way the service takes template data; text that is not JSON fails before sending. */
export function jsonTextInBody(property: string, whenEmptied: WhenEmptied): INodePropertyRouting {
	return convertedInBody(property, (value, field) => {
		const parsed = toJson(value, field);
		if (parsed === undefined) return whenEmptied === 'clear' ? '' : undefined;
		return typeof value === 'string' ? value.trim() : JSON.stringify(parsed);
	});
}

/**
 * Sends a value in the JSON body after a conversion.
 *
 * @param property where it goes in the body; dots nest: `defaults.template`
 * @param convert gives what is sent; `undefined` leaves the field out
 */
export function convertedInBody(
	property: string,
	convert: (value: unknown, field: Field, context: Item) => unknown,
): INodePropertyRouting {
	const path = property.split('.');
	const name = path.at(-1) ?? property;
	const convertInPlace: PreSendAction = async function (request) {
		const body = isDataObject(request.body) ? request.body : {};
		replaceAt(body, path, (value) => convert(value, fieldOf(this, name), this));
		request.body = body;
		return request;
	};
	return { send: { type: 'body', property, preSend: [convertInPlace] } };
}

/** What conversions need to know about a parameter, in the context of one input item. */
export function fieldOf(context: Item, parameter: string): Field {
	return fieldAt(context, parameter, context.getItemIndex());
}

/**
 * The selected value of a choice on the screen, as it is listed. @throws when it is none of the list
 *
 * @param name of the parameter; `standard` is what it stands at where it was never touched
 */
export function chosenAt(
	item: Item,
	name: string,
	standard: string,
	options: readonly INodePropertyOptions[],
): string {
	return toChoice(item.getNodeParameter(name, standard), valuesOf(options), fieldOf(item, name));
}

/**
 * Sends a list that stands beside others, of which a choice of the screen takes one. Where an expression makes that
 * choice
 * all of them show, so only the chosen one has to hold something.
 *
 * @param read turns what was entered into the list
 * @param isChosen whether the choice took this list
 * @param whyNot what an empty list could do, told to the builder
 */
export function chosenListInBody(
	property: string,
	read: (value: unknown, field: Field) => unknown[],
	isChosen: (item: Item) => boolean,
	whyNot: string,
): INodePropertyRouting {
	return convertedInBody(property, (value, field, context) => {
		const list = read(value, field);
		if (list.length > 0) return list;
		if (!isChosen(context)) return undefined;
		throw field.fail(
			`${field.label} is empty`,
			`Enter at least one, or check the expression${whyNot}`,
		);
	});
}

/** Reads an item's settings and the whole body before anything is sent, so that invalid input fails then. */
export function validateBeforeSend(
	validate: (item: Item, body: IDataObject, fail: Fail) => unknown,
): PreSendAction {
	return async function (this: Item, request: IHttpRequestOptions) {
		const body = isDataObject(request.body) ? request.body : {};
		validate(this, body, failure(this, this.getItemIndex()));
		return request;
	};
}

function replaceAt(
	target: IDataObject,
	path: string[],
	convert: (value: unknown) => unknown,
): void {
	const [key = '', ...rest] = path;
	if (rest.length > 0) {
		const nested = target[key];
		const inner = isDataObject(nested) ? nested : {};
		replaceAt(inner, rest, convert);
		if (Object.keys(inner).length > 0) target[key] = inner;
		else delete target[key];
		return;
	}
	const converted = convert(target[key]);
	if (converted === undefined) delete target[key];
	else Object.assign(target, { [key]: converted });
}

/** Fails an update that would change nothing. */
export const atLeastOneField: PreSendAction = validateBeforeSend((_item, body, fail) => {
	if (Object.keys(body).length === 0) {
		throw fail('Nothing to update', 'Add at least one field under Update Fields.');
	}
});
