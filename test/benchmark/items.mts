/**
 * What an input item costs: processor time beside a node written by hand and n8n's HTTP Request node, memory beside the
 * latter, and how long many items keep n8n from anything else; and what a long list costs beside a bare loop. All run in
 * n8n's engine over real HTTP; the service is a process of its own. Needs a built package:
 *
 *     npm run build && node --import tsx test/benchmark/items.mts [--short]
 *
 * The HTTP Request node takes part where n8n is installed (`npm start` does that). Fails when a limit is passed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

import '../kit/setup.cjs';

import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../kit/engine.mts';
import { httpRequest, ours, plain, runItems, type Contestant, type Work } from './contestants.mts';
import type { Task } from './itemsMemory.mts';
import { collectGarbage, inTurns, median, printTable, type Line } from './table.mts';

/** Times the processor time of the yardstick. */
const MOST_CPU = 1.1;
const MOST_CPU_OF_LIST = 1.5;
/** Times the memory of the HTTP Request node. */
const MOST_MEMORY = 1.2;
const LONGEST_DEAF_MS = 200;
const MIB = 1024 * 1024;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const rounds = values.short ? 5 : 9;
const items = values.short ? 300 : 1000;
const manyItems = values.short ? 2000 : 10_000;
const memoryRounds = values.short ? 1 : 3;
const records = values.short ? 20_000 : 200_000;

const service = fork('test/benchmark/bareService.mts', { execArgv: ['--import', 'tsx'] });
const [{ port }]: [{ port: number }] = await nextMessage(service);
const baseUrl = `http://127.0.0.1:${port}`;
const credential = { baseUrl, authentication: 'accessKey', accessKey: 'key' };
const httpRequestNode = httpRequest();
const lines: Line[] = [];

try {
	for (const work of ['GET', 'POST'] as const) lines.push(...(await processorTime(work)));
	console.log('… one request an item measured');
	lines.push(await longList());
	console.log('… a long list measured');
	lines.push(await deafness());
	console.log('… many items measured');
	if (httpRequestNode) lines.push(await memory());
	else console.log('No n8n is installed: the lines beside its HTTP Request node are left out');
} finally {
	service.disconnect();
}
printTable(lines);

async function processorTime(work: Work): Promise<Line[]> {
	const contestants: Contestant[] = [ours, plain, ...(httpRequestNode ? [httpRequestNode] : [])];
	const [cost = NaN, ...others] = await inTurns(
		rounds,
		contestants.map((contestant) => async () => await runItems(contestant, work, items, baseUrl)),
	);
	return others.map((other, place) => ({
		work: `${work}, an item (${items} items)`,
		cost: cost / items,
		unit: 'ms CPU',
		yardstick: { name: contestants[place + 1]?.name ?? '', cost: other / items },
		limit: MOST_CPU,
	}));
}

/** All records of a list, beside a loop that keeps the records and does nothing else. */
async function longList(): Promise<Line> {
	const [cost = NaN, bare = NaN] = await inTurns(values.short ? 1 : 3, [
		async () => {
			const { items: listed, error } = await runNode({
				credential,
				parameters: {
					resource: 'campaign',
					operation: 'getAll',
					returnAll: false,
					limit: records,
					simplify: false,
				},
			});
			if (error) throw error;
			if (listed.length !== records) throw new Error(`${listed.length} records`);
		},
		async () => {
			const kept: IDataObject[] = [];
			while (kept.length < records) {
				const { data } = await axios.get<{ data: IDataObject[] }>(`${baseUrl}/int/v1/campaign`, {
					params: { limit: 1000, previousLastId: kept.at(-1)?._id },
				});
				for (const record of data.data) kept.push(record);
			}
		},
	]);
	return {
		work: `list of ${records} records`,
		cost,
		unit: 'ms CPU',
		yardstick: { name: 'axios in a loop', cost: bare },
		limit: MOST_CPU_OF_LIST,
	};
}

/** The longest time in which n8n could do nothing else while the node worked through many items. */
async function deafness(): Promise<Line> {
	collectGarbage();
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	await runItems(ours, 'GET', manyItems, baseUrl);
	delay.disable();
	return {
		work: `longest time that n8n is deaf, ${manyItems} items`,
		cost: delay.max / 1e6,
		unit: 'ms',
		limit: LONGEST_DEAF_MS,
	};
}

async function memory(): Promise<Line> {
	const peaks = { ours: [] as number[], httpRequest: [] as number[] };
	for (let round = 0; round < memoryRounds; round++) {
		for (const which of ['ours', 'httpRequest'] as const) peaks[which].push(await peakOf(which));
	}
	return {
		work: `memory of ${manyItems} items`,
		cost: median(peaks.ours) / MIB,
		unit: 'MiB',
		yardstick: { name: 'HTTP Request', cost: median(peaks.httpRequest) / MIB },
		limit: MOST_MEMORY,
	};
}

async function peakOf(which: Task['which']): Promise<number> {
	const child = fork('test/kit/child.cjs', ['test/benchmark/itemsMemory.mts'], { execArgv: [] });
	child.send({ which, baseUrl, count: manyItems } satisfies Task);
	const [peak]: [number] = await nextMessage(child);
	return peak;
}

async function nextMessage<Message extends unknown[]>(child: ReturnType<typeof fork>) {
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`A process of the benchmark ended with ${String(code)}`);
	});
	return await Promise.race([once(child, 'message') as Promise<Message>, ended]);
}
