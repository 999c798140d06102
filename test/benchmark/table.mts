import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Each piece of work starts with a clean heap, so that none pays for the garbage of the one before.
setFlagsFromString('--expose-gc');
const evaluate: (code: string) => () => void = runInNewContext;
export const collectGarbage = evaluate('gc');

/** One line of the table: what a piece of work costs, beside what something known costs in the same run. */
export type Line = {
	work: string;
	cost: number;
	/** The unit of both costs. */
	unit: string;
	yardstick?: { name: string; cost: number };
	/** The most that the work may cost: times the yardstick where there is one, otherwise in the unit. */
	limit: number;
};

/** What a benchmark file ends with: the lines go to `run.mts`, or on the screen where the file runs by itself. */
export function report(lines: Line[]): void {
	if (process.send) process.send(lines, () => process.disconnect());
	else printTable(lines);
}

/**
 * Prints the lines as a Markdown table, as the README shows it, and fails the process for each that is past its
 * limit.
 */
export function printTable(lines: Line[]): void {
	const rows = lines.map(({ work, cost, unit, yardstick, limit }) => [
		work,
		`${digits(cost)} ${unit}`,
		yardstick ? `${yardstick.name}: ${digits(yardstick.cost)} ${unit}` : '',
		yardstick ? `${(cost / yardstick.cost).toFixed(2)} ×` : '',
		yardstick ? `${limit} ×` : `${digits(limit)} ${unit}`,
	]);
	const table = [['work', 'cost', 'yardstick', 'ratio', 'limit'], ...rows];
	const widths = [0, 1, 2, 3, 4].map((column) =>
		Math.max(...table.map((row) => row[column]?.length ?? 0)),
	);
	const shown = table.map(
		(row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
	);
	shown.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
	console.log(`\n${shown.join('\n')}\n`);
	for (const line of lines.filter((each) => timesLimit(each) > 1)) {
		console.error(`FAILED: ${line.work} is past its limit`);
		process.exitCode = 1;
	}
}

/** How a cost stands to its limit: more than 1 is past it, and so is a cost that is no number. */
export function timesLimit({ cost, yardstick, limit }: Line): number {
	const times = cost / (yardstick ? yardstick.cost * limit : limit);
	return Number.isNaN(times) ? Infinity : times;
}

function digits(value: number): string {
	if (Number.isInteger(value)) return String(value);
	return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
}

export function median(numbers: number[]): number {
	return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** Milliseconds of processor time that some work took in this process, whatever else the machine does meanwhile. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Rounds before the first that counts: so long V8 goes on compiling what it runs. */
const WARM_UP = 4;

/**
 * The cost of each piece of work, by its place: that of its cheapest round, because other load on the machine and in
 * V8 only adds to it. The pieces take turns, so that all see the same machine.
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
