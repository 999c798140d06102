/**
 * Runs as a separate process. Requests wait until all items are read. Measures their memory and the size of their JSON.
 */
import '../kit/setup.cjs';

import { runNode } from '../kit/engine.mts';
import { anyAccessKey } from '../kit/credentials.mts';
import { startServer } from '../kit/testServer.mts';
import { numbered, surveys } from './contestants.mts';
import { collectGarbage } from './table.mts';

export type Task = { count: number };

/** In bytes. */
export type Measured = { memory: number; json: number };

process.once('message', (task: Task) => void measure(task));

async function measure({ count }: Task): Promise<void> {
	const used = (): number => {
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const items = numbered(count);
	let [before, memory, json] = [0, 0, 0];
	const server = await startServer((request, response) => {
		if (memory === 0) memory = used() - before;
		request.on('data', (part: Buffer) => (json = Math.max(json, part.length)));
		request.on('end', () => response.end('{"success":false,"message":"Measured"}'));
	});
	const credential = anyAccessKey(server.url);
	const run = async (some: typeof items) =>
		await runNode({ credential, parameters: surveys, items: some });
	// Loads all modules.
	await run(items.slice(0, 10));
	memory = 0;
	before = used();
	await run(items);
	process.send?.({ memory, json: json * count } satisfies Measured, () => process.exit());
}
