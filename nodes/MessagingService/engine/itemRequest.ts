import type { IDataObject, INode, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { jsonParse, NodeHelpers } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isDataObject } from '../../shared/values';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { buildPath, checkedId, pathParameters } from '../../shared/transport/path';
import { Conversion, dataOrSuccess, type Operation } from './declaration';
import { request, requestSettings, type Item } from './item';
import { nameMissingRecord } from './missingRecord';
import { resolveId } from './resolveId';

/** A field whose value is put into the request. For a collection, `entries` lists those of its fields that are sent. */
type SendingField = Pick<INodeProperties, 'name' | 'type'> & {
	conversion?: Conversion;
	entries: Array<{ name: string; conversion: Conversion }>;
};

/** Returns the visible fields whose values are put into the request. They are the same for all items. */
export function sendingFields({ fields }: Operation, node: INode): SendingField[] {
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

/** The request of an item, and the IDs in its path, by parameter. */
export type ItemRequest = { request: ApiRequest; ids: Record<string, string> };

/** A request that waits until it is sent. As JSON, a body takes less than half the memory that its objects take. */
export type StoredRequest = Pick<ItemRequest, 'ids'> & {
	request: Omit<ApiRequest, 'body'>;
	upload?: MultipartBody;
	json?: string;
};

/** Stores the request of an item for `restored`. */
export function stored({ request: { body, ...apiOptions }, ids }: ItemRequest): StoredRequest {
	if (body instanceof MultipartBody) return { request: apiOptions, ids, upload: body };
	return { request: apiOptions, ids, ...(body && { json: JSON.stringify(body) }) };
}

/** Returns a stored request, ready to be sent. */
export function restored({ request: apiOptions, ids, upload, json }: StoredRequest): ItemRequest {
	const body = json === undefined ? upload : jsonParse<IDataObject>(json);
	return { request: { ...apiOptions, ...(body && { body }) }, ids };
}

/**
 * Converts and checks an item's parameters. Sends no requests except look-ups of names.
 *
 * @throws the errors of the checks
 */
export async function buildRequest(
	{ endpoint: [method, path] = ['GET', ''], ...operation }: Operation,
	fields: SendingField[],
	item: Item,
): Promise<ItemRequest> {
	const query: IDataObject = {};
	const body: IDataObject = { ...operation.body };
	for (const { name, type, conversion, entries } of fields) {
		const extractValue = type === 'resourceLocator';
		const value: unknown = item.getNodeParameter(name, '', { extractValue });
		conversion?.enter(value, item, { query, body });
		if (entries.length === 0 || !isDataObject(value)) continue;
		for (const entry of entries) {
			if (!Object.hasOwn(value, entry.name)) continue;
			entry.conversion.enter(value[entry.name], item, { query, body });
		}
	}
	requestSettings(item);
	const fail = failure(item);
	for (const check of operation.checks ?? []) await check(item, body, fail);
	const upload = await operation.upload?.(item);
	const ids: ItemRequest['ids'] = {};
	for (const parameter of pathParameters(path)) {
		ids[parameter] = checkedId(parameter, await resolveId(item, parameter), fail);
	}
	const hasBody = Object.keys(body).length > 0 || operation.body !== undefined;
	const request: ApiRequest = {
		method,
		url: buildPath(path, ids, fail),
		...(Object.keys(query).length > 0 && { qs: query }),
		...(hasBody && { body }),
		...upload,
	};
	return { request, ids };
}

/**
 * Sends the requests of an item.
 *
 * @returns the operation's output, paired with the item
 * @throws NodeApiError; NodeOperationError for invalid Request Options
 */
export async function sendItem(
	{ fields, send, toItems = dataOrSuccess }: Operation,
	item: Item,
	{ request: apiOptions, ids }: ItemRequest,
): Promise<INodeExecutionData[]> {
	try {
		const outputs = send
			? await send(item, apiOptions, ids)
			: toItems(item, await request(item, apiOptions), ids);
		const pairedItem = { item: item.getItemIndex() };
		for (const output of outputs) output.pairedItem = pairedItem;
		return outputs;
	} catch (error) {
		throw nameMissingRecord(error, fields, ids, apiOptions.body);
	} finally {
		if (apiOptions.body instanceof MultipartBody) apiOptions.body.close();
	}
}
