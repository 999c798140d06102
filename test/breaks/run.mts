/**
 * Plants each break of breaks.mts in a copy of the built package and plays the histories of `npm test` on it, which have to
 * find it. Without a break they have to pass. Words choose breaks by a part of their names, or sync or trigger as a whole:
 *
 *     npm run test:breaks
 *     npm run test:breaks -- sync
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

import { mapWithConcurrency } from '../../nodes/shared/concurrency.ts';
import { breaks, type Break } from './breaks.mts';

const AT_ONCE = 2;

const load: (file: string) => () => void = createRequire(import.meta.url);
const chooseSeed = load('../kit/seed.cjs');

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = join(root, '.cache', 'breaks');

type Side = keyof typeof breaks;
type Planted = { side: Side; broken?: Break };

const words = process.argv.slice(2);
const isChosen = (side: string, name: string) =>
	words.length === 0 || words.some((word) => word === side || name.includes(word));

const planted = (['sync', 'trigger'] as const).flatMap((side): Planted[] => {
	const chosen = breaks[side].filter(({ name }) => isChosen(side, name));
	return chosen.length === 0 ? [] : [{ side }, ...chosen.map((broken) => ({ side, broken }))];
});

chooseSeed();
await rm(scratch, { recursive: true, force: true });
const wrong = await mapWithConcurrency(planted, AT_ONCE, async ({ side, broken }, index) => {
	const folder = join(scratch, String(index));
	await plant(folder, broken);
	const found = await playHistories(folder, side);
	const isWell = (broken !== undefined) === (found !== undefined);
	const what = broken?.name ?? 'nothing is broken';
	console.log(`${isWell ? '✓' : '✗'} ${side}: ${what} — ${found ?? 'the histories pass'}`);
	return isWell ? 0 : 1;
});
await rm(scratch, { recursive: true, force: true });
const misses = wrong.reduce((sum: number, one) => sum + one, 0);
console.log(`${planted.length - misses} of ${planted.length} as they should be`);
process.exitCode = misses > 0 ? 1 : 0;

/** Puts a copy of the built package into a folder, with one place of it changed. */
async function plant(folder: string, broken: Break | undefined): Promise<void> {
	await mkdir(folder, { recursive: true });
	await cp(join(root, 'package.json'), join(folder, 'package.json'));
	await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
	if (!broken) return;
	const source = await readFile(join(root, broken.file), 'utf8');
	const parts = source.split(broken.from);
	if (parts.length !== 2) {
		throw new Error(`"${broken.from}" stands ${parts.length - 1} times in ${broken.file}`);
	}
	const { outputText } = ts.transpileModule(parts.join(broken.to), {
		compilerOptions: {
			module: ts.ModuleKind.CommonJS,
			target: ts.ScriptTarget.ES2022,
			esModuleInterop: true,
		},
	});
	await writeFile(join(folder, 'dist', broken.file.replace(/\.ts$/, '.js')), outputText);
}

/** @returns which history found something */
async function playHistories(folder: string, side: Side): Promise<string | undefined> {
	const script = join(root, 'test', 'breaks', 'histories.mts');
	return await new Promise((resolve, reject) => {
		execFile(
			process.execPath,
			['--import', 'tsx', script, side],
			{ cwd: root, env: { ...process.env, PACKAGE_FOLDER: folder }, maxBuffer: 2 ** 26 },
			(error, stdout, stderr) => {
				if (error === null) resolve(undefined);
				else if (error.code === 1 && stdout.startsWith('"')) resolve(stdout.trim());
				else reject(new Error(`The histories did not run: ${stderr}`));
			},
		);
	});
}
