import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `npm run test:e2e [-- words] [-- options]

Runs the end-to-end tests in a real n8n: each folder beside this file in a process of its own, one after the other.
Words choose folders or files by the beginning of their name: queue, agents, start, credential …

  --n8n 1      in the last n8n 1.x instead of 2.x
  --kills 10   how often n8n is killed, where a test does that
  NIGHTLY=1    environment variable: also what takes minutes`;

const { values, positionals } = parseArgs({
	options: {
		n8n: { type: 'string', default: '2' },
		kills: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
	allowPositionals: true,
});

const here = fileURLToPath(new URL('.', import.meta.url));

/** The test files whose folder or name begins with one of the words, or all, by their folder. */
async function chosenFiles(): Promise<string[][]> {
	const files = (await readdir(here, { recursive: true }))
		.filter((file) => file.endsWith('.e2e.mts'))
		.filter((file) => {
			const names = [file, basename(file)];
			const isChosen = (word: string) => names.some((name) => name.startsWith(word));
			return positionals.length === 0 || positionals.some(isChosen);
		})
		.sort();
	const folders = [...new Set(files.map((file) => dirname(file)))];
	return folders.map((folder) => files.filter((file) => dirname(file) === folder));
}

/** Runs test files in one process, because they share an n8n. Gives its exit code. */
async function runTogether(files: string[]): Promise<number> {
	const child = spawn(
		process.execPath,
		[
			...process.execArgv,
			join(here, 'run-files.mts'),
			...files.map((file) => join(here, file)),
			...['--n8n', values.n8n],
			...(values.kills === undefined ? [] : ['--kills', values.kills]),
		],
		{ stdio: 'inherit' },
	);
	await once(child, 'exit');
	return child.exitCode ?? 1;
}

/** Runs what was chosen, folder by folder, the others too when one fails. Gives the exit code of all. */
async function runChosen(): Promise<number> {
	const groups = await chosenFiles();
	if (groups.length === 0) {
		process.stderr.write(`No test is called ${positionals.join(' or ')}\n`);
		return 2;
	}
	let worst = 0;
	for (const files of groups) worst = Math.max(worst, await runTogether(files));
	return worst;
}

if (values.help) process.stdout.write(`${usage}\n`);
else process.exitCode = await runChosen();
