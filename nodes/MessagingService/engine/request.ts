import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fillPath, checkedId } from '../../shared/transport/address';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { checkSavedChoices } from '../../shared/savedChoices';
import { fieldsIn } from '../../shared/values';
import { FieldRouting, type RequestParts } from './conversions';
import type { ItemRequest, Operation } from './declaration';
import { requestSettings, type Item } from './item';
import { selectedId } from './selectedRecord';

/** A field whose value is put into the request. For a collection, `entries` lists the fields in it that are sent. */
type RoutedField = Pick<INodeProperties, 'name' | 'type'> & {
	routing?: FieldRouting;
	entries: Array<{ name: string; routing: FieldRouting }>;
};

/**
 * Returns the visible fields whose values are put into the request. They are the same for all items, because n8n compares
 * display conditions with the parameters as saved, in which an expression makes every dependent field visible.
 */
export function routedFields({ fields }: Operation, node: INode): RoutedField[] {
	return fields
		.filter((field) => NodeHelpers.displayParameter(node.parameters, field, node, null))
		.map(({ name, type, routing, options = [] }) => ({
			name,
			type,
			routing: routing instanceof FieldRouting ? routing : undefined,
			entries: (type === 'collection' ? options : []).flatMap((entry) =>
				'type' in entry && entry.routing instanceof FieldRouting
					? [{ name: entry.name, routing: entry.routing }]
					: [],
			),
		}))
		.filter(({ routing, entries }) => routing !== undefined || entries.length > 0);
}

/**
 * Converts and checks an item's parameters. Sends no requests except look-ups of names.
 *
 * @throws for invalid input: the errors of the conversions, the checks, Request Options and the IDs in the path
 */
export async function buildRequest(
	operation: Operation,
	fields: RoutedField[],
	item: Item,
): Promise<ItemRequest> {
	// Only Sync has no endpoint. It builds its requests itself.
	const { endpoint: [method, path] = ['GET', ''], acceptsEmpty } = operation;
	const parts: RequestParts = { query: {}, body: { ...operation.body } };
	const fail = failure(item);
	checkSavedChoices(operation.fields, item.getNode(), fail);
	for (const field of fields) addField(field, item, parts);
	const { query, body } = parts;
	// Invalid Request Options fail here, before anything is sent.
	requestSettings(item);
	for (const check of operation.checks ?? []) await check(item, body, fail);
	const upload = await operation.uploadRequest?.(item);
	const ids: ItemRequest['ids'] = {};
	for (const { name, type } of operation.fields) {
		if (type !== 'resourceLocator') continue;
		ids[name] = checkedId(name, await selectedId(item, name), fail);
	}
	const hasBody = Object.keys(body).length > 0 || operation.body !== undefined;
	const request: ApiRequest = {
		method,
		url: fillPath(path, ids),
		acceptsEmpty,
		...(Object.keys(query).length > 0 && { qs: query }),
		...(hasBody && { body }),
		...upload,
	};
	return { request, ids };
}

/** Adds the value of a field to the request. Of a collection, adds the fields that the user added. */
function addField(
	{ name, type, routing, entries }: RoutedField,
	item: Item,
	parts: RequestParts,
): void {
	const extractValue = type === 'resourceLocator';
	const value: unknown = item.getNodeParameter(name, '', { extractValue });
	const saved: unknown = item.getNode().parameters[name];
	routing?.apply(value, item, parts, saved);
	const added = fieldsIn(value);
	for (const entry of entries) {
		if (!Object.hasOwn(added, entry.name)) continue;
		entry.routing.apply(added[entry.name], item, parts, fieldsIn(saved)[entry.name]);
	}
}
