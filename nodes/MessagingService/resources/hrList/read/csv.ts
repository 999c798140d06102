import { isBlank } from '../../../../shared/values';

/** A row of a CSV file. */
export type CsvRow = {
	/** The line in which the row begins, counted from 1. If the row is broken, the line in which its broken cell begins. */
	line: number;
	/** The cells as they are. */
	cells: string[];
	/** Whether a quotation mark is never closed or not around a whole cell. No row follows. */
	isBroken?: true;
};

/**
 * Reads the rows of a CSV file strictly as RFC 4180 says, with line ends of all three kinds. Rows without any text are left
 * out. The time is linear in the length of the text.
 */
export function* csvRows(text: string, delimiter: string): Generator<CsvRow, void> {
	const inQuotes = '"([^"]*(?:""[^"]*)*)"';
	const plain = `([^"${delimiter}\\r\\n]*)`;
	const cell = new RegExp(`(?:${inQuotes}|${plain})(\\r\\n|[${delimiter}\\r\\n]|$)`, 'y');
	let line = 1;
	let row: CsvRow = { line, cells: [] };
	while (cell.lastIndex < text.length || row.cells.length > 0) {
		const match = cell.exec(text);
		if (!match) return yield { line, cells: [], isBroken: true };
		const [, quoted, unquoted = '', end] = match;
		row.cells.push(quoted?.replaceAll('""', '"') ?? unquoted);
		line += quoted?.match(/\r\n|\r|\n/g)?.length ?? 0;
		if (end === delimiter) continue;
		if (!row.cells.every(isBlank)) yield row;
		line++;
		row = { line, cells: [] };
	}
}
