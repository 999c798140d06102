import type { IExecuteFunctions } from 'n8n-workflow';

import { forEachWithBreaks, settle } from '../../../../shared/concurrency';
import { messageOf } from '../../../../shared/failure';
import { isBlank } from '../../../../shared/values';
import { itemFactory, type Item } from '../../../engine/item';
import { fileOf } from '../../../fields/fileContent';
import {
	columnsOf,
	describeColumns,
	missingColumns,
	type Columns,
	type ListRecord,
} from './columns';
import { csvRows } from './csv';
import { decode, kindOfFile, unreadableLines } from './decode';
import type { FoundProblem, Problems } from './problems';
import type { Settings } from './settings';

/** The delimiters, in the order in which a file with a single column prefers them. */
const DELIMITERS = [',', ';', '\t', '|'];

/** A CSV file of an input item. */
type CsvFile = {
	name: string;
	bytes: Buffer;
	itemIndex: number;
	/** Names a line in an error. */
	placeOf: (line: number) => string;
};

/** Reads the records of the CSV files of all input items. What is wrong with them is added to `problems`. */
export async function recordsInFiles(
	context: IExecuteFunctions,
	settings: Settings,
	problems: Problems,
): Promise<ListRecord[]> {
	const itemAt = itemFactory(context);
	const items = context.getInputData();
	let records: ListRecord[] = [];
	for (const itemIndex of items.keys()) {
		const reading = await settle(async () => await contentOf(itemAt(itemIndex)));
		if ('error' in reading) {
			problems.add(['noFile', `item ${itemIndex} (${messageOf(reading.error)})`]);
			continue;
		}
		const { name, bytes } = reading.result;
		const placeOf = (line: number) => (items.length > 1 ? `${name} line ${line}` : `line ${line}`);
		const file = { name, bytes, itemIndex, placeOf };
		records = records.concat(await recordsInFile(file, settings, problems));
	}
	return records;
}

async function contentOf(item: Item): Promise<{ name: string; bytes: Buffer }> {
	const { name, open } = await fileOf(item);
	const chunks: Uint8Array[] = [];
	for await (const chunk of await open()) chunks.push(chunk);
	return { name, bytes: Buffer.concat(chunks) };
}

/** Reads the records of one file. Blank rows are left out. */
async function recordsInFile(
	file: CsvFile,
	settings: Settings,
	problems: Problems,
): Promise<ListRecord[]> {
	const text = decode(file.bytes, settings.encoding);
	const unusable = problemsWithText(file, text);
	if (unusable.length > 0) {
		problems.add(...unusable);
		return [];
	}
	const header = findHeader(text, settings);
	problems.add(...problemsWithHeader(file.name, header, settings));
	const { delimiter, columns } = header;
	const width = columns.names.length;
	const records: ListRecord[] = [];
	let isHeader = true;
	await forEachWithBreaks(csvRows(text, delimiter), ({ line, hasLongCell, cells }) => {
		const place = file.placeOf(line);
		if (!cells) return problems.add(['quote', place]);
		if (cells.every(isBlank)) return;
		const isJoined = hasLongCell && cells.some((cell) => isSeveralRows(cell, delimiter));
		const isFit = cells.length >= width && cells.slice(width).every(isBlank);
		if (isJoined) problems.add(['joined', place]);
		if (!isFit) problems.add(['cells', `${place} (${cells.length} instead of ${width})`]);
		if (!isHeader) records.push({ columns, cells, place, itemIndex: file.itemIndex });
		isHeader = false;
	});
	if (records.length === 0) problems.add(['noRecords', file.name]);
	return records;
}

/** Whether a cell has several lines, a delimiter and an address: a quotation mark is missing. */
function isSeveralRows(cell: string, delimiter: string): boolean {
	return /[\r\n]/.test(cell) && cell.includes(delimiter) && cell.includes('@');
}

/** Returns why a file is no text that could have rows. */
function problemsWithText({ name, bytes, placeOf }: CsvFile, text: string): FoundProblem[] {
	const kind = kindOfFile(bytes, text);
	if (kind !== undefined) return [['notCsv', `${name} is ${kind}`]];
	if (isBlank(text)) return [['empty', name]];
	return unreadableLines(text).map((line) => ['unreadable', placeOf(line)]);
}

/** The first line of a file. `fitting`: the delimiters with which it has all wanted columns, and different cells. */
type Header = { delimiter: string; columns: Columns; fitting: string[] };

/**
 * Finds the delimiter of a file: the one with which its first line has all wanted columns. If none fits, takes the one with
 * most columns.
 */
function findHeader(text: string, { delimiter, wanted }: Settings): Header {
	const tried = delimiter === 'auto' ? DELIMITERS : [delimiter === 'tab' ? '\t' : delimiter];
	const headers = tried.map((one) => {
		const columns = columnsOf(firstRow(text, one), wanted);
		return { delimiter: one, columns, isFitting: missingColumns(columns, wanted).length === 0 };
	});
	headers.sort((a, b) => b.columns.names.length - a.columns.names.length);
	const fitting = headers.filter(({ isFitting }) => isFitting);
	const [chosen = { delimiter: ',', columns: columnsOf([], wanted) }] = [...fitting, ...headers];
	return { ...chosen, fitting: fitting.map((one) => one.delimiter) };
}

/** Returns why the first line of a file is not clear. */
function problemsWithHeader(
	name: string,
	{ columns, fitting }: Header,
	{ wanted }: Settings,
): FoundProblem[] {
	const missing = missingColumns(columns, wanted);
	// With a single column, every delimiter fits.
	if (fitting.length > 1 && columns.names.length > 1) {
		return [
			['delimiters', `${fitting.map((one) => JSON.stringify(one)).join(' and ')} in ${name}`],
		];
	}
	if (missing.length > 0) {
		const what = `${describeColumns(missing)} in ${name}`;
		return [['missing', `${what} (it has ${describeColumns(columns.names)})`]];
	}
	return columns.twice.map((column) => ['twice', `"${column}" in ${name}`]);
}

/** Returns the cells of the first row that is not blank, without those at its end that are blank. */
function firstRow(text: string, delimiter: string): string[] {
	for (const { cells } of csvRows(text, delimiter)) {
		if (!cells) return [];
		const length = cells.reduce((count, cell, index) => (isBlank(cell) ? count : index + 1), 0);
		if (length > 0) return cells.slice(0, length);
	}
	return [];
}
