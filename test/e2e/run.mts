import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `npm run test:e2e [-- words] [-- options]

Runs the end-to-end tests in a real n8n: each folder beside this file in a process of its own, one after the other.
Words choose folders or files by a part of their name: queue, agents, start, credential …

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

/** Every test file, by its folder. */
async function allFiles(): Promise<Map<string, string[]>> {
	const folders = new Map<string, string[]>();
	for (const file of (await readdir(here, { recursive: true })).sort()) {
		if (!file.endsWith('.e2e.mts')) continue;
		folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
	}
	return folders;
}

/** The files of a folder that the words choose: all of it by its whole name, one by a part of its own. */
function chosen(folder: string, files: string[], folders: string[]): string[] {
	if (positionals.length === 0 || positionals.includes(folder)) return files;
	const words = positionals.filter((word) => !folders.includes(word));
	return files.filter((file) => words.some((word) => basename(file).includes(word)));
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
	const folders = await allFiles();
	const groups = [...folders].map(([folder, files]) => chosen(folder, files, [...folders.keys()]));
	if (groups.flat().length === 0) {
		process.stderr.write(`No test has ${positionals.join(' or ')} in its name\n`);
		return 2;
	}
	let worst = 0;
	for (const files of groups) {
		if (files.length > 0) worst = Math.max(worst, await runTogether(files));
	}
	return worst;
}

if (values.help) process.stdout.write(`${usage}\n`);
else process.exitCode = await runChosen();
