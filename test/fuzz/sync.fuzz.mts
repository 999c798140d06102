import fc from '../kit/property.mts';
import { startScenarios } from '../kit/syncScenarios.mts';
import type { Fuzz } from './run.mts';

/**
 * Plays random scenarios of Recipient Group: Sync.
 *
 * @throws the error of the first property that fails, with a minimal scenario
 */
export const fuzz: Fuzz = async ({ seed, runs, path }) => {
	const { properties, stop } = await startScenarios();
	try {
		for (const { name, property } of properties) {
			console.log(`… ${name}`);
			await fc.assert(property, { seed, numRuns: runs, path });
		}
	} finally {
		await stop();
	}
};
