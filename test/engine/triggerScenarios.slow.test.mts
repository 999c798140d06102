import fc from '../kit/property.mts';
import { eachEventOnce, SCENARIOS } from '../kit/triggerScenarios.mts';

test('random scenarios: each owed event comes once, and no other event comes', async () => {
	await fc.assert(eachEventOnce, { numRuns: SCENARIOS });
}, 180_000);
