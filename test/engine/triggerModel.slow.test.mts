import fc, { runs } from '../kit/property.mts';
import { emitsEachEventOnce, examples } from '../kit/triggerModel.mts';
import { occurrences } from '../kit/triggerModelService.mts';

/** How many random histories `npm test` plays. */
const HISTORIES = 200;

test('emits what it promises, once, and nothing else, in random histories', async () => {
	const numRuns = examples.length + runs(HISTORIES);
	await fc.assert(emitsEachEventOnce, { examples, numRuns });
	if (process.env.OCCURRENCES)
		console.log(JSON.stringify(Object.fromEntries([...occurrences].sort()), null, '\t'));
}, 600_000);
