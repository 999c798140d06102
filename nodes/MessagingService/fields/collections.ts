import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { fieldInfo, type FieldInfo } from '../../shared/field';
import { collectionField } from '../../shared/fieldTypes';
import { fieldsIn } from '../../shared/values';
import { convertByType, filterRouting, inBody, type FieldRouting } from '../engine/conversions';
import type { Check } from '../engine/declaration';
import type { Item } from '../engine/item';

/** Returns a collection of optional fields for creating a record. */
export const additionalFields = (fields: INodeProperties[]): INodeProperties =>
	collectionField(
		'additionalFields',
		'Add Field',
		withRouting(fields, (field) => inBody(field.name, convertByType(field, 'omit'))),
	);

/** Returns a collection of the fields that an update can change. */
export const updateFields = (fields: INodeProperties[]): INodeProperties =>
	collectionField(
		'updateFields',
		'Add Field',
		withRouting(fields, (field) => inBody(field.name, convertByType(field, 'clear'))),
		{
			description:
				'Fields to change. If you add a field and leave it empty, the node sends an empty value. This may clear the field.',
		},
	);

/** Fails if an update would change nothing. */
export const atLeastOneField: Check = (_item, body, fail) => {
	if (Object.keys(body).length > 0) return;
	throw fail('Nothing to update', 'Add at least one field under Update Fields.');
};

/** Returns a collection of the filters of a list. */
export const filters = (fields: INodeProperties[]): INodeProperties =>
	collectionField('filters', 'Add Filter', withRouting(fields, filterRouting));

/** Returns a collection of settings of the node itself. A setting is sent only if it declares a `routing`. */
export const options = (fields: INodeProperties[]): INodeProperties =>
	collectionField('options', 'Add Option', fields);

/** Adds the `routing` that `routingOf` returns to each field that declares none. */
function withRouting(
	fields: INodeProperties[],
	routingOf: (field: INodeProperties) => FieldRouting,
): INodeProperties[] {
	return fields.map((field) => ({ routing: routingOf(field), ...field }));
}

/** Returns the options that the user added, not yet checked. */
export function addedOptions(item: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): IDataObject {
	const added: unknown = item.getNodeParameter('options', {});
	return fieldsIn(added);
}

/**
 * Returns a value of a collection. If the saved workflow lacks the value, returns `standard`, the default of its field. If an
 * expression has no result, returns `undefined`.
 */
export function valueOrDefault(collection: IDataObject, name: string, standard: unknown): unknown {
	return Object.hasOwn(collection, name) ? collection[name] : standard;
}

/**
 * Reads an option.
 *
 * @param standard the default of its field, which counts if the user did not add it
 * @param added the added options, if they have been read already
 * @throws the errors of `read`
 */
export function readAddedOption<Value>(
	item: Item,
	name: string,
	standard: unknown,
	read: (value: unknown, field: FieldInfo) => Value,
	added = addedOptions(item),
): Value {
	return read(valueOrDefault(added, name, standard), fieldInfo(item, name));
}
