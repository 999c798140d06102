import fc from '../kit/property.mts';
import { everyHistoryKeepsItsWord } from '../kit/triggerHistories.mts';

/** Random histories of the trigger; the first in which it breaks its word is shrunk and thrown. Needs a built package. */
export const fuzz = async (given: { seed: number; runs: number; path?: string }): Promise<void> => {
	const { seed, runs: numRuns, path } = given;
	await fc.assert(everyHistoryKeepsItsWord, { seed, numRuns, path });
};
