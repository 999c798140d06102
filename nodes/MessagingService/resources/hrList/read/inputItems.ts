import type { INodeExecutionData } from 'n8n-workflow';

import { isBlank, isDataObject } from '../../../../shared/values';
import { asWritten } from '../../../sync/input';
import { checkColumns, columnsOf, type Columns, type ListRecord } from './columns';
import { isUnreadable } from './decode';
import type { Settings } from './settings';

/**
 * Reads each input item as a record. Blank items are left out. A wanted column may be missing in some records, because
 * sources leave out blank cells, but not in all. What is wrong is added to `problems`.
 */
export function* recordsInItems(
	items: INodeExecutionData[],
	settings: Settings,
): Generator<ListRecord> {
	const { wanted, problems } = settings;
	/** The columns of all records, by the names of their fields. */
	const columnsByNames = new Map<string, Columns>();
	const withoutEmail: ListRecord[] = [];
	let count = 0;
	for (const [itemIndex, { json }] of items.entries()) {
		const place = `item ${itemIndex}`;
		const names = isDataObject(json) ? Object.keys(json) : undefined;
		if (!names) problems.add('foreign', place);
		if (!names || names.length === 0) continue;
		const key = JSON.stringify(names);
		const columns = columnsByNames.get(key) ?? columnsOf(names, wanted, ` (${place})`);
		columnsByNames.set(key, columns);
		const cells = Object.values(json);
		const record = { columns, cells, place, itemIndex };
		if (columns.places[0] === -1) withoutEmail.push(record);
		if (cells.some((cell) => isUnreadable(asWritten(cell)))) problems.add('unreadable', place);
		if (cells.every(isBlank)) continue;
		yield record;
		count++;
	}
	const all = [...columnsByNames.values()];
	if (count === 0) problems.add('noRecords', 'all input items are blank');
	else checkColumns(all, settings);
	// A page that failed has other fields than the records: { error: … } or { employees: null }. Another page may call the email
	// column by another name.
	const known = new Set(all.flatMap(({ keys, places: [email] }) => (email === -1 ? [] : keys)));
	for (const { columns, cells, place } of known.size > 0 ? withoutEmail : []) {
		const others = cells.filter((_, index) => !known.has(columns.keys[index] ?? ''));
		if (others.length === cells.length || others.some((cell) => asWritten(cell).includes('@')))
			problems.add('foreign', place);
	}
}
