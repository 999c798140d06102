import type { IDataObject } from 'n8n-workflow';

import { uniqueName } from '../../../../shared/surveyData';
import { nameSome } from '../../../../shared/truncate';
import { describeValue, normalizeName, trimmed } from '../../../../shared/values';
import type { Settings } from './settings';

/** A record of the list, before it is known whom it means. */
export type ListRecord = {
	columns: Columns;
	/** The values in the order of the columns. A file may have more, blank ones. */
	cells: Array<IDataObject[string]>;
	/** Where the record stands, for an error: `line 12`, `staff.csv line 12`, `item 3`. */
	place: string;
	/** The input item of the record or file. */
	itemIndex: number;
};

/** The columns of a CSV file, or the fields of a record. */
export type Columns = {
	/** The names in the list, trimmed. */
	names: string[];
	/** The names as they are compared. */
	keys: string[];
	/** Where the wanted columns are, in the order of `Settings.wanted`. -1 if one is missing. */
	places: number[];
	/** The number of columns, without those at the end that have no name. */
	width: number;
	/** The wanted columns that are there several times, for an error: `"status" in staff.csv`, `"status" (item 3)`. */
	twice: string[];
	/** The fields of the output and where their values are, in this order. -1 for a wanted column that is missing. */
	fields: Array<[name: string, index: number]>;
};

/**
 * Finds the wanted columns among the columns of a list, and names the fields of the output.
 *
 * @param where where the columns are, for an error: ` in staff.csv`, ` (item 3)`
 */
export function columnsOf(header: string[], wanted: Settings['wanted'], where: string): Columns {
	const names = header.map(trimmed);
	const keys = names.map(normalizeName);
	const places = [...wanted.keys()].map((key) => keys.indexOf(key));
	const isTwice = (key: string) => keys.indexOf(key) !== keys.lastIndexOf(key);
	const twice = [...wanted].flatMap(([key, name]) => (isTwice(key) ? `"${name}"${where}` : []));
	// No column replaces two fields of our own, and one that is no ordinary property of an object.
	const taken = new Set(['email', 'employed', '__proto__']);
	const fields: Columns['fields'] = [];
	// Wanted columns come first, so that no other column takes their names. Email Column may be our own field "email".
	for (const [order, [key, name]] of [...wanted].entries()) {
		if (order > 0 || key !== 'email') fields.push([uniqueName(name, taken), keys.indexOf(key)]);
	}
	for (const [index, name] of names.entries()) {
		if (name !== '' && !wanted.has(keys[index] ?? ''))
			fields.push([uniqueName(name, taken), index]);
	}
	const width = names.reduce((last, name, index) => (name === '' ? last : index + 1), 0);
	fields.sort(([, index], [, other]) => index - other);
	return { names, keys, places, width, twice, fields };
}

/**
 * Adds the wanted columns that are in none of these lists of columns, or several times in one, to `problems`.
 *
 * @param where where the columns are, for an error: ` in staff.csv`
 */
export function checkColumns(lists: Columns[], { wanted, problems }: Settings, where = ''): void {
	for (const column of lists.flatMap(({ twice }) => twice)) problems.add('twice', column);
	const has = (key: string) => lists.some(({ keys }) => keys.includes(key));
	const missing = [...wanted].flatMap(([key, name]) => (has(key) ? [] : name));
	const names = new Set(lists.flatMap((list) => list.names).filter((name) => name !== ''));
	const quoted = (list: Iterable<string>) => nameSome([...list].map(describeValue), 15);
	if (missing.length > 0)
		problems.add('missing', `${quoted(missing)}${where}. Its columns are ${quoted(names)}`);
}
