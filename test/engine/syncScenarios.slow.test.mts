import { useFakeSleep } from '../kit/fakeSleep.mts';
import fc from '../kit/property.mts';
import { useService } from '../kit/service.mts';
import { scenarioPlayer, SCENARIO_SEED } from '../kit/syncScenarios.mts';

useFakeSleep();
const { properties } = scenarioPlayer(useService(SCENARIO_SEED));

test.each(properties)(
	'$name',
	async ({ property, runs }) => {
		await fc.assert(property, { numRuns: runs });
	},
	600_000,
);
