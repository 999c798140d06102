import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { inMemory, onDisk } from '../kit/binary.mts';
import { runNode, type RunOptions } from '../kit/engine.mts';
import { parseAs } from '../kit/typed.mts';

/** Reads an HR list without a credential, because this operation needs none. */
async function read(
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
) {
	const node = { resource: 'hrList', operation: 'read', ...parameters };
	const settings = { credentials: undefined, ...options.settings };
	return await runNode({ credential: {}, ...options, settings, parameters: node, items });
}

const file = (content: string | Buffer, fileName = 'staff.csv'): INodeExecutionData => ({
	json: {},
	binary: { data: inMemory(Buffer.from(content), { fileName, mimeType: 'text/csv' }) },
});
const rows = (...records: object[]): INodeExecutionData[] =>
	records.map((json) => ({ json: { ...json } }));

const CSV = 'email,Team,status\np1@example.com,Sales,active\np2@example.com,HR,left\n';

describe('a plain list', () => {
	test.each([
		['in memory', async () => inMemory(Buffer.from(CSV))],
		['on disk', async () => await onDisk(Buffer.from(CSV))],
	])(
		'from a CSV file %s: one item per employed person, paired with the item of the file',
		async (...row) => {
			const [, stored] = row;
			const lists: Array<INodeExecutionData['binary']> = [
				{ a: await stored() },
				{ b: await stored() },
			];
			const given = lists.map((binary) => ({ json: {}, binary }));
			const { items } = await read(given, { binaryPropertyName: '={{ $itemIndex ? "b" : "a" }}' });
			const json = { email: 'p1@example.com', Team: 'Sales', status: 'active' };
			expect(items).toEqual([0, 1].map((item) => ({ json, pairedItem: { item } })));
		},
	);

	test('from input items', async () => {
		const records = rows(
			{ Email: 'p2@example.com', status: 'left', id: 8 },
			{ Email: 'P1@example.com;', status: 'Active ', id: 7 },
			// A leaver without an address, from a source that leaves out blank cells.
			{ status: 'left', leftOn: '2026-01-31' },
		);
		const { items } = await read(records, { source: 'items' });
		expect(items).toEqual([
			{ json: { email: 'P1@example.com', status: 'Active ', id: 7 }, pairedItem: { item: 1 } },
		]);
	});

	test('a value in neither list fails, with its line', async () => {
		const { error, items } = await read([file(`${CSV}p3@example.com,HR,Terminated\n`)]);
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			'These values mean neither employed nor left: "Terminated" (line 4)',
		);
	});
});

const HEAD = 'email,Team,status\n';
const people = (...lines: string[]) => file(HEAD + lines.join('\n'));
const A = 'a@x.io,Sales,active';
const asItems = { source: 'items' };
/** A row of a second sheet, in which the email column has another name */
const OTHER_COLUMN = { 'Work Email': 'b@x.io', status: 'active' };
const NO_RECORD = parseAs<INodeExecutionData>('{"json":null}');
const EMPLOYED = { email: 'a@x.io', status: 'active' };
const LATIN = Buffer.from(`${HEAD}${'ü@x.io,,active\n'.repeat(7)}`, 'latin1');
const TEAM = { options: { requiredColumns: 'team' } };
const BOTH = { leftValues: 'Active' };
const BY_ITEM = { ...asItems, emailColumn: '={{ $json.c }}' };
const LEFT = { options: { people: 'left' } };
const COLUMN_BY_ITEM = { ...asItems, options: { requiredColumns: '={{ $json.c }}' } };
const AT_LEAST_2 = { minimumPeople: 2 };

