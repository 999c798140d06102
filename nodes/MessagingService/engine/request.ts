import type { IDataObject, INode, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { jsonParse, NodeHelpers } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldAt, fieldLabel } from '../../shared/field';
import { LISTS } from '../../shared/lists/lists';
import { toPage } from '../../shared/transport/paging';
import { findByName, isDataObject, onlyOne, toName } from '../../shared/values';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { buildPath, checkedId, pathParameters } from '../../shared/transport/address';
import { Conversion } from './conversions';
import type { Operation } from './declaration';
import { request, requestSettings, type Item } from './item';
import { dataOrSuccess } from './output';
import { nameMissingRecord } from './missingRecord';

/** A field whose value is put into the request. For a collection, `entries` lists the fields in it that are sent. */
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

/** A request that is not sent yet. Its body is kept as JSON, which takes less than half the memory of the objects. */
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
	const { parameters } = item.getNode();
	for (const { name, type, conversion, entries } of fields) {
		const extractValue = type === 'resourceLocator';
		const value: unknown = item.getNodeParameter(name, '', { extractValue });
		conversion?.enter(value, item, { query, body }, parameters[name]);
		if (entries.length === 0 || !isDataObject(value)) continue;
		const saved: unknown = parameters[name];
		const savedEntries = isDataObject(saved) ? saved : {};
		for (const entry of entries) {
			if (!Object.hasOwn(value, entry.name)) continue;
			entry.conversion.enter(value[entry.name], item, { query, body }, savedEntries[entry.name]);
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
			: toItems(item, await request(item, apiOptions), ids, apiOptions);
		const pairedItem = { item: item.getItemIndex() };
		for (const output of outputs) output.pairedItem = pairedItem;
		return outputs;
	} catch (error) {
		throw nameMissingRecord(error, fields, ids, apiOptions.body);
	} finally {
		if (apiOptions.body instanceof MultipartBody) apiOptions.body.close();
	}
}

/**
 * Returns the ID that a locator holds. In the mode By Name, looks up the record in the list of its resource. This list
 * is read once per node run. All other modes send no request.
 *
 * @returns the value as entered, not yet checked
 * @throws NodeOperationError if no record, or more than one, has the name
 */
async function resolveId(item: Item, parameter: string): Promise<unknown> {
	const typed: unknown = item.getNode().parameters[parameter];
	// Reading a parameter is the most expensive part of an item. In the modes `id` and `list`, the value is the ID itself,
	// so one read is enough.
	if (isDataObject(typed) && (typed.mode === 'id' || typed.mode === 'list')) {
		return item.getNodeParameter(`${parameter}.value`, '');
	}
	const given: unknown = item.getNodeParameter(parameter, '');
	if (isDataObject(given) && (given.mode === 'id' || given.mode === 'list')) return given.value;
	if (!isDataObject(given) || given.mode !== 'name') {
		return item.getNodeParameter(parameter, '', { extractValue: true });
	}
	const name = toName(given.value, fieldAt(item, parameter));
	const found = await findNamed(item, parameter, name);
	if (found) return String(found._id);
	throw noSuchName(item, parameter, name);
}

/**
 * Returns the record with the given name.
 *
 * @returns undefined if no record has the name, or one that looks alike
 * @throws NodeOperationError if several records have the name; the errors of `fetchAllRecords`
 */
export async function findNamed(
	item: Item,
	parameter: string,
	name: string,
): Promise<IDataObject | undefined> {
	const fail = failure(item);
	const label = fieldLabel(parameter);
	const named = findByName(await fetchAllRecords(item, parameter), name);
	const advice = `Choose the right one by its ID: ${idsOf(named)}. Nothing was sent.`;
	return onlyOne(named, name, label.toLowerCase(), fail, advice);
}

function noSuchName(item: Item, parameter: string, name: string): Error {
	return failure(item)(
		`There is no ${fieldLabel(parameter).toLowerCase()} called "${name}"`,
		'Check the spelling of the name. Upper and lower case make no difference. The record must be visible to the owner of the credential. Nothing was sent.',
	);
}

/** Returns the IDs of records, for a message. */
export function idsOf(records: IDataObject[]): string {
	return records.map(({ _id }) => String(_id)).join(', ');
}

/**
 * Returns all records that a locator can refer to. They are read once per node run. If reading fails, all items that
 * need these records fail.
 *
 * @throws NodeApiError; NodeOperationError if the service returns only some of the records
 */
export async function fetchAllRecords(item: Item, parameter: string): Promise<IDataObject[]> {
	const list = LISTS[parameter];
	const fail = failure(item);
	if (!list) throw fail(`${fieldLabel(parameter)} cannot be looked up by name`);
	const { path, read } = list;
	const { listings } = item.run;
	const known = listings.get(path);
	if (known) return await known;
	const reading = read(
		async (qs) => toPage(item.getNode(), await request(item, { url: path, qs })),
		Infinity,
		fail,
		(message) => {
			throw fail(
				message,
				`It is therefore unknown which ${fieldLabel(parameter).toLowerCase()} has this name, or whether several have it. Enter its ID, or choose it from the list. Nothing was sent.`,
			);
		},
	);
	listings.set(path, reading);
	return await reading;
}
