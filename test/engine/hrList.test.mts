import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { inMemory } from '../kit/binary.mts';
import { runNode, type RunOptions } from '../kit/engine.mts';

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
	test('from a CSV file: one item per employed person, paired with the item of the file', async () => {
		const { items, error } = await read([file(CSV)]);
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: { email: 'p1@example.com', Team: 'Sales', status: 'active' },
				pairedItem: { item: 0 },
			},
		]);
	});

	test('from input items', async () => {
		const records = rows(
			{ Email: 'P1@example.com;', status: 'Active ', id: 7 },
			{ Email: 'p2@example.com', status: 'left', id: 8 },
		);
		const { items, error } = await read(records, { source: 'items' });
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{ json: { email: 'P1@example.com', status: 'Active ', id: 7 }, pairedItem: { item: 0 } },
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
