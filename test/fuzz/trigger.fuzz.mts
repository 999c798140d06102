import fc from '../kit/property.mts';
import { eachEventOnce } from '../kit/triggerScenarios.mts';

/** Plays random scenarios of the trigger. Shrinks and throws the first that loses or repeats an event. Needs a built package. */
export const fuzz = async (given: { seed: number; runs: number; path?: string }): Promise<void> => {
	const { seed, runs: numRuns, path } = given;
	await fc.assert(eachEventOnce, { seed, numRuns, path });
};
