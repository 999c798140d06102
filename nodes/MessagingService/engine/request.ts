import { NodeHelpers, type IDataObject, type INode, type INodeProperties } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldInfo, fieldLabel } from '../../shared/field';
import { fillPath, checkedId } from '../../shared/transport/address';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { toPage, type FetchPage, type Listing } from '../../shared/transport/paging';
import { savedChoicesCheck } from '../../shared/savedChoices';
import { fieldsIn, findByName, isDataObject, onlyMatch, toName } from '../../shared/values';
import { LISTS } from '../lists/locatorLists';
import { FieldRouting, type RequestParts } from './conversions';
import type { ItemRequest, Operation } from './declaration';
import { onePerRun, requestSettings, type Item } from './item';
import { callApi } from './sendItem';

/** A field whose value is put into the request. For a collection, `entries` lists the fields in it that are sent. */
type RoutedField = {
	field: INodeProperties;
	routing?: FieldRouting;
	entries: Array<{ name: string; routing: FieldRouting }>;
};

/**
 * Converts and checks the parameters of an item, and returns its request. Sends only requests that read, for example a list
 * to find a name.
 *
 * @throws for invalid input: the errors of the conversions, the checks, Request Options and the IDs in the path
 */
export type BuildRequest = (item: Item) => Promise<ItemRequest>;

/**
 * Prepares the requests of an operation. The returned function takes a node, and returns the function that builds the request
 * of an item.
 */
export function requestBuilder(operation: Operation): (node: INode) => BuildRequest {
	const checkChoices = savedChoicesCheck(operation.fields);
	const routed = operation.fields
		.map(routedField)
		.filter(({ routing, entries }) => routing !== undefined || entries.length > 0);
	const locators = operation.fields.filter(({ type }) => type === 'resourceLocator');
	// Only Sync has no endpoint. It builds its requests itself.
	const [method, path] = operation.endpoint ?? ['GET', ''];
	return (node) => {
		// They are the same for all items, because n8n compares display conditions with the parameters as saved, in which an
		// expression makes every dependent field visible.
		const visible = routed.filter(({ field }) =>
			NodeHelpers.displayParameter(node.parameters, field, node, null),
		);
		return async (item) => {
			const fail = failure(item);
			checkChoices(node.parameters, fail);
			const parts: RequestParts = { query: {}, body: { ...operation.body } };
			for (const field of visible) addField(field, item, parts);
			const { query, body } = parts;
			// Invalid Request Options fail here, before anything is sent.
			requestSettings(item);
			for (const check of operation.checks ?? []) await check(item, body, fail);
			const upload = await operation.uploadRequest?.(item);
			const ids: ItemRequest['ids'] = {};
			for (const { name } of locators)
				ids[name] = checkedId(name, await selectedId(item, name), fail);
			const hasBody = Object.keys(body).length > 0 || operation.body !== undefined;
			const request: ApiRequest = {
				method,
				url: fillPath(path, ids),
				...(Object.keys(query).length > 0 && { qs: query }),
				...(hasBody && { body }),
				...upload,
			};
			return { request, ids };
		};
	};
}

function routedField(field: INodeProperties): RoutedField {
	const { type, routing, options = [] } = field;
	const entries = (type === 'collection' ? options : []).flatMap((entry) =>
		'type' in entry && entry.routing instanceof FieldRouting
			? [{ name: entry.name, routing: entry.routing }]
			: [],
	);
	return { field, routing: routing instanceof FieldRouting ? routing : undefined, entries };
}

/** Adds the value of a field to the request. Of a collection, adds the fields that the user added. */
function addField(
	{ field: { name, type }, routing, entries }: RoutedField,
	item: Item,
	parts: RequestParts,
): void {
	const extractValue = type === 'resourceLocator';
	const value: unknown = item.getNodeParameter(name, '', { extractValue });
	const saved: unknown = item.getNode().parameters[name];
	routing?.apply(value, item, parts, saved);
	if (entries.length === 0) return;
	const added = fieldsIn(value);
	for (const entry of entries) {
		if (!Object.hasOwn(added, entry.name)) continue;
		entry.routing.apply(added[entry.name], item, parts, fieldsIn(saved)[entry.name]);
	}
}

/** The lists that were read, for example to find records by name, by their path. Each list is read once. */
const listingsOf = onePerRun(() => new Map<string, Promise<Listing>>());

/**
 * Returns the ID of the record that a locator selects, not yet checked. The modes From List, By ID and By URL contain the ID.
 * By Name contains a name, which is looked up in the list of the resource.
 *
 * @throws NodeOperationError if the name is blank, or if no record, or more than one, has it; the errors of `findNamed`
 */
async function selectedId(item: Item, parameter: string): Promise<unknown> {
	const saved = fieldsIn(item.getNode().parameters[parameter]);
	// Reading the value alone is faster than reading the whole locator.
	if (saved.mode === 'id' || saved.mode === 'list')
		return item.getNodeParameter(`${parameter}.value`, '');
	const locator: unknown = item.getNodeParameter(parameter, '');
	// A plain ID if an expression fills the whole parameter.
	if (!isDataObject(locator)) return locator;
	const { mode, value } = locator;
	if (mode === 'url') return item.getNodeParameter(parameter, '', { extractValue: true });
	if (mode !== 'name') return value;
	const name = toName(value, fieldInfo(item, parameter));
	const found = await findNamed(item, parameter, name);
	if (found) return String(found._id);
	throw failure(item)(
		`There is no ${fieldLabel(parameter).toLowerCase()} called "${name}"`,
		'Check the spelling of the name. Upper and lower case make no difference. The record must be visible to the owner of the access key. Nothing was sent.',
	);
}

/**
 * Returns the record with the given name.
 *
 * @returns undefined if no record has the name or a name that looks alike
 * @throws NodeOperationError if several records have the name, or the list lacks some; the errors of `listRecords`
 */
export async function findNamed(
	item: Item,
	parameter: string,
	name: string,
): Promise<IDataObject | undefined> {
	const { records, problem } = await listRecords(item, parameter);
	const what = fieldLabel(parameter).toLowerCase();
	if (problem !== undefined) {
		throw failure(item)(
			problem,
			`It is therefore unknown which ${what} has this name, or whether several have it. Enter its ID, or choose it from the list. Nothing was sent.`,
		);
	}
	const named = findByName(records, name);
	const ids = named.map(({ _id }) => String(_id)).join(', ');
	const advice = `Use the ID of the right one (${ids}), or rename the others. Nothing was sent.`;
	return onlyMatch(named, name, what, failure(item), advice);
}

/** Makes the next call of `listRecords` or `findNamed` read the list again. */
export function forgetRecords(item: Item, parameter: string): void {
	listingsOf(item).delete(LISTS[parameter]?.path ?? '');
}

/** Returns all records that a locator can refer to. They are read once per node run. @throws NodeApiError */
export async function listRecords(item: Item, parameter: string): Promise<Listing> {
	const list = LISTS[parameter];
	if (!list) throw failure(item)(`${fieldLabel(parameter)} cannot be looked up by name`);
	const { path, read } = list;
	const listings = listingsOf(item);
	const fetchPage: FetchPage = async (qs) =>
		toPage(item.getNode(), await callApi(item, { url: path, qs }));
	const reading = listings.get(path) ?? read(fetchPage);
	listings.set(path, reading);
	return await reading;
}
