/**
 * Measures the cost of an input item: processor time, memory, and the longest turn of the event loop. Compares this cost
 * with that of n8n's HTTP Request node. Both nodes run in n8n's engine over real HTTP.
 */
import '../kit/setup.cjs';

import { watchTurns } from '../kit/cpuTime.mts';
import { startBareService } from './bareService.mts';
import { httpRequest, numbered, ours, run, runItems, surveys } from './contestants.mts';
import { collectGarbage, compareCpu, measureInChild, report, type Guard } from './guards.mts';

const ITEMS = 1000;
const MANY_ITEMS = 10_000;

/** Our node takes 1.0 to 1.4 times the processor time of HTTP Request. */
const MOST_CPU = 1.8;
/** Our node takes 0.3 to 0.4 times the memory of HTTP Request. */
const MOST_MEMORY = 0.8;
/** The node yields after 20 ms and one item. */
const LONGEST_TURN_MS = 50;

const { baseUrl, stop } = await startBareService();
const guards: Guard[] = [];
try {
	const http = httpRequest();
	for (const work of ['GET', 'POST'] as const) {
		const runs = (node: typeof ours) => ({
			name: node.name,
			run: async () => await runItems(node, work, ITEMS, baseUrl),
		});
		if (http)
			guards.push(await compareCpu(`${work}, ${ITEMS} items`, MOST_CPU, runs(ours), runs(http)));
	}
	guards.push(await longestTurn());
	if (http) guards.push(await memory());
} finally {
	stop();
}
report(guards);

/** Measures how long n8n is blocked at most while the node processes many items. */
async function longestTurn(): Promise<Guard> {
	await run(baseUrl, 100, { parameters: surveys, items: numbered(100) });
	collectGarbage();
	const longest = watchTurns();
	await run(baseUrl, MANY_ITEMS, { parameters: surveys, items: numbered(MANY_ITEMS) });
	const work = `longest turn of the event loop, ${MANY_ITEMS} surveys`;
	return { work, cost: longest(), unit: 'ms CPU', limit: LONGEST_TURN_MS };
}

async function memory(): Promise<Guard> {
	const measure = async (which: string) =>
		(await measureInChild<number>('itemsMemory.mts', `${which} ${baseUrl} ${MANY_ITEMS}`)) / 1e6;
	const [cost, other] = [await measure('ours'), await measure('httpRequest')];
	return {
		...{ work: `memory of ${MANY_ITEMS} items`, cost, unit: 'MB', limit: MOST_MEMORY },
		reference: { name: 'HTTP Request', cost: other },
	};
}
