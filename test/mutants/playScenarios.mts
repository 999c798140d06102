/**
 * Plays the scenarios of `npm test` with the package in PACKAGE_FOLDER until one fails. If one fails, prints its name and
 * exits with code 1; otherwise exits with code 0. The argument is `sync` or `trigger`.
 */
import '../kit/setup.cjs';

import fc from '../kit/property.mts';
import { fakeSleep } from '../kit/fakeSleep.mts';
import { startSyncModel } from '../kit/syncModel.mts';
import { EDGE_CASES } from '../kit/triggerEdgeCases.mts';
import { eachEventOnce, SCENARIOS, playScenario } from '../kit/triggerScenarios.mts';

const seed = Number(process.env.PROPERTY_SEED);

async function play(name: string, property: fc.IRawProperty<unknown>, runs: number) {
	const { failed, numRuns } = await fc.check(property, { seed, numRuns: runs, endOnFailure: true });
	if (!failed) return;
	console.log(`"${name}", scenario ${numRuns}`);
	process.exit(1);
}

async function playSync(): Promise<void> {
	fakeSleep();
	const { property } = await startSyncModel();
	await play('keeps every promise', property, 250);
}

async function playTrigger(): Promise<void> {
	for (const { name, setting, before, first, after } of EDGE_CASES) {
		if ((await playScenario(setting, before, first, after)).length === 0) continue;
		console.log(`"${name}"`);
		process.exit(1);
	}
	await play('each once', eachEventOnce, SCENARIOS);
}

if (process.argv[2] === 'sync') await playSync();
else await playTrigger();
process.exit(0);
