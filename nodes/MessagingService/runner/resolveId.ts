import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { labelOf } from '../../shared/field';
import { isDataObject } from '../../shared/typeGuards';
import { LISTS } from '../../shared/lists/lists';
import { findByName } from '../../shared/names';
import { toPage } from '../../shared/transport/paging';
import { request, runOf, type Item } from './item';

/**
 * The id that a builder gave in a locator. Given "By Name", the record is looked up in the list of its resource, which is
 * read once a node run; any other way costs no request.
 *
 * @returns what was given, not yet checked
 * @throws NodeOperationError when no record has that name, or several have
 */
export async function resolveId(item: Item, parameter: string): Promise<unknown> {
	const typed: unknown = item.getNode().parameters[parameter];
	// Only out of a URL there is something to extract; reading a parameter is the dearest part of an item.
	if (isDataObject(typed) && (typed.mode === 'id' || typed.mode === 'list')) {
		return item.getNodeParameter(`${parameter}.value`, '');
	}
	const given: unknown = item.getNodeParameter(parameter, '');
	if (isDataObject(given) && (given.mode === 'id' || given.mode === 'list')) return given.value;
	if (!isDataObject(given) || given.mode !== 'name') {
		return item.getNodeParameter(parameter, '', { extractValue: true });
	}
	const name = typeof given.value === 'string' ? given.value.trim() : String(given.value ?? '');
	const fail = failure(item);
	const what = labelOf(parameter);
	if (name === '') throw fail(`${what} is missing: enter its name, or choose it from the list`);
	const found = findByName(await fetchAllRecords(item, parameter), name).map(({ _id }) =>
		String(_id),
	);
	const [id, ...others] = found;
	if (id === undefined) {
		throw fail(
			`There is no ${what.toLowerCase()} called "${name}"`,
			'Check the name: upper and lower case do not matter, everything else does. Only what the owner of the credential may see is found. Nothing was sent.',
		);
	}
	if (others.length > 0) {
		throw fail(
			`${found.length} ${what.toLowerCase()}s are called "${name}"`,
			`Give the right one by its ID: ${found.join(', ')}. Nothing was sent.`,
		);
	}
	return id;
}

/**
 * All records that a locator may mean, read once a node run.
 *
 * @throws NodeApiError; NodeOperationError when the service gives only a part of them
 */
export async function fetchAllRecords(item: Item, parameter: string): Promise<IDataObject[]> {
	const list = LISTS[parameter];
	const fail = failure(item);
	if (!list) throw fail(`${labelOf(parameter)} cannot be given by its name`);
	const { path, read } = list;
	const { listings } = runOf(item);
	const known = listings.get(path);
	if (known) return await known;
	const reading = read(
		async (qs) => toPage(item.getNode(), await request(item, { url: path, qs })),
		Infinity,
		fail,
		(message) => {
			throw fail(
				message,
				`So nobody can tell which ${labelOf(parameter).toLowerCase()} has that name, and whether it is the only one. Give it by its ID, or choose it from the list. Nothing was sent.`,
			);
		},
	);
	listings.set(path, reading);
	// A list that could not be read is asked for again by the next item.
	reading.catch(() => listings.delete(path));
	return await reading;
}
