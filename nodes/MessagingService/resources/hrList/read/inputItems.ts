import type { IExecuteFunctions } from 'n8n-workflow';

import { forEachWithBreaks } from '../../../../shared/concurrency';
import { isBlank, isDataObject } from '../../../../shared/values';
import { columnsOf, describeColumns, textOf, type Columns, type ListRecord } from './columns';
import { isUnreadable } from './decode';
import type { Problems } from './problems';
import type { Settings } from './settings';

/**
 * Reads each input item as a record. Items without a value are left out. A wanted column is missing if no record has it, because
 * some sources leave out blank cells. What is wrong with the items is added to `problems`.
 */
export async function recordsInItems(
	context: IExecuteFunctions,
	{ wanted }: Settings,
	problems: Problems,
): Promise<ListRecord[]> {
	/** The columns of the records, by the names of their fields. */
	const columnsByNames = new Map<string, Columns>();
	const records: ListRecord[] = [];
	await forEachWithBreaks(context.getInputData(), ({ json }, itemIndex) => {
		const place = `item ${itemIndex}`;
		if (!isDataObject(json)) return problems.add(['foreign', place]);
		const cells = Object.values(json);
		if (cells.every(isBlank)) return;
		const names = Object.keys(json);
		const key = JSON.stringify(names);
		const columns = columnsByNames.get(key) ?? columnsOf(names, wanted);
		columnsByNames.set(key, columns);
		if (cells.some((cell) => isUnreadable(textOf(cell)))) problems.add(['unreadable', place]);
		for (const name of columns.twice) problems.add(['twice', `"${name}" (${place})`]);
		records.push({ columns, cells, place, itemIndex });
	});
	const all = [...columnsByNames.values()];
	if (records.length === 0) problems.add(['noRecords', 'all input items are blank']);
	else {
		const missing = [...wanted.values()].filter((_name, index) =>
			all.every(({ places }) => places[index] === -1),
		);
		const names = new Set(all.flatMap((columns) => columns.names));
		if (missing.length > 0)
			problems.add(['missing', `${describeColumns(missing)} (it has ${describeColumns(names)})`]);
	}
	const known = new Set(
		all.filter(({ places: [email] }) => email !== -1).flatMap(({ keys }) => keys),
	);
	const foreign = new Set(all.filter(({ keys }) => !keys.some((key) => known.has(key))));
	for (const { columns, place } of records)
		if (foreign.has(columns)) problems.add(['foreign', place]);
	return records;
}
