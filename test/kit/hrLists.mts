/** The people of the hostile HR lists. The service knows all of them. */
export const EMPLOYEES = 100;
export const employee = (number: number) => `p${number}@example.com`;
export const leaver = (number: number) => `left${number}@example.com`;
export const departmentOf = (number: number) =>
	['Büro Süd', 'Sales', 'Warehouse'][number % 3] ?? '';

export type HrRow = Record<string, string>;

const HEADER = ['employeeId', 'firstName', 'email', 'department', 'status'];

/** A list with all employees, in the order of their numbers, and then with people who left. */
function people(count = EMPLOYEES): HrRow[] {
	const staff = Array.from({ length: count }, (_, index) => ({
		employeeId: `E${index + 1}`,
		firstName: `Jürgen ${index + 1}`,
		email: employee(index + 1),
		department: departmentOf(index + 1),
		status: 'active',
	}));
	const left = [1, 2, 3, 4].map((number) => ({
		employeeId: `L${number}`,
		firstName: 'Zoë',
		email: leaver(number),
		department: 'Sales',
		status: 'left',
	}));
	return [...staff, ...left];
}

/** Returns the rows as CSV. Cells are quoted if they have to be. */
export function csvOf(rows: HrRow[], delimiter = ',', end = '\n'): string {
	const header = Object.keys(rows[0] ?? Object.fromEntries(HEADER.map((name) => [name, ''])));
	const cell = (value = '') =>
		/[",;\t\r\n]/.test(value) && !value.startsWith('raw:')
			? `"${value.replaceAll('"', '""')}"`
			: value.replace('raw:', '');
	const lines = [header, ...rows.map((row) => header.map((name) => row[name]))];
	return lines.map((cells) => cells.map((value) => cell(value)).join(delimiter) + end).join('');
}

/** Changes the rows with these numbers, counted from 1. */
const edited = (changes: Record<number, Partial<HrRow>>, rows = people()) =>
	rows.map((row, index): HrRow => Object.assign({}, row, changes[index + 1]));

const renamed = (names: Record<string, string>) =>
	people().map(
		(row): HrRow =>
			Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value])),
	);

const leaversAs = (...statuses: string[]) =>
	edited(Object.fromEntries(statuses.map((status, index) => [EMPLOYEES + index + 1, { status }])));

const inserted = (at: number, ...rows: HrRow[]) => people().toSpliced(at, 0, ...rows);
const without = (...names: string[]) =>
	people().map(
		(row): HrRow =>
			Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))),
	);

const text = csvOf(people());
const lines = text.split('\n');
const withLine = (at: number, line: string) => lines.toSpliced(at, 1, line).join('\n');
const bytes = (content: string, encoding: BufferEncoding = 'utf8') =>
	Buffer.from(content, encoding);

export type HrList = {
	/** What a recipe has to do: make the groups match, or tell somebody. It may always be right. */
	expected: 'right' | 'told';
	/** The rows, if every source can give them. */
	rows?: HrRow[];
	/** The file. By default, it contains the rows as CSV. */
	file?: Buffer;
	/** How many employees there are. By default, `EMPLOYEES`. */
	employees?: number;
	/** Whether the list is about the column with the status, which a directory of current employees lacks. */
	isAboutStatus?: boolean;
};

const rows = (expected: HrList['expected'], given: HrRow[]): HrList => ({ expected, rows: given });
const status = (expected: HrList['expected'], given: HrRow[]): HrList => ({
	...rows(expected, given),
	isAboutStatus: true,
});
const file = (expected: HrList['expected'], content: string | Buffer): HrList => ({
	expected,
	file: typeof content === 'string' ? bytes(content) : content,
});

