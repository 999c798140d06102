import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { countCpuTime } from '../kit/cpuTime.mts';

// Collects the garbage of earlier work before each measurement.
setFlagsFromString('--expose-gc');
const evaluate: (code: string) => () => void = runInNewContext;
export const collectGarbage = evaluate('gc');

const { values } = parseArgs({ options: { short: { type: 'boolean' } }, strict: false });

/** Whether to measure less, as with `npm run benchmark -- --short`. */
export const isShort = values.short === true;

/** One line of the table. */
export type Line = {
	work: string;
	cost: number;
	/** The unit of `cost` and of the reference cost. */
	unit: string;
	/** The cost of the same work without our node, measured in the same run. */
	reference?: { name: string; cost: number };
	/** The highest cost allowed: a multiple of the reference cost if there is one, otherwise a number in the unit. */
	limit: number;
};

/** Ends a benchmark file: sends its lines to `run.mts`, or prints them if the file runs alone. */
export function report(lines: Line[]): void {
	if (process.send) process.send(lines, () => process.disconnect());
	else printTable(lines);
}

/** Prints the lines as a Markdown table. Fails the process if a line exceeds its limit. */
export function printTable(lines: Line[]): void {
	const rows = lines.map(({ work, cost, unit, reference, limit }) => [
		work,
		`${digits(cost)} ${unit}`,
		reference ? `${reference.name}: ${digits(reference.cost)} ${unit}` : '',
		reference ? `${(cost / reference.cost).toFixed(2)} ×` : '',
		reference ? `${limit} ×` : `${digits(limit)} ${unit}`,
	]);
	const head = ['work', 'cost', 'reference', 'ratio', 'limit'];
	const shown = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	console.log(`\n${shown.join('\n')}\n`);
	for (const line of lines.filter((each) => timesLimit(each) > 1)) {
		console.error(`FAILED: ${line.work} exceeds its limit`);
		process.exitCode = 1;
	}
}

/** Returns the ratio of a cost to its limit, or Infinity if the cost is not a number. */
export function timesLimit({ cost, reference, limit }: Line): number {
	const times = cost / (reference ? reference.cost * limit : limit);
	return Number.isNaN(times) ? Infinity : times;
}

function digits(value: number): string {
	if (Number.isInteger(value)) return String(value);
	return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
}

export function median(numbers: number[]): number {
	return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** Starts a process that loads the file, and sends the task to it. Returns the first message of the process. */
export async function measureInChild<Measured>(file: string, task: object): Promise<Measured> {
	const child = fork('test/kit/child.cjs', [file], { execArgv: [] });
	child.send(task);
	return await nextMessage<Measured>(child);
}

/** Returns the next message of a process. @throws if the process ends first */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`A process of the benchmark ended with ${String(code)}`);
	});
	const message = new Promise<Message>((resolve) => child.once('message', resolve));
	return await Promise.race([message, ended]);
}

/** Returns the processor time of some work in this process, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
	const cpuTime = countCpuTime();
	await work();
	return cpuTime();
}

/** The number of rounds at the start that are not counted, because V8 is still compiling. */
const WARM_UP = 4;

/**
 * Returns the lowest cost of each task over all rounds, because other load on the machine can only increase a cost. The
 * tasks alternate, so that they run under the same conditions.
 */
export async function inTurns(
	rounds: number,
	work: Array<() => Promise<unknown>>,
): Promise<number[]> {
	const costs = work.map(() => Infinity);
	for (let round = 0; round < WARM_UP + rounds; round++) {
		for (const [place, piece] of work.entries()) {
			collectGarbage();
			const cost = await cpuOf(piece);
			if (round >= WARM_UP) costs[place] = Math.min(costs[place] ?? Infinity, cost);
		}
	}
	return costs;
}

type Work = {
	run: () => Promise<unknown>;
	/** The number of units that one run handles. The table shows the cost per unit. */
	units?: number;
};

/** Compares the processor time of some work with that of a reference. Both run alternately. */
export async function compareCpu(
	work: string,
	limit: number,
	rounds: number,
	ours: Work,
	other: Work & { name: string },
): Promise<Line> {
	const [cost = NaN, reference = NaN] = await inTurns(rounds, [ours.run, other.run]);
	return {
		work,
		cost: cost / (ours.units ?? 1),
		unit: 'ms CPU',
		reference: { name: other.name, cost: reference / (other.units ?? 1) },
		limit,
	};
}
