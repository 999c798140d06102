import type { Fail } from '../../../../shared/failure';
import { addToList } from '../../../../shared/listsByKey';
import { nameSome } from '../../../../shared/truncate';

/**
 * What can be wrong with the settings and with a list, in the order in which it is reported. The first sentence becomes the
 * message, with what was found in place of `{found}`: places such as `line 12`, names of files. The rest says what to do.
 */
const PROBLEMS = {
	executeOnce:
		'HR List cannot run with Execute Once. n8n would pass only the first input item. Switch off Execute Once in the settings of the node.',
	noResult:
		'{found} is empty, because its expression has no result. Check the expression. If it should be empty, clear the field.',
	noEmailColumn: 'Email Column is empty. Enter the name of the column.',
	sameColumn: 'Email Column and Status Column are the same column. Change one of them.',
	nobodyLeft:
		'Without Status Column, nobody in the list has left. Enter the name of the column that says who left, or set People to Employed.',
	bothMeanings: '{found} is in Employed Values and in Left Values. Remove it from one of them.',
	noFile: 'There is no file in {found}. The export did not arrive. Check the node before this one.',
	notCsv:
		'This is no CSV file: {found}. Put Extract From File before this node for an Excel or JSON file, and set Source to Input Items. A web page usually means that the download needs a login.',
	empty: 'The file is empty: {found}. The export did not arrive. Check the node that reads it.',
	unreadable:
		'Characters cannot be read in {found}. If Excel on Windows wrote the file, set Encoding under Options to Windows-1252 or UTF-16. Otherwise, export the list again as UTF-8.',
	quote:
		'A quotation mark is never closed, or is not around a whole cell, in {found}. The rest of the file cannot be read. In the cell that begins there, write quotation marks twice, and put the whole cell in quotation marks.',
	delimiters: 'Several delimiters fit the first line: {found}. Set Delimiter under Options.',
	missing:
		'The list has no column {found}. Enter the names of your columns in Email Column, Status Column and Required Columns. If the file was not split into columns, set Delimiter under Options. The first line must be the names of the columns.',
	twice: 'The list has several columns {found}. Rename or remove all but one.',
	cells:
		'Rows have too many or too few cells: {found}. Usually a comma or a quotation mark is not in quotes. Correct these rows, or export the list again.',
	joined:
		'A cell of several lines contains other cells and an address, in {found}. Usually a quotation mark is missing, so that several people became one. Correct these rows.',
	noRecords: 'The list has no people: {found}. The export has only the names of the columns.',
	foreign:
		'These are no records of the list: {found}. A page of the source probably failed. Check the node before this one. It must output one item per record.',
	addresses: 'A cell has several email addresses, in {found}. Enter one address per person.',
	digits: 'Numbers have lost digits, in {found}. Format the column as text, and export it again.',
	unread: 'Addresses of employed people cannot be read, in {found}. Correct them.',
	status:
		'These values mean neither employed nor left: {found}. Add them to Employed Values or Left Values, or correct the list. A value with a comma needs an expression: ={{ ["Leave, paid"] }} is one value.',
	tooFew:
		'Too few people are employed and have an email address: {found}. Check Employed Values, Email Column and the list, which may be cut off. If the list is right, lower Minimum People.',
};

/** What is wrong with the settings or with the list. */
export class Problems {
	private readonly found = new Map<string, string[]>();

	constructor(private readonly fail: Fail) {}

	/** Adds a problem. @param found a place such as `line 12`, or what else completes the message */
	add(problem: keyof typeof PROBLEMS, found = ''): void {
		addToList(this.found, problem, found);
	}

	/** Throws the first problem of the table that was found, with the first five places. */
	check(): void {
		for (const [problem, text] of Object.entries(PROBLEMS)) {
			const found = this.found.get(problem);
			const [message = '', ...advice] = text.split('. ');
			if (found)
				throw this.fail(
					message.replace('{found}', () => nameSome(found)),
					advice.join('. '),
				);
		}
	}
}
