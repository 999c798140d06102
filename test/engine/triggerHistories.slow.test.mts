import fc from '../kit/property.mts';
import { everyHistoryKeepsItsWord, HISTORIES } from '../kit/triggerHistories.mts';

test('random histories: what is owed once comes once, and nothing else comes', async () => {
	await fc.assert(everyHistoryKeepsItsWord, { numRuns: HISTORIES });
}, 180_000);
