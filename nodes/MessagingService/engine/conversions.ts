import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { fieldInfo, type FieldInfo } from '../../shared/field';
import { valuesOf } from '../../shared/fieldTypes';
import { filterApplies, missingFilterValueError } from '../../shared/filters';
import { toUtcTimestamp } from '../../shared/date';
import { toEmail } from '../../shared/email';
import {
	fieldsIn,
	hasNoResult,
	isExpression,
	isEmptyValue,
	isDataObject,
	toChoice,
	parseJson,
	parseJsonObject,
	toId,
	toLine,
	toList,
	toSwitch,
	toText,
	toTitle,
	toWebAddress,
} from '../../shared/values';
import type { Item } from './item';

/**
 * How to send a field that the user added and left empty. Create omits the field. Update sends it empty to clear the old
 * value (docs/development/conventions.md).
 */
export type WhenEmptied = 'omit' | 'clear';

type Choices = NonNullable<INodeProperties['options']>;

/** The parts of a request that fields fill. */
export type RequestParts = { query: IDataObject; body: IDataObject };

/** Returns the value to send for a field, or `undefined` to omit the field. `saved` is the parameter as it is saved. */
type Convert = (value: unknown, field: FieldInfo, item: Item, saved?: unknown) => unknown;

/** Reads a value. @throws if it cannot be sent */
type ReadValue = (value: unknown, field: FieldInfo) => unknown;

/**
 * The `routing` of a field: `send` says where its value goes in the request, and `convert` converts it. Only our code
 * sends the request. n8n derives one, too, but does not send it (agentRouting.ts).
 */
export class FieldRouting implements INodePropertyRouting {
	readonly send: { type: 'body' | 'query'; property: string };

	constructor(
		type: 'body' | 'query',
		property: string,
		private readonly convert: Convert,
	) {
		this.send = { type, property };
	}

	/**
	 * Adds the converted value of a field to the query or the body of the item's request.
	 *
	 * @param saved the parameter as it is saved, which may be an expression
	 * @throws the error of the conversion
	 */
	apply(value: unknown, item: Item, { query, body }: RequestParts, saved?: unknown): void {
		const { type, property } = this.send;
		const [name = property, inner] = property.split('.');
		const converted = this.convert(value, fieldInfo(item, inner ?? name), item, saved);
		if (converted === undefined) return;
		const target = type === 'query' ? query : body;
		const sent = inner ? { ...fieldsIn(target[name]), [inner]: converted } : converted;
		// The filter Scope is converted to an object, because it is sent as `all` or `onlyApi`, not as `scope`.
		const isQueryObject = type === 'query' && isDataObject(converted);
		Object.assign(target, isQueryObject ? converted : { [name]: sent });
	}
}

/**
 * Returns the routing of a field in the JSON body.
 *
 * @param property the property of the body to set. `defaults.template` sets `template` in the object `defaults`
 */
export function inBody(property: string, convert: Convert): FieldRouting {
	return new FieldRouting('body', property, convert);
}

/**
 * Returns the routing of a field that is sent as the query parameter `name`. If the converted value is an object, its
 * properties are the query parameters instead.
 */
export function inQuery(name: string, convert: Convert): FieldRouting {
	return new FieldRouting('query', name, convert);
}

/**
 * Returns the default conversion of an optional field of the body, by its type.
 *
 * @param whenEmptied for texts and lists. A switch or a choice has no empty value: a blank one is an error
 */
export function convertByType(
	{ name, type, typeOptions, options = [] }: INodeProperties,
	whenEmptied: WhenEmptied,
): Convert {
	if (type === 'boolean') return toSwitch;
	// Comes before the next line, because a list of several choices may have options, too.
	if (type === 'multiOptions') return optional(toList, whenEmptied);
	if (options.length > 0) return choiceAmong(options);
	if (type === 'json') return optional(jsonText, whenEmptied);
	// A drop-down whose options n8n loads holds an ID.
	if (type === 'options') return optional(toId, whenEmptied);
	if (name === 'imageUrl') return optional(toWebAddress, whenEmptied);
	if (/email/i.test(name)) return optional(toEmail, whenEmptied);
	// A text field of several rows.
	if (typeOptions?.rows !== undefined) return optional(toText, whenEmptied);
	// In a name or title, a line break becomes a blank. In any other line, it is an error.
	return optional(['name', 'title'].includes(name) ? toTitle : toLine, whenEmptied);
}

