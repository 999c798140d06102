import fc from '../kit/property.mts';
import { eachEventOnce, SCENARIOS } from '../kit/triggerScenarios.mts';

test('emits each expected event once, and no other event, in random scenarios', async () => {
	await fc.assert(eachEventOnce, { numRuns: SCENARIOS });
}, 600_000);
