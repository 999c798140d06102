import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Fail } from '../../shared/failure';
import { fieldAt, fieldLabel, type Field } from '../../shared/field';
import type { CAMPAIGN_STATUS, CHANNEL_STATUS } from '../../shared/status';
import type { ApiRequest, Envelope } from '../../shared/transport/apiRequest';
import { isFilter, noFilterValue } from '../../shared/filters';
import {
	hasNoResult,
	isBlank,
	isDataObject,
	toChoice,
	toJson,
	toJsonObject,
	toLine,
	toList,
	toSwitch,
	toText,
	toTitle,
	toUtcTimestamp,
} from '../../shared/values';
import type { Claim } from './claims';
import type { Item } from './item';

/** An operation: its entry in the Operation list, its parameters in screen order, and how it runs. */
export type Operation = {
	/** Name in the Operation list, if it does not follow from the operation's key (`operationName`). */
	name?: string;
	/** Name in the node panel, if it does not follow from the operation and its resource (`actionName`). */
	action?: string;
	description: string;
	/** A hint for n8n's AI builder. */
	builderHint?: string;
	/** Method and path as documented by the service, with IDs as `:parameterName`. */
	endpoint?: [method: IHttpRequestMethods, path: string];
	/** The constant part of the JSON body. */
	body?: IDataObject;
	/** Checks in addition to the checks of single fields. */
	checks?: Check[];
	/** Returns what only one item of a run may do, or undefined if the item may do the same as others. */
	claim?: (item: Item, request: ApiRequest) => Claim | undefined;
	/** Returns the body to send instead of JSON, and the timeout of the request. */
	upload?: (item: Item) => Promise<Pick<ApiRequest, 'body' | 'timeout'>>;
	/** Sends the requests of one item and returns its output. Defaults to one request to the endpoint. */
	send?: (
		item: Item,
		request: ApiRequest,
		ids: Record<string, string>,
	) => Promise<INodeExecutionData[]>;
	/** Converts the response of the endpoint to output. Defaults to `dataOrSuccess`. */
	toItems?: ToItems;
	/** Edits the output of all items of a run. */
	finish?: (outputs: INodeExecutionData[]) => void;
	/** The parameters in screen order. Operations that share a parameter must use the same object. */
	fields: INodeProperties[];
	/** The notice on the screen that the operation sends something to people. */
	sends?: INodeProperties;
	/**
	 * The states in which the operation accepts a record. Without this list, the operation may accept a record in any
	 * state.
	 */
	acceptsStatus?: Array<keyof typeof CAMPAIGN_STATUS | keyof typeof CHANNEL_STATUS>;
	/** Why the operation cannot be a tool of an AI agent, and what to use instead. */
	notAsTool?: [message: string, advice: string];
	/** Replaces our runner for an operation that needs all input items at once. */
	execute?: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
};

/**
 * Checks an item's settings and the complete body of its request before anything is sent. Sends no requests except
 * look-ups of names. @throws for invalid input
 */
export type Check = (item: Item, body: IDataObject, fail: Fail) => unknown;

/** Converts the response to a request into output items. `ids` are the IDs in the path, by parameter. */
export type ToItems = (
	item: Item,
	envelope: Envelope,
	ids: Record<string, string>,
	request: ApiRequest,
) => INodeExecutionData[];

/** The operations of a resource, by the value that workflows store. */
export type Resource = Record<string, Operation>;

/** Returns the name of an operation in the Operation list. */
export function operationName(value: string, { name }: Operation): string {
	return name ?? fieldLabel(value);
}

/** Returns the name of an operation in the node panel: "Close campaign", "Get many recipient groups". */
export function actionName(resource: string, value: string, operation: Operation): string {
	const [first = '', ...others] = `${operationName(value, operation)} ${fieldLabel(resource)}`;
	const plural = value === 'getAll' ? 's' : '';
	return operation.action ?? first + others.join('').toLowerCase() + plural;
}

/**
 * How to send a field that the user added and left empty. Create omits the field. Update sends it empty to clear the old
 * value (docs/development/conventions.md).
 */
export type WhenEmptied = 'omit' | 'clear';

type Choices = NonNullable<INodeProperties['options']>;

/** The parts of a request that fields fill. */
type Parts = { query: IDataObject; body: IDataObject };

/** Returns the value to send for a field, or `undefined` to omit the field. `saved` is the parameter as it is saved. */
type Convert = (value: unknown, field: Field, item: Item, saved?: unknown) => unknown;

/** Reads a value. @throws if it cannot be sent */
type Read<Value> = (value: unknown, field: Field) => Value;

