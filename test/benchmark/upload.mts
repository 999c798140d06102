/**
 * What a large file costs on its way from n8n's storage on disk to the service, beside n8n's HTTP Request node with the
 * same file: processor time and memory, each in a process of its own. The service is one more.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';

import { nextMessage, startBareService } from './bareService.mts';
import { httpRequest } from './contestants.mts';
import { median, report, type Line } from './table.mts';
import type { Measured, Task } from './uploadOnce.mts';

const MIB = 1024 * 1024;
/** Times the HTTP Request node. */
const MOST_CPU = 1.1;
/** Whatever the size of the file. */
const MOST_MEMORY_MIB = 64;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const size = (values.short ? 128 : 1024) * MIB;
const rounds = 3;

const { baseUrl, stop } = await startBareService();
const contestants: Array<Task['which']> = [
	'ours',
	...(httpRequest() ? ['httpRequest' as const] : []),
];
try {
	const measured = new Map<string, Measured[]>(contestants.map((which) => [which, []]));
	for (let round = 0; round < rounds; round++) {
		for (const which of contestants) measured.get(which)?.push(await uploaded(which));
	}
	report(linesOf(measured.get('ours') ?? [], measured.get('httpRequest')));
} finally {
	stop();
}

function linesOf(ours: Measured[], others: Measured[] | undefined): Line[] {
	const file = size === 1024 * MIB ? '1 GiB' : `${size / MIB} MiB`;
	const cheapest = (all: Measured[]): number => Math.min(...all.map(({ cpu }) => cpu));
	const memory: Line = {
		work: `upload of ${file}, memory`,
		cost: median(ours.map((one) => one.memory)) / MIB,
		unit: 'MiB',
		limit: MOST_MEMORY_MIB,
	};
	if (!others) return [memory];
	const yardstick = { name: 'HTTP Request', cost: cheapest(others) };
	return [
		{ work: `upload of ${file}`, cost: cheapest(ours), unit: 'ms CPU', yardstick, limit: MOST_CPU },
		memory,
	];
}

async function uploaded(which: Task['which']): Promise<Measured> {
	const child = fork('test/kit/child.cjs', ['test/benchmark/uploadOnce.mts'], { execArgv: [] });
	child.send({ which, baseUrl, size } satisfies Task);
	return await nextMessage<Measured>(child);
}
