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

/** Prints the lines as a Markdown table, as the README shows it, and fails the process for each that is past its limit. */
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
	for (const line of lines.filter(isPastLimit)) {
		console.error(`FAILED: ${line.work} is past its limit`);
		process.exitCode = 1;
	}
}

function isPastLimit({ cost, yardstick, limit }: Line): boolean {
	return !(cost <= (yardstick ? yardstick.cost * limit : limit));
}

function digits(value: number): string {
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

/** The median cost of each piece of work, by its place; they take turns, so that all see the same machine. The first round warms up. */
export async function inTurns(
	rounds: number,
	work: Array<() => Promise<unknown>>,
): Promise<number[]> {
	const costs: number[][] = work.map(() => []);
	for (let round = 0; round <= rounds; round++) {
		for (const [place, piece] of work.entries()) {
			collectGarbage();
			const cost = await cpuOf(piece);
			if (round > 0) costs[place]?.push(cost);
		}
	}
	return costs.map(median);
}
