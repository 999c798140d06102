/**
 * Applies each mutant of mutants.mts to a copy of the built package and plays the scenarios of `npm test` on the copy. With
 * a mutant, a scenario must fail. Without a mutant, all must pass. The argument `sync` or `trigger` selects all mutants of
 * that side; any other text selects the mutants whose names contain it:
 *
 *     npm run test:breaks
 *     npm run test:breaks -- sync
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import ts from 'typescript';

import { mapWithConcurrency } from '../../nodes/shared/concurrency.ts';
import { mutants, type Mutant } from './mutants.mts';

const CONCURRENCY = 2;

const load: (file: string) => () => void = createRequire(import.meta.url);
const chooseSeed = load('../kit/seed.cjs');

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = join(root, '.cache', 'mutants');

type Side = keyof typeof mutants;
type Run = { side: Side; mutant?: Mutant };

const words = process.argv.slice(2);
const isChosen = (side: string, name: string) =>
	words.length === 0 || words.some((word) => word === side || name.includes(word));

const runs = (['sync', 'trigger'] as const).flatMap((side): Run[] => {
	const chosen = mutants[side].filter(({ name }) => isChosen(side, name));
	return chosen.length === 0 ? [] : [{ side }, ...chosen.map((mutant) => ({ side, mutant }))];
});

chooseSeed();
await rm(scratch, { recursive: true, force: true });
const wrong = await mapWithConcurrency(runs, CONCURRENCY, async ({ side, mutant }, index) => {
	const folder = join(scratch, String(index));
	await writePackage(folder, mutant);
	const found = await playScenarios(folder, side);
	const isExpected = (mutant !== undefined) === (found !== undefined);
	const what = mutant?.name ?? 'no mutant';
	console.log(`${isExpected ? '✓' : '✗'} ${side}: ${what} — ${found ?? 'the scenarios pass'}`);
	return isExpected ? 0 : 1;
});
await rm(scratch, { recursive: true, force: true });
const misses = wrong.reduce((sum: number, one) => sum + one, 0);
console.log(`${runs.length - misses} of ${runs.length} as expected`);
process.exitCode = misses > 0 ? 1 : 0;

/** Copies the built package into a folder and applies the mutant. */
async function writePackage(folder: string, mutant: Mutant | undefined): Promise<void> {
	await mkdir(folder, { recursive: true });
	await cp(join(root, 'package.json'), join(folder, 'package.json'));
	await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
	if (!mutant) return;
	const source = await readFile(join(root, mutant.file), 'utf8');
	const parts = source.split(mutant.from);
	if (parts.length !== 2) {
		throw new Error(`"${mutant.from}" occurs ${parts.length - 1} times in ${mutant.file}`);
	}
	const { outputText } = ts.transpileModule(parts.join(mutant.to), {
		compilerOptions: {
			module: ts.ModuleKind.CommonJS,
			target: ts.ScriptTarget.ES2022,
			esModuleInterop: true,
		},
	});
	await writeFile(join(folder, 'dist', mutant.file.replace(/\.ts$/, '.js')), outputText);
}

/** Returns the scenario that failed; undefined if all pass. */
async function playScenarios(folder: string, side: Side): Promise<string | undefined> {
	const script = join(root, 'test', 'mutants', 'playScenarios.mts');
	const { exitCode, stdout, stderr } = await execa({
		cwd: root,
		env: { PACKAGE_FOLDER: folder },
		reject: false,
	})(process.execPath, ['--import', 'tsx', script, side]);
	if (exitCode === 0) return undefined;
	if (exitCode === 1 && stdout.startsWith('"')) return stdout.trim();
	throw new Error(`The scenarios did not run: ${stderr}`);
}
