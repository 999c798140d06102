import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { installN8n } from '../../local-n8n/n8n/install-n8n.mts';

const usage = `npm run test:e2e [-- words] [-- options]

Runs the end-to-end tests in a real n8n, each folder in its own process, one after the other.
Words select folders or files by the start of their name: queue, agents, start, credential …

  --n8n 1      use the last n8n 1.x instead of 2.x
  --together   run several folders at the same time, in the order of the words; the output of each
               folder appears when it ends`;

const { values, positionals } = parseArgs({
	options: {
		n8n: { type: 'string', default: '2' },
		together: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
	allowPositionals: true,
});

const here = import.meta.dirname;

/** Returns which word selects a file, counted from 0, or -1 if none does. */
function wordOf(file: string): number {
	const names = [file, basename(file)];
	return positionals.findIndex((word) => names.some((name) => name.startsWith(word)));
}

/** Runs test files in one process, because they share an n8n. Returns the exit code of the process. */
async function runFolder(files: string[]): Promise<number> {
	const paths = files.map((file) => join(here, file));
	const { exitCode, all } = await execa(
		process.execPath,
		[...process.execArgv, join(here, 'run-files.mts'), ...paths, '--n8n', values.n8n],
		values.together ? { all: true, reject: false } : { stdio: 'inherit', reject: false },
	);
	if (all !== undefined) process.stdout.write(`${all}\n`);
	return exitCode ?? 1;
}

/** Runs the tests of all selected folders, even if one folder fails. Returns the highest exit code. */
async function runSelected(): Promise<number> {
	const all = await readdir(here, { recursive: true });
	const files = all
		.filter((file) => file.endsWith('.e2e.mts'))
		.filter((file) => positionals.length === 0 || wordOf(file) >= 0)
		.sort()
		.sort((a, b) => wordOf(a) - wordOf(b));
	if (files.length === 0) {
		process.stderr.write(`No test is called ${positionals.join(' or ')}\n`);
		return 2;
	}
	const folders = [...new Set(files.map((file) => dirname(file)))];
	// Every folder needs n8n. So it is ready before folders run in parallel.
	await installN8n(values.n8n === '1' ? '1' : '2');
	const codes: number[] = [];
	const runSome = async () => {
		for (let folder = folders.shift(); folder !== undefined; folder = folders.shift())
			codes.push(await runFolder(files.filter((file) => dirname(file) === folder)));
	};
	// A folder waits for n8n more than half of the time.
	const processes = values.together ? availableParallelism() + 1 : 1;
	await Promise.all(Array.from({ length: processes }, runSome));
	return Math.max(...codes);
}

if (values.help) process.stdout.write(`${usage}\n`);
else process.exitCode = await runSelected();
