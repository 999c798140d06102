/**
 * What an input item costs: processor time beside a node written by hand, memory beside n8n's HTTP Request node, and how
 * long many items keep n8n from anything else. All run in n8n's engine over real HTTP; the service is a
 * process of its own.
 *
 * The HTTP Request node takes part where n8n is installed (`npm start` does that).
 */
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

import '../kit/setup.cjs';

import { nextMessage, startBareService } from './bareService.mts';
import { httpRequest, ours, plain, runItems, type Contestant, type Work } from './contestants.mts';
import type { Task } from './itemsMemory.mts';
import { collectGarbage, inTurns, median, report, type Line } from './table.mts';

/** Times the processor time of the plain node. */
const MOST_CPU = 1.1;
/** Times the processor time of the HTTP Request node. */
const MOST_CPU_OF_HTTP_REQUEST = 1.4;
/** Times the memory of the HTTP Request node. */
const MOST_MEMORY = 1.2;
const LONGEST_DELAY_MS = 200;
const MIB = 1024 * 1024;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const rounds = values.short ? 5 : 12;
const items = 1000;
const manyItems = values.short ? 2000 : 10_000;
const memoryRounds = values.short ? 1 : 3;

const { baseUrl, stop } = await startBareService();
const lines: Line[] = [];

try {
	const http = httpRequest();
	for (const work of ['GET', 'POST'] as const) {
		lines.push(await processorTime(work, plain, MOST_CPU));
		if (http) lines.push(await processorTime(work, http, MOST_CPU_OF_HTTP_REQUEST));
	}
	lines.push(await eventLoopDelay());
	if (httpRequest()) lines.push(await memory());
	else console.log('No n8n is installed: the lines beside its HTTP Request node are left out');
} finally {
	stop();
}
report(lines);

/** One contestant at a time beside ours: what a third leaves to the garbage collector would be counted as ours. */
async function processorTime(work: Work, other: Contestant, limit: number): Promise<Line> {
	const [cost = NaN, yardstick = NaN] = await inTurns(
		rounds,
		[ours, other].map((contestant) => async () => await runItems(contestant, work, items, baseUrl)),
	);
	return {
		work: `${work}, an item (${items} items)`,
		cost: cost / items,
		unit: 'ms CPU',
		yardstick: { name: other.name, cost: yardstick / items },
		limit,
	};
}

/** The longest event-loop delay while the node works through many items: so long n8n can do nothing else. */
async function eventLoopDelay(): Promise<Line> {
	collectGarbage();
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	await runItems(ours, 'GET', manyItems, baseUrl);
	delay.disable();
	return {
		work: `longest event-loop delay, ${manyItems} items`,
		cost: delay.max / 1e6,
		unit: 'ms',
		limit: LONGEST_DELAY_MS,
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
	return await nextMessage<number>(child);
}
