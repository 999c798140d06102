import { parse } from 'csv-parse/sync';

/** The people of the hostile HR lists. The service knows all of them. */
export const EMPLOYEES = 100;
export const employee = (number: number) => `p${number}@example.com`;
export const leaver = (number: number) => `left${number}@example.com`;
export const departmentOf = (number: number) =>
	['Büro Süd', 'Sales', 'Warehouse'][number % 3] ?? '';

export type HrRow = Partial<Record<string, string>>;

const HEADER = 'employeeId,firstName,email,department,status';

/** A CSV file with all employees, in the order of their numbers, and then with four people who left. */
function csv(count = EMPLOYEES): string {
	const numbers = Array.from({ length: count }, (_, index) => index + 1);
	const staff = numbers.map((n) => `E${n},Jürgen ${n},${employee(n)},${departmentOf(n)},active`);
	const left = [1, 2, 3, 4].map((n) => `L${n},Zoë,${leaver(n)},Sales,left`);
	return [HEADER, ...staff, ...left, ''].join('\n');
}

const text = csv();
const lines = text.split('\n');
/** Replaces texts of the file: each text by the one after it. */
const put = (...texts: string[]) =>
	texts.reduce((all, from, at) => (at % 2 ? all : all.replace(from, texts[at + 1] ?? '')), text);
/** Replaces a line near the end: if a recipe ignored the rest, it would remove few people. */
const line90 = (line: string) => put(lines[90] ?? '', line);
const statusOfLeavers = (...words: string[]) =>
	put(
		...words.flatMap((word, at) => [
			`left${at + 1}@example.com,Sales,left`,
			`${leaver(at + 1)},Sales,${word}`,
		]),
	);
const reordered = (change: (cells: string[]) => string[]) =>
	lines.map((line) => change(line.split(',')).join(',')).join('\n');

/** Files with which a recipe has to make the groups match. */
const goodFiles = {
	'byte order mark': `\ufeff${text}`,
	'byte order mark, status first': `\ufeff${reordered((cells) => cells.reverse())}`,
	'two byte order marks': `\ufeff\ufeff${text}`,
	'Windows line ends': text.replaceAll('\n', '\r\n'),
	'old Mac line ends': text.replaceAll('\n', '\r'),
	'no line end at the end': text.trimEnd(),
	'blank lines at the end': `${text}\n\r\n\n`,
	'blank lines with spaces at the end': `${text}   \n \n`,
	'rows of separators at the end': `${text},,,,\n,,,,\n`,
	'columns in capitals and with blanks': put(
		HEADER,
		' EmployeeID ,Name,EMAIL , Department,"STATUS "',
	),
	'a blank line in the middle': line90(`\n${lines[90]}`),
	semicolons: text.replaceAll(',', ';'),
	tabs: text.replaceAll(',', '\t'),
	'UTF-16': Buffer.from(`\ufeff${text}`, 'utf16le'),
};

/** Files about which a recipe has to tell somebody. */
const badFiles = {
	'an unquoted comma': line90('E90,Smith, John,p90@example.com,Sales,active'),
	'a comma too few': line90('E90,p90@example.com,Sales,active'),
	'a bare quotation mark': line90('E90,Jo "J" Smith,p90@example.com,Sales,active'),
	'a quotation mark that is never closed': line90(`"${lines[90]}`),
	'a quotation mark closed ten lines later': put('E85,Jü', 'E85,"Jü', 'Jürgen 95,', 'Jürgen 95",'),
	'cut off within a line': text.slice(0, text.indexOf('p90@') + 3),
	'cut off within a status': text.slice(0, text.indexOf('active', text.indexOf('p90@')) + 3),
	'cut off in the middle, at a line end': lines.slice(0, 50).join('\n'),
	'an empty file': '',
	'only blank lines': '\n\n\n',
	'only a byte order mark': '\ufeff',
	'a web page': '<!DOCTYPE html>\n<html><body>Please log in, user</body></html>\n',
	'an error as JSON': '{"error":"no access","status":403}\n',
	'an Excel file': Buffer.from(
		`PK\u0003\u0004\u0014\u0000\u00ff\u00fe[Content_Types].xml,\u0000\n,"x`,
		'latin1',
	),
	'one column': lines.map((line) => line.split(',')[2] ?? '').join('\n'),
	'Windows-1252': Buffer.from(text, 'latin1'),
	'a total row': `${text}Total,,${EMPLOYEES},,\n`,
	'two columns with the status': text
		.replaceAll(/(active|left)$/gm, '$1,active')
		.replace(HEADER, `${HEADER},Status `),
};

