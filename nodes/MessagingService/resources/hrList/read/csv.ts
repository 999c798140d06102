/** A row of a CSV file. */
export type CsvRow = {
	/** The line in which the row begins, counted from 1. Without `cells`, the line in which the broken cell begins. */
	line: number;
	/** Whether a cell has several lines. */
	hasLongCell: boolean;
	/** The cells as they are. Undefined if a quotation mark is never closed or not around a whole cell: no row follows. */
	cells?: string[];
};

/**
 * Reads the rows of a CSV file strictly as RFC 4180 says, with line ends of all three kinds. The time is linear in the length
 * of the text.
 */
export function* csvRows(text: string, delimiter: string): Generator<CsvRow, void> {
	const nextQuote = finder(text, '"');
	const nextDelimiter = finder(text, delimiter);
	const nextLf = finder(text, '\n');
	const nextCr = finder(text, '\r');
	const lineEndAfter = (from: number) => Math.min(nextLf(from), nextCr(from));
	let line = 1;
	/** The index at which the next cell begins. */
	let at = 0;
	while (at < text.length) {
		let end = lineEndAfter(at);
		const row: CsvRow = { line, hasLongCell: false };
		if (nextQuote(at) < end) {
			row.cells = [];
			for (; ; at = end + 1) {
				const isQuoted = text[at] === '"';
				end = isQuoted ? closingQuote(text, at) + 1 : Math.min(nextDelimiter(at), lineEndAfter(at));
				const cell = isQuoted ? text.slice(at + 1, end - 1) : text.slice(at, end);
				const isWhole = isQuoted ? endsCell(text, end, delimiter) : !cell.includes('"');
				if (!isWhole) return yield { line, hasLongCell: false };
				row.cells.push(isQuoted ? cell.replaceAll('""', '"') : cell);
				const lineEnds = isQuoted ? countLineEnds(cell) : 0;
				row.hasLongCell ||= lineEnds > 0;
				line += lineEnds;
				if (text[end] !== delimiter) break;
			}
		} else {
			row.cells = text.slice(at, end).split(delimiter);
		}
		yield row;
		at = end + (text.startsWith('\r\n', end) ? 2 : 1);
		line++;
	}
}

/** Returns the index of the quotation mark that closes the cell which opens at `start`, or of the end of the text. */
function closingQuote(text: string, start: number): number {
	for (let at = start + 1; ; at += 2) {
		at = text.indexOf('"', at);
		if (at === -1) return text.length;
		if (text[at + 1] !== '"') return at;
	}
}

/** Whether a cell may end before an index: a delimiter, a line end or the end of the text is there. */
function endsCell(text: string, end: number, delimiter: string): boolean {
	return end === text.length || [delimiter, '\n', '\r'].includes(text.charAt(end));
}

function countLineEnds(text: string): number {
	return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/**
 * Returns a function that finds the next place of a character at or after an index, or the end of the text. The indexes must
 * not descend, so that no part of the text is searched twice.
 */
function finder(text: string, wanted: string): (from: number) => number {
	let found = -1;
	return (from) => {
		if (found < from) {
			found = text.indexOf(wanted, from);
			if (found === -1) found = text.length;
		}
		return found;
	};
}
