import fc from '../kit/property.mts';
import { startScenarios } from '../kit/syncScenarios.mts';
import type { Fuzz } from './run.mts';

/** Random scenarios of Recipient Group: Sync; the first that makes it say what is not so is shrunk and thrown. */
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
