import type { IDataObject } from 'n8n-workflow';

import { nameSome, truncate } from '../../../../shared/truncate';
import { normalizeName, trimmed } from '../../../../shared/values';
import type { FoundProblem } from './problems';
import type { Settings } from './settings';

export type Cell = IDataObject[string];

/** A record of the list, before it is known whom it means. */
export type ListRecord = {
	columns: Columns;
	/** The values in the order of the columns. A file may have more, blank ones. */
	cells: Cell[];
	/** Where the record stands, for an error: `line 12`, `staff.csv line 12`, `item 3`. */
	place: string;
	/** The input item of the record or file. */
	itemIndex: number;
};

/** The columns of a CSV file, or the fields of a record. */
export type Columns = {
	/** The names in the list. */
	names: string[];
	/** The names as they are compared. */
	keys: string[];
	/** Where the wanted columns are, in the order of `Settings.wanted`. -1 if one is missing. */
	places: number[];
	/** The wanted columns that are there several times. */
	twice: string[];
	/**
	 * The fields of the output: for the columns, then for the missing wanted ones. Undefined for a column that is left out: it
	 * has no name, or it becomes our own field `email`.
	 */
	fields: Array<string | undefined>;
};

/** Fields that no column of the list replaces: two of our own, and one that is no ordinary property of an object. */
const RESERVED = ['email', 'employed', '__proto__'];

/** Finds the wanted columns among the columns of a list, and names the fields of the output. */
export function columnsOf(names: string[], wanted: Settings['wanted']): Columns {
	const keys = names.map(normalizeName);
	const isTwice = (key: string) => keys.indexOf(key) !== keys.lastIndexOf(key);
	const taken = new Set(RESERVED);
	// Wanted columns come first, so that no other column takes their names.
	const wantedFields = new Map(
		[...wanted].map(([key, name], index) => {
			const isOwnField = index === 0 && key === 'email';
			return [key, isOwnField ? undefined : freeName(name, taken)];
		}),
	);
	const fieldOf = (key: string, name: string) => {
		if (wantedFields.has(key)) return wantedFields.get(key);
		return key === '' ? undefined : freeName(name, taken);
	};
	const fields = keys.map((key, index) => fieldOf(key, trimmed(names[index])));
	const missing = [...wanted.keys()].filter((key) => !keys.includes(key));
	return {
		names,
		keys,
		places: [...wanted.keys()].map((key) => keys.indexOf(key)),
		twice: [...wanted].flatMap(([key, name]) => (isTwice(key) ? [name] : [])),
		fields: [...fields, ...missing.map((key) => wantedFields.get(key))],
	};
}

/** Returns a name that is not taken, and takes it: `Team`, `Team (2)`, `Team (3)`. */
function freeName(name: string, taken: Set<string>): string {
	let free = name;
	for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
	taken.add(free);
	return free;
}

/** Maximum number of columns, and of characters of a name, that an error lists. */
const MOST_COLUMNS = 15;
const LONGEST_NAME = 30;

/** Returns the problem that wanted columns are in none of these lists of columns. @param where the name of a file, or '' */
export function missingColumns(
	lists: Columns[],
	{ wanted }: Settings,
	where = '',
): FoundProblem | undefined {
	const quoted = (names: Iterable<string>) =>
		[...names].map((name) => `"${truncate(trimmed(name), LONGEST_NAME)}"`);
	const missing = [...wanted.values()].filter((_name, index) =>
		lists.every(({ places }) => places[index] === -1),
	);
	if (missing.length === 0) return undefined;
	const present = new Set(
		lists.flatMap(({ names }) => names.filter((name) => trimmed(name) !== '')),
	);
	const its = nameSome(quoted(present), MOST_COLUMNS);
	return ['missing', `${quoted(missing).join(', ')}${where}. Its columns are ${its}`];
}

/** Returns the value of a cell as text. Undefined and null are blank. */
export function textOf(value: Cell): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
