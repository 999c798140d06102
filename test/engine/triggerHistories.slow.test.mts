import fc from '../kit/property.mts';
import { everyHistoryKeepsItsWord } from '../kit/triggerHistories.mts';

test('random histories: what is owed once comes once, and nothing else comes', async () => {
	await fc.assert(everyHistoryKeepsItsWord, { numRuns: 200 });
}, 180_000);
