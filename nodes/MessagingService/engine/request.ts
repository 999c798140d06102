import { NodeHelpers, type IDataObject, type INode, type INodeProperties } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fillPath, checkedId, pathParameters } from '../../shared/transport/address';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { fieldsIn } from '../../shared/values';
import { Conversion } from './conversions';
import type { ItemRequest, Operation } from './declaration';
import { requestSettings, type Item } from './item';
import { selectedId } from './selectedRecord';

/** A field whose value is put into the request. For a collection, `entries` lists the fields in it that are sent. */
type RoutedField = Pick<INodeProperties, 'name' | 'type'> & {
	conversion?: Conversion;
	entries: Array<{ name: string; conversion: Conversion }>;
};

/** Returns the visible fields whose values are put into the request. They are the same for all items. */
export function routedFields({ fields }: Operation, node: INode): RoutedField[] {
	return fields
		.filter((field) => NodeHelpers.displayParameter(node.parameters, field, node, null))
		.map(({ name, type, routing, options = [] }) => ({
			name,
			type,
			conversion: routing instanceof Conversion ? routing : undefined,
			entries: (type === 'collection' ? options : []).flatMap((entry) =>
				'type' in entry && entry.routing instanceof Conversion
					? [{ name: entry.name, conversion: entry.routing }]
					: [],
			),
		}))
		.filter(({ conversion, entries }) => conversion !== undefined || entries.length > 0);
}

/**
 * Converts and checks an item's parameters. Sends no requests except look-ups of names.
 *
 * @throws the errors of the checks
 */
export async function buildRequest(
	{ endpoint: [method, path] = ['GET', ''], ...operation }: Operation,
	fields: RoutedField[],
	item: Item,
): Promise<ItemRequest> {
	const query: IDataObject = {};
	const body: IDataObject = { ...operation.body };
	const { parameters } = item.getNode();
	for (const { name, type, conversion, entries } of fields) {
		const extractValue = type === 'resourceLocator';
		const value: unknown = item.getNodeParameter(name, '', { extractValue });
		const saved: unknown = parameters[name];
		conversion?.apply(value, item, { query, body }, saved);
		const [added, savedFields] = [fieldsIn(value), fieldsIn(saved)];
		for (const { name: entry, conversion: ofEntry } of entries) {
			if (!Object.hasOwn(added, entry)) continue;
			ofEntry.apply(added[entry], item, { query, body }, savedFields[entry]);
		}
	}
	// Invalid Request Options fail here, before anything is sent.
	requestSettings(item);
	const fail = failure(item);
	for (const check of operation.checks ?? []) await check(item, body, fail);
	const upload = await operation.upload?.(item);
	const ids: ItemRequest['ids'] = {};
	for (const parameter of pathParameters(path)) {
		ids[parameter] = checkedId(parameter, await selectedId(item, parameter), fail);
	}
	const hasBody = Object.keys(body).length > 0 || operation.body !== undefined;
	const request: ApiRequest = {
		...{ method, url: fillPath(path, ids), acceptsEmpty: operation.acceptsEmpty },
		...(Object.keys(query).length > 0 && { qs: query }),
		...(hasBody && { body }),
		...upload,
	};
	return { request, ids };
}
