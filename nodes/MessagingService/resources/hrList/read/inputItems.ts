import type { IExecuteFunctions } from 'n8n-workflow';

import { forEachWithBreaks } from '../../../../shared/concurrency';
import { isBlank, isDataObject } from '../../../../shared/values';
import { columnsOf, missingColumns, textOf, type Columns, type ListRecord } from './columns';
import { isUnreadable } from './decode';
import type { Problems } from './problems';
import type { Settings } from './settings';

/**
 * Reads each input item as a record. Blank items are left out. A wanted column may be missing in some records, because sources
 * leave out blank cells, but not in all. What is wrong is added to `problems`.
 */
export async function recordsInItems(
	context: IExecuteFunctions,
	settings: Settings,
	problems: Problems,
): Promise<ListRecord[]> {
	/** The columns of all records, by the names of their fields. */
	const columnsByNames = new Map<string, Columns>();
	const records: ListRecord[] = [];
	await forEachWithBreaks(context.getInputData(), ({ json }, itemIndex) => {
		const place = `item ${itemIndex}`;
		if (!isDataObject(json)) return problems.add('foreign', place);
		const cells = Object.values(json);
		const names = Object.keys(json);
		if (names.length === 0) return;
		const key = JSON.stringify(names);
		const columns = columnsByNames.get(key) ?? columnsOf(names, settings.wanted);
		columnsByNames.set(key, columns);
		for (const name of columns.twice) problems.add('twice', `"${name}" (${place})`);
		if (cells.some((cell) => isUnreadable(textOf(cell)))) problems.add('unreadable', place);
		records.push({ columns, cells, place, itemIndex });
	});
	const all = [...columnsByNames.values()];
	const filled = records.filter(({ cells }) => !cells.every(isBlank));
	const missing = missingColumns(all, settings);
	if (filled.length === 0) problems.add('noRecords', 'all input items are blank');
	else if (missing) problems.add(...missing);
	// A page that failed has other fields than the records: { error: … } or { employees: null }.
	const withEmail = all.filter(({ places: [email] }) => email !== -1);
	const known = new Set(withEmail.flatMap(({ keys }) => keys));
	const foreign = new Set(all.filter(({ keys }) => !keys.some((key) => known.has(key))));
	await forEachWithBreaks(records, ({ columns, place }) => {
		if (withEmail.length > 0 && foreign.has(columns)) problems.add('foreign', place);
	});
	return filled;
}
