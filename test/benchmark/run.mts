/**
 * `npm run benchmark`: what everything costs, each line beside its yardstick in one run, as one table. Each file beside
 * this one measures in a process of its own, and runs alone as well:
 *
 *     npm run build && node --import tsx test/benchmark/items.mts [--short]
 *
 * The lines beside n8n's HTTP Request node need an installed n8n (`npm start` does that). Fails past a limit.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { printTable, timesLimit, type Line } from './table.mts';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });

/** What the short form measures, too; the others take minutes each. */
const SHORT = ['items', 'realN8n', 'lists', 'upload', 'screen'];
const FILES = values.short ? SHORT : [...SHORT, 'poll', 'account', 'sync'];

/** How often a file measures at most: a machine that does something else may spoil a measurement, and never flatters one. */
const TRIES = 3;

/** The lines of a file; after a line past its limit the file runs again, and of each line the best counts. */
async function linesOf(file: string): Promise<Line[]> {
	let best: Line[] = [];
	for (let attempt = 1; attempt <= TRIES; attempt++) {
		console.log(attempt === 1 ? `… ${file}` : `… ${file}, once more: a line is past its limit`);
		const lines = await measured(file);
		best = lines.map((line) => {
			const before = best.find(({ work, yardstick }) => isSame(line, work, yardstick?.name));
			return before && timesLimit(before) < timesLimit(line) ? before : line;
		});
		if (best.every((line) => timesLimit(line) <= 1)) break;
	}
	return best;
}

function isSame({ work, yardstick }: Line, otherWork: string, otherName?: string): boolean {
	return work === otherWork && yardstick?.name === otherName;
}

async function measured(file: string): Promise<Line[]> {
	const child = fork(`test/benchmark/${file}.mts`, process.argv.slice(2), {
		execArgv: ['--import', 'tsx'],
	});
	let lines: Line[] = [];
	child.on('message', (message: Line[]) => {
		lines = message;
	});
	await once(child, 'exit');
	if (child.exitCode !== 0) throw new Error(`${file} ended with ${child.exitCode}`);
	return lines;
}

const lines: Line[] = [];
for (const file of FILES) lines.push(...(await linesOf(file)));
printTable(lines);
