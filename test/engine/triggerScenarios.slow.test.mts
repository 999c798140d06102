import fc from '../kit/property.mts';
import { eachEventOnce, SCENARIOS } from '../kit/triggerScenarios.mts';

test('random scenarios: what is owed once comes once, and nothing else comes', async () => {
	await fc.assert(eachEventOnce, { numRuns: SCENARIOS });
}, 180_000);