const goodRows = {
	plain: text,
	'in another order': [HEADER, ...lines.slice(1, -1).reverse(), ''].join('\n'),
	'a cell of several lines': put('Jürgen 50', '"Jo\nSmith"'),
	'people twice, in other spellings': `${text}E3,,P3@EXAMPLE.COM,Büro Süd,active\nE4,, p4@example.com,Sales,active\n`,
	'addresses as mail programs write them': put(
		...['p1@example.com', 'p1@example.com;', 'p2@example.com', 'Jo Smith <p2@example.com>'],
		...['p3@example.com', 'mailto:p3@example.com', 'p4@example.com', '"P4@Example.com,"'],
		...['p5@example.com', 'p5\u200b@example.com\u00a0'],
	),
	'umlauts in decomposed form': text.normalize('NFD'),
	'departments in other spellings': put(
		'Sales',
		' SALES ',
		'Warehouse',
		'warehouse',
		'Büro Süd',
		'büro süd',
	),
	'formulas as names': put('Jürgen 1,', '=1+1,', 'Jürgen 2,', '@SUM(A1),', 'Jürgen 3,', '-,'),
};

const badRows = {
	'no records': `${HEADER}\n`,
	'a column E-Mail': put('email', 'E-Mail'),
	'no email': reordered((cells) => cells.toSpliced(2, 1)),
	'email and department exchanged': put('email,department', 'department,email'),
	'no addresses': text.replaceAll(/[^,]+@example.com/g, ''),
	'two addresses in a cell': put(
		...[employee(50), `"${employee(50)}, ${leaver(3)}"`],
		...[employee(60), `"${employee(60)}; ${leaver(4)}"`],
	),
	'addresses that cannot be read': put(
		...[employee(50), 'p50(at)example.com', employee(51), '#N/A'],
		...[employee(52), 'p52 @example.com', employee(95), 'see above'],
	),
};

const goodStatuses = {
	'leavers as Left, "left ", LEFT, Terminated': statusOfLeavers(
		'Left',
		'left ',
		'LEFT',
		'Terminated',
	),
	'active in three spellings': put(
		'Sales,active',
		'Sales, ACTIVE ',
		'Büro Süd,active',
		'Büro Süd,On leave',
	),
};

const badStatuses = {
	'the header again in the middle': line90(`${HEADER}\n${lines[90]}`),
	'a column Beschäftigung': put('status', 'Beschäftigung'),
	'no status': reordered((cells) => cells.slice(0, 4)),
	'leavers as ausgeschieden, inactive': statusOfLeavers('ausgeschieden', 'inactive'),
	'leavers as Left the company': statusOfLeavers('Left the company', 'left!', 'ex'),
	'leavers without a status': statusOfLeavers('', ' ', '-', 'n/a'),
	'active in German': text.replaceAll('active', 'aktiv'),
	"Excel's errors as a status": statusOfLeavers('#REF!', '#N/A'),
	'nobody is active': text.replaceAll('active', 'left'),
};

export type HrList = {
	/** What a recipe has to do: make the groups match, or tell somebody. It may always be right. */
	expected: 'right' | 'told';
	file: Buffer;
	/** The rows, if a source without a file can have them, too. */
	rows?: HrRow[];
	/** Whether the list is about the statuses, which a directory of current employees lacks. */
	isAboutStatus?: boolean;
	employees?: number;
};

type Kind = Omit<HrList, 'file' | 'rows'> & { hasRows?: boolean };

function listsOf(files: Record<string, string | Buffer>, { hasRows = true, ...kind }: Kind) {
	return Object.entries(files).map(([name, content]): [string, HrList] => {
		const file = Buffer.from(content);
		const rows: HrRow[] | undefined = hasRows ? parse(file, { columns: true }) : undefined;
		return [name, { ...kind, file, rows }];
	});
}

/** The hostile lists. The truth about the people is always the same. */
export const hrLists = new Map([
	...listsOf(goodRows, { expected: 'right' }),
	...listsOf(goodFiles, { expected: 'right', hasRows: false }),
	...listsOf(badFiles, { expected: 'told', hasRows: false }),
	...listsOf(badRows, { expected: 'told' }),
	...listsOf(goodStatuses, { expected: 'right', isAboutStatus: true }),
	...listsOf(badStatuses, { expected: 'told', isAboutStatus: true }),
	...listsOf({ '5,000 rows': csv(5000) }, { expected: 'right', employees: 5000 }),
]);
