import type { Fail } from '../../../../shared/failure';
import { addToList } from '../../../../shared/listsByKey';
import { nameSome } from '../../../../shared/truncate';

/**
 * What can be wrong with a list, in the order in which it is reported: the beginning of the message, before the places, and
 * what to do.
 */
const PROBLEMS = {
	noFile: ['There is no file in', 'The export did not arrive. Check the node that reads it.'],
	notCsv: [
		'This is no CSV file:',
		'Put Extract From File before this node for an Excel or JSON file, and set Source to Input Items. A web page usually means that the download needs a login.',
	],
	empty: ['The file is empty:', 'The export did not arrive. Check the node that reads it.'],
	unreadable: [
		'Characters cannot be read in',
		'If Excel on Windows wrote the file, set Encoding under Options to Windows-1252 or UTF-16. Otherwise, export the list again as UTF-8.',
	],
	quote: [
		'A quotation mark is never closed, or is not around a whole cell, in',
		'The rest of the file cannot be read. In the cell that begins there, write quotation marks twice, and put the whole cell in quotation marks.',
	],
	delimiters: [
		'Several delimiters fit the first line:',
		'Set Delimiter under Options to the one that separates the columns.',
	],
	missing: [
		'The list has no column',
		'Enter the names of your columns in Email Column, Status Column and Required Columns. If the file was not split into columns, set Delimiter under Options. The first line must be the names of the columns.',
	],
	twice: [
		'The list has several columns',
		'Rename or remove one of them, because it is not clear which one counts.',
	],
	cells: [
		'Rows have too many or too few cells:',
		'Usually a comma or a quotation mark is not in quotes. Correct these rows, or export the list again.',
	],
	joined: [
		'A cell of several lines contains other cells and an address, in',
		'Usually a quotation mark is missing, so that several people became one. Correct these rows.',
	],
	noRecords: ['The list has no people:', 'Check the export. It has only the names of the columns.'],
	foreign: [
		'These are no records of the list:',
		'A page of the source probably failed. Check the node before this one. It must output one item per record.',
	],
	addresses: ['A cell has several email addresses, in', 'Enter one address per person.'],
	digits: [
		'Numbers have lost digits, in',
		'Excel rounded them. Format the column as text, and export the list again.',
	],
	status: [
		'These values mean neither employed nor left:',
		'Add them to Employed Values or Left Values, or correct the list.',
	],
	tooFew: [
		'Too few people are employed and have an email address:',
		'Check Employed Values, Email Column and the list, which may be cut off. If the list is right, lower Minimum People.',
	],
} satisfies Record<string, [message: string, advice: string]>;

/** A problem, and what completes its message: a place such as `line 12`, or the name of a file. */
export type FoundProblem = [problem: keyof typeof PROBLEMS, place: string];

/** What is wrong with a list. */
export class Problems {
	private readonly places = new Map<string, string[]>();

	constructor(private readonly fail: Fail) {}

	add(...[problem, place]: FoundProblem): void {
		addToList(this.places, problem, place);
	}

	/** Throws the first problem of the table that was found, with its first five places. */
	check(): void {
		for (const [problem, [message, advice]] of Object.entries(PROBLEMS)) {
			const places = this.places.get(problem);
			if (places)
				throw this.fail(`${message} ${nameSome(places)}`, `${advice} Nobody was returned.`);
		}
	}
}
