import { EDGE_CASES } from '../kit/triggerEdgeCases.mts';
import { playScenario } from '../kit/triggerScenarios.mts';

test.each(EDGE_CASES)('$name', async ({ setting, before, first, after }) => {
	expect(await playScenario(setting, before, first, after)).toEqual([]);
});
