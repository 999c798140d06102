import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { labelOf } from '../../shared/field';
import { isDataObject } from '../../shared/values';
import { LISTS } from '../../shared/lists/lists';
import { findOnlyByName } from '../../shared/names';
import { toPage } from '../../shared/transport/paging';
import { request, type Item } from './item';

/**
 * Returns the ID that a locator holds. "By Name" looks the record up in the list of its resource, which is read once per
 * node run; any other mode costs no request.
 *
 * @returns the value as entered, not yet checked
 * @throws NodeOperationError if no record, or more than one, has the name
 */
export async function resolveId(item: Item, parameter: string): Promise<unknown> {
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
	const name = typeof given.value === 'string' ? given.value.trim() : String(given.value ?? '');
	const found = await findNamed(item, parameter, name);
	if (found) return String(found._id);
	throw noSuchName(item, parameter, name);
}

/**
 * Returns the record of a name.
 *
 * @param find compares the names
 * @returns undefined if no record has the name
 * @throws NodeOperationError if the name is blank, or several records have it
 */
export async function findNamed(
	item: Item,
	parameter: string,
	name: string,
	find: typeof findOnlyByName = findOnlyByName,
): Promise<IDataObject | undefined> {
	const fail = failure(item);
	const label = labelOf(parameter);
	if (name === '') throw fail(`${label} is missing: enter its name, or choose it from the list`);
	return find(
		await fetchAllRecords(item, parameter),
		name,
		label.toLowerCase(),
		fail,
		(several) => `Choose the right one by its ID: ${idsOf(several)}. Nothing was sent.`,
	);
}

/** Returns the error for a name that no record has. */
export function noSuchName(item: Item, parameter: string, name: string): Error {
	return failure(item)(
		`There is no ${labelOf(parameter).toLowerCase()} called "${name}"`,
		'Check the spelling of the name. Upper and lower case make no difference. The record must be visible to the owner of the credential. Nothing was sent.',
	);
}

/** Returns the IDs of records, for a message. */
export function idsOf(records: IDataObject[]): string {
	return records.map(({ _id }) => String(_id)).join(', ');
}

/**
 * Returns all records that a locator can refer to. Reads them once per node run: if that fails, it fails for all items.
 *
 * @throws NodeApiError; NodeOperationError if the service returns only some of them
 */
export async function fetchAllRecords(item: Item, parameter: string): Promise<IDataObject[]> {
	const list = LISTS[parameter];
	const fail = failure(item);
	if (!list) throw fail(`${labelOf(parameter)} cannot be looked up by name`);
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
				`It is therefore unknown which ${labelOf(parameter).toLowerCase()} has this name, or whether it is the only one. Enter its ID, or choose it from the list. Nothing was sent.`,
			);
		},
	);
	listings.set(path, reading);
	return await reading;
}
