import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldInfo, fieldLabel } from '../../shared/field';
import { toPage } from '../../shared/transport/paging';
import { findByName, isDataObject, onlyMatch, toName } from '../../shared/values';
import { LISTS } from '../lists/lists';
import type { Item } from './item';
import { callApi } from './sendItem';

/**
 * Returns the ID of the record that a locator selects, not yet checked. The modes From List, By ID and By URL contain the ID.
 * By Name contains a name, which is looked up in the list of the resource.
 *
 * @throws NodeOperationError if the name is blank, or if no record, or more than one, has it; the errors of `findNamed`
 */
export async function selectedId(item: Item, parameter: string): Promise<unknown> {
	const locator = readLocator(item, parameter);
	if (!isDataObject(locator)) return locator;
	const { mode, value } = locator;
	if (mode === 'url') return item.getNodeParameter(parameter, '', { extractValue: true });
	if (mode !== 'name') return value;
	const name = toName(value, fieldInfo(item, parameter));
	const found = await findNamed(item, parameter, name);
	if (found) return String(found._id);
	throw failure(item)(
		`There is no ${fieldLabel(parameter).toLowerCase()} called "${name}"`,
		'Check the spelling of the name. Upper and lower case make no difference. The record must be visible to the owner of the credential. Nothing was sent.',
	);
}

/** Returns the value of a locator, with its mode, or a plain ID if an expression fills the whole parameter. */
function readLocator(item: Item, parameter: string): unknown {
	const saved: unknown = item.getNode().parameters[parameter];
	if (!isDataObject(saved) || !['id', 'list', 'name'].includes(String(saved.mode))) {
		return item.getNodeParameter(parameter, '');
	}
	// Reading the value alone is faster than reading the whole locator.
	return { mode: saved.mode, value: item.getNodeParameter(`${parameter}.value`, '') };
}

/**
 * Returns the record with the given name.
 *
 * @returns undefined if no record has the name or a name that looks alike
 * @throws NodeOperationError if several records have the name; the errors of `fetchAllRecords`
 */
export async function findNamed(
	item: Item,
	parameter: string,
	name: string,
): Promise<IDataObject | undefined> {
	const named = findByName(await fetchAllRecords(item, parameter), name);
	const ids = named.map(({ _id }) => String(_id)).join(', ');
	const advice = `Use the ID of the right one (${ids}), or rename the others. Nothing was sent.`;
	return onlyMatch(named, name, fieldLabel(parameter).toLowerCase(), failure(item), advice);
}

/**
 * Returns all records that a locator can refer to. They are read once per node run. If reading fails, all items that
 * need these records fail.
 *
 * @throws NodeApiError; NodeOperationError if the service returns only some of the records
 */
async function fetchAllRecords(item: Item, parameter: string): Promise<IDataObject[]> {
	const list = LISTS[parameter];
	const fail = failure(item);
	if (!list) throw fail(`${fieldLabel(parameter)} cannot be looked up by name`);
	const { path, read } = list;
	const { listings } = item.run;
	const known = listings.get(path);
	if (known) return await known;
	const reading = read(async (qs) =>
		toPage(item.getNode(), await callApi(item, { url: path, qs })),
	).then(({ records, problem }) => {
		if (!problem) return records;
		throw fail(
			problem,
			`It is therefore unknown which ${fieldLabel(parameter).toLowerCase()} has this name, or whether several have it. Enter its ID, or choose it from the list. Nothing was sent.`,
		);
	});
	listings.set(path, reading);
	return await reading;
}
