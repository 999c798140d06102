import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { isDataObject } from '../../shared/values';
import { fieldInBody, fieldInQuery, type Conversion } from '../engine/declaration';

/** Returns a collection of optional fields for creating a record. */
export const additionalFields = (fields: INodeProperties[]): INodeProperties =>
	collection(
		{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
		fields,
		(field) => fieldInBody(field, 'omit'),
	);

/** Returns a collection of the fields that an update can change. */
export const updateFields = (fields: INodeProperties[]): INodeProperties =>
	collection(
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			placeholder: 'Add Field',
			description: 'Fields to change. A field that you add and leave empty is cleared.',
		},
		fields,
		(field) => fieldInBody(field, 'clear'),
	);

/** Returns a collection of the filters of a list. */
export const filters = (fields: INodeProperties[]): INodeProperties =>
	collection(
		{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
		fields,
		fieldInQuery,
	);

/** Returns a collection of settings of the node itself, which are not sent. */
export const options = (fields: INodeProperties[]): INodeProperties =>
	collection({ displayName: 'Options', name: 'options', placeholder: 'Add Option' }, fields);

/**
 * @param fields in the order in which people need them
 * @param conversionOf returns the `routing` for a field that declares none; without this function, such fields are not sent
 */
function collection(
	own: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
	fields: INodeProperties[],
	conversionOf?: (field: INodeProperties) => Conversion,
): INodeProperties {
	const sent = fields.map((field) => ({ routing: conversionOf?.(field), ...field }));
	return { ...own, type: 'collection', default: {}, options: sent };
}

/** Returns the options that the user added, not yet checked. */
export function addedOptions(item: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): IDataObject {
	const added: unknown = item.getNodeParameter('options', {});
	return isDataObject(added) ? added : {};
}