/** How a filter of a type is read. All other types are read by `toLine`. */
const FILTER_READERS: Record<string, ReadValue> = { dateTime: toUtcTimestamp, json: toConditions };

/**
 * Returns the default routing of a filter, by its type. A blank switch or choice is an error. Any other blank filter is not
 * sent, but an expression without a result is an error (`filterApplies`).
 */
export function filterRouting({ name, type, options = [] }: INodeProperties): FieldRouting {
	if (type === 'boolean') return inQuery(name, toSwitchText);
	if (options.length > 0) return inQuery(name, choiceAmong(options));
	const read = FILTER_READERS[type] ?? toLine;
	return inQuery(name, (value, field, { run }, saved) =>
		filterApplies(value, saved, field, run.warn) ? read(value, field) : undefined,
	);
}

/** Converts a switch to text, as the service expects it in the query and in some fields: `true` or `false`. */
export function toSwitchText(value: unknown, field: FieldInfo): string {
	return String(toSwitch(value, field));
}

/**
 * Returns a conversion to the value of an option, which throws for any other value and for a blank one. If some values are
 * codes such as `'1'`, it also accepts the names of the options.
 */
export function choiceAmong(options: Choices): (value: unknown, field: FieldInfo) => string {
	const values = valuesOf(options);
	const areCodes = values.some((value) => /^\d+$/.test(value));
	const names = areCodes ? options.map(({ name }) => name) : values;
	return (value, field) => toChoice(value, values, field, names);
}

/**
 * Returns a conversion of a text or a list that may be empty. With `omit`, an empty field is not sent, with a warning if it
 * is an expression. With `clear`, it is sent, with a warning, unless it is empty because an expression has no result
 * (`hasNoResult`). Without either, it is not sent, and nothing is said.
 *
 * @param read converts the value. Its result may be blank or an empty list
 */
export function optional(read: ReadValue = toText, whenEmptied?: WhenEmptied): Convert {
	return (value, field, item, saved) => {
		const result = read(value, field);
		if (!isEmptyValue(result)) return result;
		if (whenEmptied === 'omit' && isExpression(saved))
			item.run.warn(`${field.label} is empty, so it is not sent`);
		if (whenEmptied !== 'clear' || hasNoResult(value, saved)) return undefined;
		item.run.warn(`${field.label} is empty, and the update sends it empty`);
		return Array.isArray(result) ? [] : '';
	};
}

/** Returns a conversion of a text or a list that must not be empty. @param advice what to do if it is empty */
export function required(
	read: ReadValue = toText,
	advice = 'The service requires this field. Enter a text, or check the expression.',
): Convert {
	return (value, field) => {
		const result = read(value, field);
		if (!isEmptyValue(result)) return result;
		throw field.fail(`${field.label} is empty`, advice);
	};
}

/** Converts JSON to text, the form in which the service expects template data. @throws for invalid JSON */
function jsonText(value: unknown, field: FieldInfo): string | undefined {
	const parsed = parseJson(value, field);
	// A text is sent as typed, because JavaScript would round large numbers.
	return typeof value === 'string' ? value.trim() : JSON.stringify(parsed);
}

/**
 * Checks conditions and returns them as JSON text, as the service expects (channelRecipient.getAll in
 * emulator/openapi.yaml). An empty object is no filter.
 *
 * @throws if the conditions are not a JSON object, or an expression returned only undefined values
 */
function toConditions(value: unknown, field: FieldInfo): string | undefined {
	const conditions = parseJsonObject(value, field) ?? {};
	if (Object.keys(conditions).length > 0) return jsonText(value, field);
	// The object has only undefined values, which JSON leaves out.
	if (isDataObject(value) && Object.keys(value).length > 0) throw missingFilterValueError(field);
	return undefined;
}

/** Returns a function that reads the selected value of a drop-down, and throws if it is not among the options. */
export function chosenAt(name: string, options: Choices): (item: Item) => string {
	const toChosen = choiceAmong(options);
	return (item) => toChosen(item.getNodeParameter(name, ''), fieldInfo(item, name));
}
