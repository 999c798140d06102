/**
 * Measures the cost of an input item: processor time, memory, and the longest turn of the event loop. Compares this cost
 * with that of a hand-written node and of n8n's HTTP Request node. All nodes run in n8n's engine over real HTTP. The
 * service runs in a separate process.
 */
import '../kit/setup.cjs';

import { startBareService } from './bareService.mts';
import type { Measured } from './bodiesMemory.mts';
import { httpRequest, numbered, ours, plain, run, runItems, surveys } from './contestants.mts';
import type { Task } from './itemsMemory.mts';
import {
	collectGarbage,
	compareCpu,
	isShort,
	measureInChild,
	median,
	report,
	type Line,
} from './table.mts';
import { watchTurns } from '../kit/cpuTime.mts';

/** The highest allowed ratio of this node's processor time to that of the other node. */
const MOST_CPU = { plain: 1.1, httpRequest: 1.4 };
/** The highest allowed ratio of this node's memory to that of the HTTP Request node. */
const MOST_MEMORY = 1.2;
/** The highest allowed ratio of the memory of waiting requests to that of their JSON. */
const MOST_BODY_MEMORY = 3;
const LONGEST_TURN_MS = 50;
const MIB = 1024 * 1024;

const rounds = isShort ? 5 : 12;
const items = 1000;
const manyItems = isShort ? 2000 : 10_000;
const memoryRounds = isShort ? 1 : 3;

const { baseUrl, stop } = await startBareService();
const lines: Line[] = [];
try {
	const http = httpRequest();
	const others = [
		{ other: plain, limit: MOST_CPU.plain },
		...(http ? [{ other: http, limit: MOST_CPU.httpRequest }] : []),
	];
	for (const work of ['GET', 'POST'] as const) {
		// Each comparison runs only two nodes. The garbage of a third node could be collected while our node is measured.
		for (const { other, limit } of others) {
			const [own, reference] = [ours, other].map((contestant) => ({
				name: contestant.name,
				units: items,
				run: async () => await runItems(contestant, work, items, baseUrl),
			}));
			const title = `${work}, per item (${items} items)`;
			if (own && reference) lines.push(await compareCpu(title, limit, rounds, own, reference));
		}
	}
	lines.push(await longestTurn(), await bodiesMemory());
	if (http) lines.push(await memory());
} finally {
	stop();
}
report(lines);

/**
 * Measures how long n8n is blocked at most while the node processes many items: the longest turn of the event loop.
 * Counts only processor time, because other processes can delay a turn on a busy machine.
 */
async function longestTurn(): Promise<Line> {
	collectGarbage();
	const longest = watchTurns();
	await run(baseUrl, manyItems, { parameters: surveys, items: numbered(manyItems) });
	const cost = longest();
	const work = `longest turn of the event loop, ${manyItems} surveys`;
	return { work, cost, unit: 'ms CPU', limit: LONGEST_TURN_MS };
}

/** Measures the memory of the requests that wait until all items are read. */
async function bodiesMemory(): Promise<Line> {
	const file = 'test/benchmark/bodiesMemory.mts';
	const { memory: cost, json } = await measureInChild<Measured>(file, { count: manyItems });
	return {
		work: `memory of ${manyItems} surveys that wait`,
		cost: cost / MIB,
		unit: 'MiB',
		reference: { name: 'their JSON', cost: json / MIB },
		limit: MOST_BODY_MEMORY,
	};
}

async function memory(): Promise<Line> {
	const peaks: Record<Task['which'], number[]> = { ours: [], httpRequest: [] };
	for (let round = 0; round < memoryRounds; round++) {
		for (const which of ['ours', 'httpRequest'] as const) {
			const task: Task = { which, baseUrl, count: manyItems };
			peaks[which].push(await measureInChild('test/benchmark/itemsMemory.mts', task));
		}
	}
	return {
		work: `memory of ${manyItems} items`,
		cost: median(peaks.ours) / MIB,
		unit: 'MiB',
		reference: { name: 'HTTP Request', cost: median(peaks.httpRequest) / MIB },
		limit: MOST_MEMORY,
	};
}