describe('an unclear list fails, and says where', () => {
	test.each<[says: string, INodeExecutionData[], INodeParameters?]>([
		['There is no file in item 0 (The input item has no file', [{ json: {} }]],
		['There is no file in item 1 (gone)', [file(CSV), { json: { error: 'gone' } }]],
		['The file is empty: staff.csv', [file('\ufeff\n\n')]],
		['This is no CSV file: staff.csv', [file('<!DOCTYPE html><p>a')]],
		['This is no CSV file: staff.csv', [file('[{"email":"a"}]')]],
		['read in line 2, line 3, line 4, line 5, line 6 and 2', [file(LATIN)]],
		['Characters cannot be read in line 1', [file(Buffer.from('"email"', 'utf16le'))]],
		['closed, or is not around a whole cell, in line 3', [people(A, '"b,c')]],
		['too few cells: line 2 (2 instead of 3)', [people('a@x.io,active', A)]],
		['and an address, in line 2', [people('"a@x.io,S,active\nb@x.io",,')]],
		['The list has no people: staff.csv', [people('', ',,')]],
		['"email" in staff.csv. Its columns are "E-Mail", "status"', [file('E-Mail;status\na;b')]],
		['several columns "status" in staff.csv', [file('email,Status,status \na,b,c')]],
		['Several delimiters fit', [file('email,x;email\na,b;c')], { statusColumn: '' }],
		['several email addresses, in line 3', [people(A, 'b@x.io c@x.io,,active')]],
		['"Gone" (line 3), empty (line 4)', [people(A, 'b@x.io,,Gone', 'c@x.io,,')]],
		['in line 3 (1,23457E+16)', [people(A, 'b@x.io,"1,23457E+16",active')], TEAM],
		['have an email address: 0 of 1, and not 1', [people('a@x.io,,left')]],
		['1 of 2, and not 2', [people(A, 'A@X.io,,active')], { options: AT_LEAST_2 }],
		['1 of 1, and not 2', [people(A)], { options: { ...AT_LEAST_2, people: 'left' } }],
		['cells: b.csv line 2 (1 instead of 3)', [people(A), file(`${HEAD}b`, 'b.csv')]],
		['no records of the list: item 1', rows(EMPLOYED, { error: 'no' }), asItems],
		['no records of the list: item 1', rows(EMPLOYED, OTHER_COLUMN), asItems],
		['no records of the list: item 1', [...rows(EMPLOYED), NO_RECORD], asItems],
		['"email", "status". Its columns are "error"', rows({ error: 'no' }), asItems],
		['cannot be read in item 0', rows({ ...EMPLOYED, n: 'J\ufffd' }), asItems],
		['"Active" is in Employed Values and in Left', [people(A)], BOTH],
		['Status Column is empty, because its', [people(A)], { statusColumn: '={{ "" }}' }],
		[
			'differs between the input items: "x" in item 0, "y" in',
			rows({ c: 'x' }, { c: 'y' }),
			BY_ITEM,
		],
		['differs between the input items', rows({ c: 'x' }, { c: 'y' }), COLUMN_BY_ITEM],
		['Required Columns is empty, because its', rows({ c: '' }), COLUMN_BY_ITEM],
		['employed people cannot', [people('a at x,,active', 'a@x.io,,left')], LEFT],
		['Email Column is empty', [people(A)], { emailColumn: ' ' }],
		['are the same column', [people(A)], { emailColumn: 'Status' }],
		['Without Status Column', [people(A)], { ...LEFT, statusColumn: '' }],
	])('%s', async (...[says, items, parameters]) => {
		const { error, items: output } = await read(items, parameters);
		expect(error?.message).toContain(says);
		expect(error?.description).toMatch(/\w+\. Nobody was returned\.$/);
		expect(output).toEqual([]);
	});

	test('Execute Once fails, because n8n passes only the first item', async () => {
		const { error } = await read([people(A)], {}, { settings: { executeOnce: true } });
		expect(error?.message).toBe('HR List cannot run with Execute Once');
	});

	test('with On Error: Continue, there is one item with the error', async () => {
		const { json, error } = await read([people('b')], {}, { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(json).toEqual([{ error: expect.stringMatching(/^Rows have/) }]);
	});
});

describe('what comes out', () => {
	const LIST =
		'Mail,email,employed,Team, Team,,Status\na@x.io <a@x.io>,x,y,1,2,3,active\n-,,,,,,active\nb@x.io,,,,,,left\nA@x.io,,,,,,left\n';
	const settings = { emailColumn: 'mail' };

	test('our own fields win, a taken name gets a number, and a column without a name is left out', async () => {
		const { json } = await read([file(LIST)], settings);
		expect(Object.entries(json[0] ?? {})).toEqual(
			Object.entries({
				email: 'a@x.io',
				mail: 'a@x.io <a@x.io>',
				'email (2)': 'x',
				'employed (2)': 'y',
				Team: '1',
				'Team (2)': '2',
				status: 'active',
			}),
		);
		expect(json[1]?.email).toBe('');
	});

	test('People chooses whom; Left leaves out who came back', async () => {
		const run = async (who: string) =>
			(await read([file(LIST)], { ...settings, options: { people: who } })).json;
		expect((await run('left')).map(({ email }) => email)).toEqual(['b@x.io']);
		expect((await read([people('c@x.io,,left')], LEFT)).json).toHaveLength(1);
		const all = (await run('everybody')).map(({ email, employed }) => [email, employed]);
		expect(all).toEqual([
			['a@x.io', true],
			['', true],
			['b@x.io', false],
			['A@x.io', false],
		]);
	});

	test('what is no address comes out as it stands, and a blank wanted field as an empty text', async () => {
		const { json } = await read(
			rows({ email: ' a at x ', status: 'active' }, { email: 'b@x.io', status: 'active', ID: 7 }),
			{ ...asItems, options: { requiredColumns: 'id' } },
		);
		expect(json).toEqual([
			{ email: ' a at x ', status: 'active', id: '' },
			{ email: 'b@x.io', status: 'active', id: 7 },
		]);
	});

	test('an empty Status Column means that all are employed; Delimiter and Encoding count', async () => {
		const list = file(Buffer.from('email,x\temail\na,ü\tb@x.io', 'latin1'));
		const options = { delimiter: 'tab', encoding: 'windows-1252' };
		const clear = await read([file('email\na@x.io\n\nb@x.io')], { statusColumn: '' });
		expect(clear.json).toEqual([{ email: 'a@x.io' }, { email: 'b@x.io' }]);
		const { json } = await read([list], { statusColumn: '', options });
		expect(json).toEqual([{ email: 'b@x.io', 'email,x': 'a,ü' }]);
	});
});
