/**
 * Measures HR List with 200,000 people, from a CSV file and from input items: processor time, the longest turn of the event
 * loop, and the heap with input and output. The reference reads the same file with the library of n8n's Extract From File, or
 * copies the same items as JSON.
 */
import '../kit/setup.cjs';

import { getHeapStatistics } from 'node:v8';

import { parse } from 'csv-parse/sync';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { watchTurns } from '../kit/cpuTime.mts';
import { run } from './contestants.mts';
import { collectGarbage, compareCpu, report, type Guard } from './guards.mts';

const PEOPLE = 200_000;
/** A file takes 0.9 to 1.4 times the processor time of csv-parse, and items 3.4 to 5.3 times that of JSON. */
const MOST_CPU = { file: 2, items: 7 };
/** Measured: 80 ms with a file, and 170 ms with items. */
const LONGEST_TURN_MS = 250;
/** Measured: 180 MB with a file, and 270 MB with items. */
const MOST_HEAP_MB = 600;

const header = ['employeeId', 'name', 'email', 'department', 'status'];
const person = (_value: unknown, n: number) =>
	[`E${n}`, `Jürgen Müller ${n}`, `p${n}@example.com`, `Department ${n % 50}`, 'active'] as const;

/** Returns the file as text, made anew for each measurement. */
const csv = (): string =>
	[header, ...Array.from({ length: PEOPLE }, person)].map((cells) => cells.join(',')).join('\n');

const inputs: Record<'file' | 'items', () => INodeExecutionData[]> = {
	file: () => {
		const data = Buffer.from(csv()).toString('base64');
		return [{ json: {}, binary: { data: { mimeType: 'text/csv', data } } }];
	},
	items: () =>
		Array.from({ length: PEOPLE }, person).map(([employeeId, name, email, department, status]) => ({
			json: { employeeId, name, email, department, status },
		})),
};

/** Reads the list. @throws if somebody is missing */
async function read(source: keyof typeof inputs, items: INodeExecutionData[]): Promise<void> {
	const parameters: INodeParameters = {
		...{ resource: 'hrList', operation: 'read', source },
		options: { requiredColumns: 'employeeId, department' },
	};
	await run('http://localhost', PEOPLE, { parameters, items });
}

/** Returns the highest use of the heap in MB while some work runs, from one turn of the event loop to the next. */
function watchHeap(): () => number {
	let isWatching = true;
	let highest = 0;
	const watch = (): void => {
		highest = Math.max(highest, getHeapStatistics().used_heap_size);
		if (isWatching) setImmediate(watch);
	};
	watch();
	return () => {
		isWatching = false;
		return highest / 1e6;
	};
}

async function turnAndHeap(source: keyof typeof inputs): Promise<Guard[]> {
	await run('http://localhost', 1, {
		parameters: { resource: 'hrList', operation: 'read', source: 'items' },
		items: [{ json: { email: 'a@example.com', status: 'active' } }],
	});
	const items = inputs[source]();
	collectGarbage();
	const [longest, highest] = [watchTurns(), watchHeap()];
	await read(source, items);
	const work = (what: string) => `HR List, ${PEOPLE} people from ${source}: ${what}`;
	return [
		{ work: work('longest turn'), cost: longest(), unit: 'ms CPU', limit: LONGEST_TURN_MS },
		{ work: work('heap'), cost: highest(), unit: 'MB', limit: MOST_HEAP_MB },
	];
}

async function cpu(source: keyof typeof inputs): Promise<Guard> {
	const items = inputs[source]();
	const text = csv();
	const rows = items.map(({ json }) => json);
	return await compareCpu(
		`HR List, ${PEOPLE} people from ${source}`,
		MOST_CPU[source],
		{ name: 'this node', run: async () => await read(source, items) },
		source === 'file'
			? {
					name: 'csv-parse',
					run: async () => void (await Promise.resolve(parse(text, { columns: true }))),
				}
			: {
					name: 'JSON',
					run: async () => void (await Promise.resolve(JSON.parse(JSON.stringify(rows)))),
				},
	);
}

const guards: Guard[] = [];
for (const source of ['file', 'items'] as const) {
	guards.push(...(await turnAndHeap(source)), await cpu(source));
}
report(guards);
