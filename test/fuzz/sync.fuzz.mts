import { fakeSleep } from '../kit/fakeSleep.mts';
import fc from '../kit/property.mts';
import { startSyncModel } from '../kit/syncModel.mts';
import type { Fuzz } from './run.mts';

/**
 * Plays random scenarios of Recipient Group: Sync.
 *
 * @throws the error of the first scenario that fails, made minimal
 */
export const fuzz: Fuzz = async ({ seed, runs, path }) => {
	const end = fakeSleep();
	const { property, stop } = await startSyncModel();
	try {
		await fc.assert(property, { seed, numRuns: runs, path });
	} finally {
		await stop();
		end();
	}
};
