import fc from '../kit/property.mts';
import { eachEventOnce } from '../kit/triggerScenarios.mts';

/** Random scenarios of the trigger; shrinks and throws the first that loses an event or emits one twice. Needs a built package. */
export const fuzz = async (given: { seed: number; runs: number; path?: string }): Promise<void> => {
	const { seed, runs: numRuns, path } = given;
	await fc.assert(eachEventOnce, { seed, numRuns, path });
};