/**
 * How a field is added to the request. `send` determines the place, and `convert` determines the value. Our code
 * applies both, even if an AI agent uses the node. n8n derives a request from `send`, but does not send it.
 */
export class Conversion implements INodePropertyRouting {
	readonly send: { type: 'body' | 'query'; property: string };

	/**
	 * @param property the property of the body or query to set. In the body, it may be a path such as `defaults.template`
	 */
	constructor(
		type: 'body' | 'query',
		property: string,
		private readonly convert: Convert,
	) {
		this.send = { type, property };
	}

	/**
	 * Adds the converted value of a field to the item's request.
	 *
	 * @param saved the parameter as it is saved, which may be an expression
	 * @throws the error of the conversion
	 */
	enter(value: unknown, item: Item, { query, body }: Parts, saved?: unknown): void {
		const { type, property } = this.send;
		const path = property.split('.');
		const name = path.pop() ?? property;
		const converted = this.convert(value, fieldAt(item, name), item, saved);
		if (converted === undefined) return;
		// The filter Scope is converted to an object, because it is sent as `all` or `onlyApi`, not as `scope`.
		if (type === 'query' && isDataObject(converted)) Object.assign(query, converted);
		else if (type === 'query') Object.assign(query, { [name]: converted });
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

/**
 * Returns a conversion that sends the result of `convert` as the query parameter `name`. If the result is an object,
 * its properties are sent as query parameters instead.
 */
export function convertedInQuery(name: string, convert: Convert): Conversion {
	return new Conversion('query', name, convert);
}

/**
 * Returns the default conversion, by the type of the field, that sends a field in the JSON body.
 *
 * @param property the property of the body to set. `defaults.template` sets `template` in the object `defaults`
 */
export function fieldInBody(
	{ name, type, typeOptions, options = [] }: INodeProperties,
	whenEmptied: WhenEmptied,
	property = name,
): Conversion {
	if (type === 'boolean') return switchInBody(property);
	if (type === 'multiOptions') return listInBody(property, whenEmptied);
	if (options.length > 0) return choiceInBody(property, options);
	if (type === 'json') return textInBody(property, whenEmptied, jsonText);
	if (typeOptions?.rows !== undefined) return textInBody(property, whenEmptied);
	return textInBody(property, whenEmptied, ['name', 'title'].includes(name) ? toTitle : toLine);
}

/** Returns the default conversion, by the type of the filter, that sends a filter in the query. */
export function fieldInQuery({ name, type, options = [] }: INodeProperties): Conversion {
	if (type === 'boolean') return switchInQuery(name);
	if (options.length > 0) return convertedInQuery(name, choiceAmong(options));
	const read = { dateTime: toUtcTimestamp, json: toConditions }[String(type)] ?? toLine;
	return convertedInQuery(name, (value, field, { run }, saved) =>
		isFilter(value, saved, field, run.warn) ? read(value, field) : undefined,
	);
}

/** Returns a conversion that sends a switch as a boolean. A value that is neither on nor off fails before sending. */
export function switchInBody(property: string): Conversion {
	return convertedInBody(property, toSwitch);
}

/** Returns a conversion that sends a switch in the query, as the text that the service expects: `true` or `false`. */
export function switchInQuery(name: string): Conversion {
	return convertedInQuery(name, (value, field) => String(toSwitch(value, field)));
}

/** Returns a conversion that sends a choice in the JSON body. A value that is not an option fails before sending. */
export function choiceInBody(property: string, options: Choices): Conversion {
	return convertedInBody(property, choiceAmong(options));
}

/** Returns a function that reads a choice. Options whose values are codes can be given by their names, too. */
export function choiceAmong(options: Choices): Read<string> {
	const listed = valuesOf(options);
	const areCodes = listed.some((value) => /^\d+$/.test(value));
	const words = areCodes ? options.map(({ name }) => name) : listed;
	return (value, field) => toChoice(value, listed, field, words);
}

/** Returns the values of a drop-down's options. */
export function valuesOf(options: Choices): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}

/** Returns a conversion that sends a text in the JSON body. @param read converts the value, unless it is blank */
export function textInBody(
	property: string,
	whenEmptied: WhenEmptied,
	read: Read<string> = toText,
): Conversion {
	return convertedInBody(property, (value, ...given) =>
		isBlank(value) ? emptied('', whenEmptied, value, ...given) : read(value, given[0]),
	);
}

/**
 * Returns what to send for a field that came out empty: nothing on create, and if an expression has no result. Otherwise
 * the update clears the field, with a warning.
 *
 * @param empty what clears the field
 */
export function emptied<Empty>(
	empty: Empty,
	whenEmptied: WhenEmptied,
	...[value, field, item, saved]: Parameters<Convert>
): Empty | undefined {
	if (whenEmptied === 'omit' || hasNoResult(value, saved)) return undefined;
	item.run.warn(`${field.label} is empty, so the update clears it`);
	return empty;
}

/** Returns a conversion that sends a required text. An empty text fails before sending. */
export function requiredTextInBody(property: string, read: Read<string> = toText): Conversion {
	return convertedInBody(property, (value, field) => {
		if (!isBlank(value)) return read(value, field);
		throw field.fail(
			`${field.label} is empty`,
			'The service requires this field. Enter a text, or check the expression.',
		);
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
	read: Read<unknown[]> = toList,
): Conversion {
	return convertedInBody(property, (value, ...given) => {
		const list = read(value, given[0]);
		return list.length > 0 ? list : emptied(list, whenEmptied, value, ...given);
	});
}

/**
 * Returns a conversion that sends a list. An empty list fails before sending.
 *
 * @param whyNot the description of the error for an empty list
 * @param read converts the value into a list
 */
export function requiredListInBody(
	property: string,
	whyNot: string,
	read: Read<string[]> = toList,
): Conversion {
	return convertedInBody(property, (value, field) => {
		const list = read(value, field);
		if (list.length === 0) throw field.fail(`${field.label} is empty`, whyNot);
		return list;
	});
}

/** Converts JSON to text, the form in which the service expects template data. @throws for invalid JSON */
function jsonText(value: unknown, field: Field): string {
	const parsed = toJson(value, field);
	// A text is sent as typed, because JavaScript would round large numbers.
	return typeof value === 'string' ? value.trim() : JSON.stringify(parsed);
}

/**
 * Checks conditions and returns them as JSON text, as the service expects (channelRecipient.getAll in
 * emulator/openapi.yaml). An empty object is no filter.
 *
 * @throws if the conditions are not a JSON object, or an expression returned only undefined values
 */
function toConditions(value: unknown, field: Field): string | undefined {
	const conditions = toJsonObject(value, field) ?? {};
	if (Object.keys(conditions).length > 0) return jsonText(value, field);
	// JSON leaves out undefined.
	if (isDataObject(value) && Object.keys(value).length > 0) throw noFilterValue(field);
	return undefined;
}

/**
 * Returns the selected value of a drop-down.
 *
 * @param name the name of the parameter; `standard` is its default
 * @throws if the value is not among the options
 */
export function chosenAt(item: Item, name: string, standard: string, options: Choices): string {
	return choiceAmong(options)(item.getNodeParameter(name, standard), fieldAt(item, name));
}

/**
 * Fails if the field that Recipients From or Identify By selects is empty.
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
	if (Object.keys(body).length > 0) return;
	throw fail('Nothing to update', 'Add at least one field under Update Fields.');
};

/**
 * Returns output items with the property `pairedItem`, which is still `undefined`. Adding the property later would take as
 * long as creating the items (measured with 100,000 items).
 */
export function toItems(
	records: IDataObject[],
	shape?: (record: IDataObject) => IDataObject,
): INodeExecutionData[] {
	return records.map((record) => ({ json: shape?.(record) ?? record, pairedItem: undefined }));
}

/** Returns one item: what `dataOr` returns for the IDs in the path. */
export const dataOrSuccess: ToItems = (_item, envelope, ids) => toItems([dataOr(envelope, ids)]);

/** Like `dataOrSuccess`, but adds the value of the parameter `name` to the IDs. */
export function dataOrSuccessWith(name: string): ToItems {
	return (item, envelope, ids) => {
		const value = toJsonValue(item.getNodeParameter(name, '', { extractValue: true }));
		return toItems([dataOr(envelope, { ...ids, [name]: value })]);
	};
}

/**
 * Returns the response's `data` if it is an object. Otherwise returns `success`, the given IDs, and `data` if the
 * response has any.
 */
export function dataOr({ data }: Envelope, ids: IDataObject): IDataObject {
	if (isDataObject(data)) return data;
	const json: IDataObject = { success: true, ...ids };
	if (data !== undefined) json.data = toJsonValue(data);
	return json;
}

/** Returns the IDs in the path, followed by the response's `data`, which does not contain these IDs. */
export const dataWithIds: ToItems = (_item, { data }, ids) =>
	toItems([{ ...ids, ...(isDataObject(data) ? data : {}) }]);

/** Returns the output of a deletion: the IDs, the response's `data` and `deleted`. */
export const deleted: ToItems = (_item, { data }, ids) =>
	toItems([{ ...ids, ...(isDataObject(data) ? data : {}), deleted: true }]);

function toJsonValue(value: unknown): IDataObject[string] {
	if (isDataObject(value) || Array.isArray(value)) return value;
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? value
		: undefined;
}
