import type { IDataObject } from 'n8n-workflow';

import { nameSome, truncate } from '../../../../shared/truncate';
import { normalizeName, trimmed } from '../../../../shared/values';
import type { Settings } from './settings';

/** The columns of a CSV file, or of a record. */
export type Columns = {
	/** The names in the list. */
	names: string[];
	/** The names as they are compared. */
	keys: string[];
	/**
	 * The fields of the output, first for the columns, then for wanted columns that are missing. Undefined for a column that is
	 * left out: it has no name, or it is the field `email`.
	 */
	fields: Array<string | undefined>;
	/** Where the wanted columns are: Email Column, Status Column if there is one, and the others. -1 if one is missing. */
	places: number[];
	/** The wanted columns that are there several times. */
	twice: string[];
};

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

/** Fields that no column of the list replaces: two of our own, and one that is no ordinary property of an object. */
const RESERVED = ['email', 'employed', '__proto__'];

/** Finds the wanted columns among the columns of a list, and names the fields of the output. */
export function columnsOf(names: string[], wanted: Settings['wanted']): Columns {
	const keys = names.map(normalizeName);
	const wantedKeys = [...wanted.keys()];
	const places = wantedKeys.map((key) => keys.indexOf(key));
	const twice = [...wanted].flatMap(([key, name]) =>
		keys.indexOf(key) === keys.lastIndexOf(key) ? [] : [name],
	);
	const taken = new Set(RESERVED);
	// Wanted columns first, so that no other column takes their names. Email Column may be called like our own field.
	const wantedFields = new Map(
		[...wanted].map(([key, name], index) => {
			const isOwn = index === 0 && key === 'email';
			return [key, isOwn ? undefined : freeName(name, taken)];
		}),
	);
	const fields = names.map((name, index) => {
		const key = keys[index] ?? '';
		if (wantedFields.has(key)) return wantedFields.get(key);
		return key === '' ? undefined : freeName(trimmed(name), taken);
	});
	const missing = wantedKeys.filter((key) => !keys.includes(key));
	fields.push(...missing.map((key) => wantedFields.get(key)));
	return { names, keys, fields, places, twice };
}

/** Returns the wanted columns that are missing. */
export function missingColumns({ places }: Columns, wanted: Settings['wanted']): string[] {
	return [...wanted.values()].filter((_name, index) => places[index] === -1);
}

/** Returns a name that is not taken, and takes it: `Team`, `Team (2)`, `Team (3)`. */
function freeName(name: string, taken: Set<string>): string {
	let free = name;
	for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
	taken.add(free);
	return free;
}

/** Returns the value of a cell as text. Undefined and null are blank. */
export function textOf(value: IDataObject[string]): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Maximum number of columns, and of characters of a column, that an error lists. */
const MOST_COLUMNS = 15;
const LONGEST_COLUMN = 30;

/** Lists names of columns for an error: `"email", "Team"`. */
export function describeColumns(names: Iterable<string>): string {
	const shown = [...names].filter((name) => normalizeName(name) !== '');
	const quoted = shown.map((name) => `"${truncate(trimmed(name), LONGEST_COLUMN)}"`);
	return nameSome(quoted, MOST_COLUMNS);
}
