import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { countCpuTime } from '../kit/cpuTime.mts';

// Collects the garbage of earlier work before each measurement.
setFlagsFromString('--expose-gc');
const evaluate: (code: string) => () => void = runInNewContext;
export const collectGarbage = evaluate('gc');

/** The result of one measurement. */
export type Guard = {
	work: string;
	cost: number;
	/** The unit of `cost` and of the reference cost. */
	unit: string;
	/** The cost of the same work without our node, measured in the same run. */
	reference?: { name: string; cost: number };
	/** The highest cost allowed: a multiple of the reference cost if there is one, otherwise a number in the unit. */
	limit: number;
};

/** Sends the results of a file to `run.mts`. */
export function report(guards: Guard[]): void {
	process.send?.(guards, () => process.disconnect());
}

/** Returns the ratio of a cost to its limit, or Infinity if the cost is not a number. */
export function timesLimit({ cost, reference, limit }: Guard): number {
	const times = cost / (reference ? reference.cost * limit : limit);
	return Number.isNaN(times) ? Infinity : times;
}

/** Returns the next message of a process. @throws if the process ends first */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`A process of the benchmark ended with ${String(code)}`);
	});
	const message = new Promise<Message>((resolve) => child.once('message', resolve));
	return await Promise.race([message, ended]);
}

/** Runs a file in a process of its own, with this argument. Returns its first message. */
export async function measureInChild<Measured>(file: string, argument = ''): Promise<Measured> {
	const child = fork(`test/benchmark/${file}`, [argument], { execArgv: ['--import', 'tsx'] });
	return await nextMessage<Measured>(child);
}

/** The number of rounds at the start that are not counted, because V8 is still compiling. */
const WARM_UP = 3;
const ROUNDS = 5;

type Work = { name: string; run: () => Promise<unknown> };

/**
 * Compares the processor time of some work with that of a reference. Both run alternately, under the same conditions. The
 * lowest cost counts, because other load on the machine can only increase a cost.
 */
export async function compareCpu(
	work: string,
	limit: number,
	...contestants: [ours: Work, other: Work]
): Promise<Guard> {
	const costs = [Infinity, Infinity];
	for (let round = 0; round < WARM_UP + ROUNDS; round++) {
		for (const [place, { run }] of contestants.entries()) {
			collectGarbage();
			const cpuTime = countCpuTime();
			await run();
			if (round >= WARM_UP) costs[place] = Math.min(costs[place] ?? NaN, cpuTime());
		}
	}
	const [cost = NaN, reference = NaN] = costs;
	const [, { name }] = contestants;
	return { work, cost, unit: 'ms CPU', reference: { name, cost: reference }, limit };
}
