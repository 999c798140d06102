/**
 * Measures the cost of an input item: processor time, memory, and the longest turn of the event loop. Compares this cost
 * with that of a handwritten node and of n8n's HTTP Request node. All nodes run in n8n's engine over real HTTP.
 */
import '../kit/setup.cjs';

import { watchTurns } from '../kit/cpuTime.mts';
import { startBareService } from './bareService.mts';
import { httpRequest, numbered, ours, plain, run, runItems, surveys } from './contestants.mts';
import { collectGarbage, compareCpu, measureInChild, report, type Guard } from './guards.mts';

const ITEMS = 1000;
const MANY_ITEMS = 10_000;

/** Our node takes 0.9 to 1.0 times the processor time of a plain node, and 1.0 to 1.4 times that of HTTP Request. */
const MOST_CPU = { plain: 1.3, http: 1.8 };
/** Our node takes 0.3 to 0.4 times the memory of HTTP Request. */
const MOST_MEMORY = 0.8;
/** The node yields after 20 ms and one item. */
const LONGEST_TURN_MS = 50;

const { baseUrl, stop } = await startBareService();
const guards: Guard[] = [];
try {
	const http = httpRequest();
	for (const work of ['GET', 'POST'] as const) {
		// Each comparison runs only two nodes. The garbage of a third node could be collected while our node is measured.
		for (const other of [plain, ...(http ? [http] : [])]) {
			const runs = ({ name, ...node }: typeof ours) => ({
				name,
				run: async () => await runItems({ name, ...node }, work, ITEMS, baseUrl),
			});
			const limit = other === plain ? MOST_CPU.plain : MOST_CPU.http;
			guards.push(await compareCpu(`${work}, ${ITEMS} items`, limit, runs(ours), runs(other)));
		}
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
