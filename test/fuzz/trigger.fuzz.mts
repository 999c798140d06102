import fc from '../kit/property.mts';
import { eachEventOnce } from '../kit/triggerScenarios.mts';

/**
 * Plays random scenarios of the trigger. Needs a built package.
 *
 * @throws a minimal scenario in which the trigger loses or repeats an event
 */
export const fuzz = async (given: { seed: number; runs: number; path?: string }): Promise<void> => {
	const { seed, runs: numRuns, path } = given;
	await fc.assert(eachEventOnce, { seed, numRuns, path });
};
