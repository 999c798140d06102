/** Reads a table: a row a line, cells between ` ⇒ `. In a cell, ⏎ is a line break. */
export const tableOf = (rows: string): string[][] =>
	rows
		.trim()
		.split('\n')
		.map((row) => row.trim().replaceAll('⏎', '\n').split(' ⇒ '));