/** The hostile lists. The truth about the people is always the same. */
export const hrLists: Record<string, HrList> = {
	plain: rows('right', people()),
	'in another order': rows('right', people().reverse()),
	'byte order mark': file('right', `\ufeff${text}`),
	'byte order mark, status first': file(
		'right',
		`\ufeff${csvOf(people().map((row): HrRow => Object.assign({ status: '' }, row)))}`,
	),
	'two byte order marks': file('right', `\ufeff\ufeff${text}`),
	'Windows line ends': file('right', csvOf(people(), ',', '\r\n')),
	'old Mac line ends': file('right', csvOf(people(), ',', '\r')),
	'no line end at the end': file('right', text.trimEnd()),
	'blank lines at the end': file('right', `${text}\n\r\n\n`),
	'blank lines with spaces at the end': file('right', `${text}   \n \n`),
	'rows of separators at the end': file('right', `${text},,,,\n,,,,\n`),
	'a blank line in the middle': file('told', withLine(50, `\n${lines[50]}`)),
	'an unquoted comma': file('told', withLine(50, 'E50,Smith, John,p50@example.com,Sales,active')),
	'a comma too few': file('told', withLine(50, 'E50,p50@example.com,Sales,active')),
	'a bare quotation mark': file(
		'told',
		withLine(50, 'E50,Jo "J" Smith,p50@example.com,Sales,active'),
	),
	'a quotation mark that is never closed': file('told', withLine(50, `"${lines[50]}`)),
	'a quotation mark that is closed 30 lines later': file(
		'told',
		withLine(50, lines[50]?.replace(',', ',"') ?? '').replace('Jürgen 80,', 'Jürgen 80",'),
	),
	'a cell of several lines': rows('right', edited({ 50: { firstName: 'Jo\nSmith' } })),
	'cut off within a line': file('told', text.slice(0, text.indexOf('p90@') + 3)),
	'cut off within a status': file(
		'told',
		text.slice(0, text.indexOf('active', text.indexOf('p90@')) + 3),
	),
	'cut off in the middle, at a line end': file('told', lines.slice(0, 50).join('\n')),
	'an empty file': file('told', ''),
	'only blank lines': file('told', '\n\n\n'),
	'only the header': file('told', `${lines[0]}\n`),
	'only a byte order mark': file('told', '\ufeff'),
	'a web page': file('told', '<!DOCTYPE html>\n<html><body>Please log in, user</body></html>\n'),
	'an error as JSON': file('told', '{"error":"no access","status":403}\n'),
	'one column': file(
		'told',
		people()
			.map(({ email }) => email)
			.join('\n'),
	),
	semicolons: file('told', csvOf(people(), ';')),
	tabs: file('told', csvOf(people(), '\t')),
	'Windows-1252': file('told', bytes(text, 'latin1')),
	'UTF-16': file('told', bytes(`\ufeff${text}`, 'utf16le')),
	'a total row': file('told', `${text}Total,,${EMPLOYEES},,\n`),
	'the header again in the middle': status(
		'told',
		inserted(50, Object.fromEntries(HEADER.map((name) => [name, name]))),
	),
	'columns in capitals and with blanks': file(
		'right',
		text.replace(lines[0] ?? '', ' EmployeeID ,Name,EMAIL , Department,"STATUS "'),
	),
	'a column E-Mail': rows('told', renamed({ email: 'E-Mail' })),
	'a column Beschäftigung': status('told', renamed({ status: 'Beschäftigung' })),
	'no status': status('told', without('status')),
	'no email': rows('told', without('email')),
	'two columns with the status': file(
		'told',
		csvOf(people().map((row): HrRow => ({ ...row, 'Status ': 'active' }))),
	),
	'email and department exchanged': rows(
		'told',
		people().map(
			(row): HrRow => ({ ...row, email: row.department ?? '', department: row.email ?? '' }),
		),
	),
	'no addresses': rows(
		'told',
		people().map((row): HrRow => ({ ...row, email: '' })),
	),
	'leavers as Left, "left ", LEFT, Terminated': status(
		'right',
		leaversAs('Left', 'left ', 'LEFT', 'Terminated'),
	),
	'leavers as ausgeschieden, inactive': status('told', leaversAs('ausgeschieden', 'inactive')),
	'leavers as Left the company': status('told', leaversAs('Left the company', 'left!', 'ex')),
	'leavers without a status': status('told', leaversAs('', ' ', '-', 'n/a')),
	'active in three spellings': status(
		'right',
		edited({ 1: { status: 'Active' }, 2: { status: ' ACTIVE ' }, 3: { status: 'On leave' } }),
	),
	'active in German': status(
		'told',
		people().map((row): HrRow => ({ ...row, status: row.status === 'left' ? 'left' : 'aktiv' })),
	),
	"Excel's errors as a status": status(
		'told',
		edited({ 50: { status: '#REF!' }, 104: { status: '#N/A' } }),
	),
	'nobody is active': status(
		'told',
		people().map((row): HrRow => ({ ...row, status: 'left' })),
	),
	'people twice, in other spellings': rows(
		'right',
		inserted(
			50,
			...edited({ 3: { email: 'P3@EXAMPLE.COM' }, 4: { email: ' p4@example.com' } }).slice(0, 9),
		),
	),
	'two addresses in a cell': rows(
		'told',
		edited({
			50: { email: `${employee(50)}, ${leaver(3)}` },
			60: { email: `${employee(60)}; ${leaver(4)}` },
		}),
	),
	'addresses as mail programs write them': rows(
		'right',
		edited({
			1: { email: 'p1@example.com;' },
			2: { email: 'Jo Smith <p2@example.com>' },
			3: { email: 'mailto:p3@example.com' },
			4: { email: 'P4@Example.com,' },
			5: { email: 'p5\u200b@example.com\u00a0' },
		}),
	),
	'addresses that cannot be read': rows(
		'told',
		edited({
			50: { email: 'p50(at)example.com' },
			51: { email: '#N/A' },
			52: { email: 'p52 @example.com' },
			95: { email: 'see above' },
		}),
	),
	'umlauts in decomposed form': rows(
		'right',
		people().map((row): HrRow => ({ ...row, department: row.department?.normalize('NFD') ?? '' })),
	),
	'departments in other spellings': rows(
		'right',
		edited({
			1: { department: ' SALES ' },
			2: { department: 'warehouse' },
			3: { department: 'büro süd' },
		}),
	),
	'formulas as names': rows(
		'right',
		edited({ 1: { firstName: '=1+1' }, 2: { firstName: '@SUM(A1)' }, 3: { firstName: '-' } }),
	),
	'5,000 rows': { ...rows('right', people(5000)), employees: 5000 },
};
