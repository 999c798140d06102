import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { inMemory } from '../kit/binary.mts';
import { runNode } from '../kit/engine.mts';
import { employee, EMPLOYEES, hrLists, type HrList } from '../kit/hrLists.mts';

const SETTINGS: INodeParameters = {
	...{ resource: 'hrList', operation: 'read' },
	employedValues: 'active, on leave',
	leftValues: 'left, terminated',
};
/** What the recipes need, and a minimum against a list that was cut off at the end of a line. */
const OPTIONS: INodeParameters = { requiredColumns: 'employeeId, department', minimumPeople: 90 };

const file = (content: Buffer, fileName = 'staff.csv'): INodeExecutionData => ({
	json: {},
	binary: { data: inMemory(content, { fileName, mimeType: 'text/csv' }) },
});
const records = (rows: object[]): INodeExecutionData[] => rows.map((row) => ({ json: { ...row } }));

type Verdict = 'right' | 'refused' | 'held by Sync' | `harmed: ${string}`;

/** Reads a list, and judges who comes out. Sync removes nobody if an address cannot be read. */
async function judge(
	items: INodeExecutionData[],
	parameters: INodeParameters,
	employees = EMPLOYEES,
): Promise<Verdict> {
	const options = { ...OPTIONS, ...(parameters.options as INodeParameters | undefined) };
	const { json, error } = await runNode({
		...{ credential: {}, settings: { credentials: undefined }, items },
		parameters: { ...SETTINGS, ...parameters, options },
	});
	if (error) {
		expect(error.message.length).toBeGreaterThan(20);
		expect(error.description).toMatch(/Nobody was returned\.$/);
		return json.length === 0 ? 'refused' : 'harmed: an error and people';
	}
	const staff = new Set(Array.from({ length: employees }, (_, index) => employee(index + 1)));
	const emails = json.map(({ email }) => String(email).toLowerCase());
	const readable = emails.filter((email) => /^[\w.]+@[\w.]+$/.test(email));
	const strangers = readable.filter((email) => !staff.has(email));
	if (strangers.length > 0) return `harmed: returned ${strangers.slice(0, 3).join()}`;
	const found = new Set(readable);
	const lost = [...staff].filter((email) => !found.has(email));
	if (lost.length === 0) return 'right';
	const isHeld = emails.some((email) => email !== '' && !readable.includes(email));
	return isHeld ? 'held by Sync' : `harmed: lost ${lost.slice(0, 3).join()}`;
}

/** Lists that HR List reads, although the nodes of n8n cannot. */
const READ_NOW = new Set(['a blank line in the middle', 'semicolons', 'tabs', 'UTF-16']);
/** Lists whose addresses come out as they stand, so that Sync refuses them. */
const HELD = new Set(['addresses that cannot be read']);

function expected(name: string, list: HrList): Verdict {
	if (READ_NOW.has(name)) return 'right';
	if (HELD.has(name)) return 'held by Sync';
	return list.expected === 'right' ? 'right' : 'refused';
}

test.each([...hrLists])('the hostile list "%s" harms nobody', async (name, list) => {
	const verdicts: Record<string, Verdict> = {
		file: await judge([file(list.file)], {}, list.employees),
	};
	const wanted: Record<string, Verdict> = { file: expected(name, list) };
	if (list.rows) {
		// With Always Output Data, n8n passes an empty item on if there are no records.
		const rows = list.rows.length > 0 ? list.rows : [{}];
		verdicts.items = await judge(records(rows), { source: 'items' }, list.employees);
		wanted.items = expected(name, list);
	}
	expect(verdicts).toEqual(wanted);
});
