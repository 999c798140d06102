import type { IExecuteFunctions } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { isBlank } from '../../../../shared/values';
import { itemFactory } from '../../../engine/item';
import { readWholeFile } from '../../../fields/fileContent';
import { checkColumns, columnsOf, type ListRecord } from './columns';
import { csvRows } from './csv';
import { decode, isUnreadable, NO_CSV } from './decode';
import type { Settings } from './settings';

/** The file of an input item. `prefix` comes before the number of a line in an error. */
type ItemFile = { name: string; bytes: Buffer; prefix: string; itemIndex: number };

/** Reads the files of all input items. A missing file is added to `problems`. */
export async function readFiles(context: IExecuteFunctions, { problems }: Settings) {
	const itemAt = itemFactory(context);
	const files: ItemFile[] = [];
	const items = context.getInputData();
	for (const [itemIndex, { json }] of items.entries()) {
		try {
			const file = await readWholeFile(itemAt(itemIndex));
			files.push({ ...file, prefix: items.length > 1 ? `${file.name} ` : '', itemIndex });
		} catch (error) {
			// With On Error: Continue, the node before puts its error into the item.
			problems.add('noFile', `item ${itemIndex} (${messageOf(json.error ?? error)})`);
		}
	}
	return files;
}

/** Reads the records of a CSV file. Blank rows are left out. What is wrong is added to `problems`. */
export function* recordsInFile(
	{ name, bytes, prefix, itemIndex }: ItemFile,
	settings: Settings,
): Generator<ListRecord, void> {
	const { problems, encoding } = settings;
	const text = decode(bytes, encoding);
	if (NO_CSV.test(text)) return problems.add('notCsv', name);
	if (isBlank(text)) return problems.add('empty', name);
	const { delimiter, columns } = findHeader(text, settings, name);
	const isSeveralRows = (cell: string) =>
		cell.includes('@') && cell.includes(delimiter) && /[\r\n]/.test(cell);
	let count = 0;
	for (const { line, cells, isBroken } of csvRows(text, delimiter)) {
		const place = `${prefix}line ${line}`;
		if (isBroken) problems.add(isUnreadable(text) ? 'unreadable' : 'quote', place);
		if (cells.some(isUnreadable)) problems.add('unreadable', place);
		const isFit = cells.length >= columns.width && cells.slice(columns.width).every(isBlank);
		if (!isFit) problems.add('cells', `${place} (${cells.length} instead of ${columns.width})`);
		if (cells.some(isSeveralRows)) problems.add('joined', place);
		// The first row is the header.
		if (count++ > 0) yield { columns, cells, place, itemIndex };
	}
	if (count <= 1) problems.add('noRecords', name);
}

/** The delimiters, in the order in which a file with a single column prefers them. */
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Finds the delimiter of a file: the one with which its first line has all wanted columns. If no delimiter fits, returns the
 * one with most columns. What is wrong is added to `problems`.
 */
function findHeader(text: string, settings: Settings, name: string) {
	const { delimiter: chosen, wanted, problems } = settings;
	const where = ` in ${name}`;
	const tried = chosen === 'auto' ? DELIMITERS : [chosen];
	const headers = tried.map((delimiter) => {
		const [first] = csvRows(text, delimiter);
		return { delimiter, columns: columnsOf(first?.cells ?? [], wanted, where) };
	});
	const fitting = headers.filter(({ columns }) => !columns.places.includes(-1));
	const header = (fitting.length > 0 ? fitting : headers).reduce((widest, other) =>
		other.columns.width > widest.columns.width ? other : widest,
	);
	checkColumns([header.columns], settings, where);
	// With a single column, every delimiter fits.
	if (fitting.length > 1 && header.columns.width > 1) {
		const named = fitting.map(({ delimiter }) => JSON.stringify(delimiter));
		problems.add('delimiters', `${named.join(' and ')}${where}`);
	}
	return header;
}
