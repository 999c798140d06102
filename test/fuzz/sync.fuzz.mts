import fc from '../kit/property.mts';
import { startScenarios } from '../kit/syncScenarios.mts';
import type { Fuzz } from './run.mts';

/**
 * Plays random scenarios of Recipient Group: Sync.
 *
 * @throws the first broken promise, with a minimal scenario that breaks it
 */
export const fuzz: Fuzz = async ({ seed, runs, path }) => {
	const { promises, stop } = await startScenarios();
	try {
		for (const { promise, property } of promises) {
			console.log(`… ${promise}`);
			await fc.assert(property, { seed, numRuns: runs, path });
		}
	} finally {
		await stop();
	}
};
