import type { IExecuteFunctions } from 'n8n-workflow';

import { forEachWithBreaks, settle } from '../../../../shared/concurrency';
import { messageOf } from '../../../../shared/failure';
import { fieldsIn, isBlank } from '../../../../shared/values';
import { itemFactory } from '../../../engine/item';
import { readWholeFile } from '../../../fields/fileContent';
import { columnsOf, missingColumns, type Columns, type ListRecord } from './columns';
import { csvRows } from './csv';
import { decode, kindOfFile, unreadableLines } from './decode';
import type { Problems } from './problems';
import type { Settings } from './settings';

/** The delimiters, in the order in which a file with a single column prefers them. */
const DELIMITERS = [',', ';', '\t', '|'];

/** A CSV file of an input item. `place` names a line in an error. */
type CsvFile = { name: string; bytes: Buffer; place: (line: number) => string; itemIndex: number };

/** Reads the records of the CSV files of all input items. What is wrong with them is added to `problems`. */
export async function recordsInFiles(
	context: IExecuteFunctions,
	settings: Settings,
	problems: Problems,
): Promise<ListRecord[]> {
	const itemAt = itemFactory(context);
	const items = context.getInputData();
	let records: ListRecord[] = [];
	for (const [itemIndex, { json }] of items.entries()) {
		const reading = await settle(async () => await readWholeFile(itemAt(itemIndex)));
		if ('error' in reading) {
			// With On Error: Continue, the node before puts its error into the item.
			const earlier = fieldsIn(json.error).message ?? json.error;
			const reason = typeof earlier === 'string' ? earlier : messageOf(reading.error);
			problems.add('noFile', `item ${itemIndex} (${reason})`);
			continue;
		}
		const { name, bytes } = reading.result;
		const place = (line: number) => `${items.length > 1 ? `${name} ` : ''}line ${line}`;
		const file = { name, bytes, place, itemIndex };
		records = records.concat(await recordsInFile(file, settings, problems));
	}
	return records;
}

/** Reads the records of one file. Blank rows are left out. */
async function recordsInFile(
	{ name, bytes, place, itemIndex }: CsvFile,
	settings: Settings,
	problems: Problems,
): Promise<ListRecord[]> {
	const text = decode(bytes, settings.encoding);
	const kind = kindOfFile(bytes, text);
	const unreadable = unreadableLines(text);
	if (kind !== undefined) problems.add('notCsv', `${name} is ${kind}`);
	else if (isBlank(text)) problems.add('empty', name);
	else for (const line of unreadable) problems.add('unreadable', place(line));
	if (kind !== undefined || isBlank(text) || unreadable.length > 0) return [];

	const { delimiter, columns } = findHeader(text, settings, name, problems);
	const isSeveralRows = (cell: string) =>
		/[\r\n]/.test(cell) && cell.includes(delimiter) && cell.includes('@');
	const width = columns.names.length;
	const records: ListRecord[] = [];
	let isHeader = true;
	await forEachWithBreaks(csvRows(text, delimiter), ({ line, cells, hasLongCell, isBroken }) => {
		if (isBroken) problems.add('quote', place(line));
		if (cells.every(isBlank)) return;
		const isFit = cells.length >= width && cells.slice(width).every(isBlank);
		if (!isFit) problems.add('cells', `${place(line)} (${cells.length} instead of ${width})`);
		if (hasLongCell && cells.some(isSeveralRows)) problems.add('joined', place(line));
		if (!isHeader) records.push({ columns, cells, place: place(line), itemIndex });
		isHeader = false;
	});
	if (records.length === 0) problems.add('noRecords', name);
	return records;
}

/**
 * Finds the delimiter of a file: the one with which its first line has all wanted columns. If no delimiter fits, returns the
 * one with most columns. What is wrong is added to `problems`.
 */
function findHeader(
	text: string,
	settings: Settings,
	name: string,
	problems: Problems,
): { delimiter: string; columns: Columns } {
	const { delimiter: chosen, wanted } = settings;
	const tried = chosen === 'auto' ? DELIMITERS : [chosen === 'tab' ? '\t' : chosen];
	const headers = tried.map((delimiter) => {
		const columns = columnsOf(firstRow(text, delimiter), wanted);
		return { delimiter, columns, missing: missingColumns([columns], settings, ` in ${name}`) };
	});
	headers.sort((a, b) => b.columns.names.length - a.columns.names.length);
	const fitting = headers.filter(({ missing }) => !missing);
	const [header = { delimiter: ',', columns: columnsOf([], wanted), missing: undefined }] = [
		...fitting,
		...headers,
	];
	if (header.missing) problems.add(...header.missing);
	for (const column of header.columns.twice) problems.add('twice', `"${column}" in ${name}`);
	// With a single column, every delimiter fits.
	if (fitting.length > 1 && header.columns.names.length > 1) {
		const named = fitting.map(({ delimiter }) => JSON.stringify(delimiter));
		problems.add('delimiters', `${named.join(' and ')} in ${name}`);
	}
	return header;
}

/** Returns the cells of the first row that is not blank, without blank ones at its end. */
function firstRow(text: string, delimiter: string): string[] {
	for (const { cells } of csvRows(text, delimiter)) {
		const length = cells.reduce((count, cell, index) => (isBlank(cell) ? count : index + 1), 0);
		if (length > 0) return cells.slice(0, length);
	}
	return [];
}
