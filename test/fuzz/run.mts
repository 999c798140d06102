/**
 * Runs every `test/fuzz/*.fuzz.mts` with a random seed, which is printed first. After a failure:
 *
 *     SEED=<seed> npm run fuzz
 *     SEED=<seed> FUZZ_PATH=<path> npm run fuzz -- sync
 *
 * plays the same again, the second form only the shrunk case that fast-check printed with its path. RUNS is how many
 * scenarios each file plays (default 1000); a word behind `--` chooses files.
 */
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import '../kit/setup.cjs';

/** Plays random scenarios until one fails, which it throws, or all have passed. */
export type Fuzz = (given: { seed: number; runs: number; path?: string }) => Promise<void>;

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.RUNS ?? 1000);
const path = process.env.FUZZ_PATH;
// The seed of property tests (test/kit/property.mts), for whoever looks it up there.
process.env.PROPERTY_SEED = String(seed);

const chosen = process.argv.slice(2);
const files = (await readdir(import.meta.dirname))
	.filter((file) => file.endsWith('.fuzz.mts'))
	.filter((file) => chosen.length === 0 || chosen.some((word) => file.includes(word)));
console.log(`SEED=${seed} RUNS=${runs}: ${files.join(', ')}`);

let failed = false;
for (const file of files) {
	const start = performance.now();
	const loaded: unknown = await import(`./${file}`);
	if (!isFuzzFile(loaded)) throw new Error(`${file} exports no function fuzz`);
	try {
		await loaded.fuzz({ seed, runs, path });
		console.log(`✓ ${file} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
	} catch (error) {
		failed = true;
		console.error(`✗ ${file}, SEED=${seed}`, error);
	}
}
process.exit(failed ? 1 : 0);

function isFuzzFile(loaded: unknown): loaded is { fuzz: Fuzz } {
	return (
		typeof loaded === 'object' &&
		loaded !== null &&
		'fuzz' in loaded &&
		typeof loaded.fuzz === 'function'
	);
}
