import fc from '../kit/property.mts';
import { eachEventOnce } from '../kit/triggerScenarios.mts';

/**
 * Plays random scenarios of the trigger until one loses or repeats an event. Reduces this scenario to a minimal case and
 * throws it. Needs a built package.
 */
export const fuzz = async (given: { seed: number; runs: number; path?: string }): Promise<void> => {
	const { seed, runs: numRuns, path } = given;
	await fc.assert(eachEventOnce, { seed, numRuns, path });
};
