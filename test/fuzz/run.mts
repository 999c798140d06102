/**
 * Runs every `test/fuzz/*.fuzz.mts` with a random seed, which is printed first. To repeat a failed run:
 *
 *     SEED=<seed> npm run fuzz
 *
 * To play only the minimal case, with the path that fast-check printed:
 *
 *     SEED=<seed> FUZZ_PATH=<path> npm run fuzz -- sync
 *
 * Words after `--` select files by name. RUNS is the number of scenarios per property (default 1000).
 */
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import '../kit/setup.cjs';

/** Plays random scenarios. @throws the first failure */
export type Fuzz = (given: { seed: number; runs: number; path?: string }) => Promise<void>;

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.RUNS ?? 1000);
const path = process.env.FUZZ_PATH;
// test/kit/property.mts reads the seed from here.
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
