import fc from '../kit/property.mts';
import { eachEventOnce } from '../kit/triggerScenarios.mts';

/** Random scenarios of the trigger; the first with an event lost or emitted twice is shrunk and thrown. Needs a built package. */
export const fuzz = async (given: { seed: number; runs: number; path?: string }): Promise<void> => {
	const { seed, runs: numRuns, path } = given;
	await fc.assert(eachEventOnce, { seed, numRuns, path });
};
