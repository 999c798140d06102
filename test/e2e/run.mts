import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `npm run test:e2e [-- words] [-- options]

Runs the end-to-end tests in a real n8n, each folder in its own process, one after the other.
Words select folders or files by the start of their name: queue, agents, start, credential …

  --n8n 1      use the last n8n 1.x instead of 2.x`;

const { values, positionals } = parseArgs({
	options: {
		n8n: { type: 'string', default: '2' },
		help: { type: 'boolean', default: false },
	},
	allowPositionals: true,
});

const here = import.meta.dirname;

function isSelected(file: string): boolean {
	const names = [file, basename(file)];
	return (
		positionals.length === 0 ||
		positionals.some((word) => names.some((name) => name.startsWith(word)))
	);
}

/** Runs test files in one process, because they share an n8n. Returns the exit code of the process. */
async function runTogether(files: string[]): Promise<number> {
	const paths = files.map((file) => join(here, file));
	const child = spawn(
		process.execPath,
		[...process.execArgv, join(here, 'run-files.mts'), ...paths, '--n8n', values.n8n],
		{ stdio: 'inherit' },
	);
	await once(child, 'exit');
	return child.exitCode ?? 1;
}

/** Runs the tests of all selected folders, even if one folder fails. Returns the highest exit code. */
async function runSelected(): Promise<number> {
	const all = await readdir(here, { recursive: true });
	const files = all.filter((file) => file.endsWith('.e2e.mts') && isSelected(file)).sort();
	if (files.length === 0) {
		process.stderr.write(`No test is called ${positionals.join(' or ')}\n`);
		return 2;
	}
	let worst = 0;
	for (const folder of new Set(files.map((file) => dirname(file)))) {
		const together = files.filter((file) => dirname(file) === folder);
		worst = Math.max(worst, await runTogether(together));
	}
	return worst;
}

if (values.help) process.stdout.write(`${usage}\n`);
else process.exitCode = await runSelected();
