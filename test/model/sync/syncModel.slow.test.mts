import { useFakeSleep } from '../../kit/fakeSleep.mts';
import fc, { runs } from '../../kit/property.mts';
import { startSyncModel } from './run.mts';
import { plainWorlds, type Scenario } from './world.mts';

useFakeSleep();

test('Sync keeps every promise, whatever the service does', async () => {
	const model = await startSyncModel();
	const examples = plainWorlds.map((world): [Scenario] => [world]);
	const asserting = fc.assert(model.property, { numRuns: runs(250), examples });
	await asserting.finally(async () => await model.stop());
	// Shows how often each fault occurred.
	const counts = [...model.counts].map(([what, times]) => `${what}: ${times}`).sort();
	if (process.env.SYNC_MODEL_COUNTS !== undefined) console.log(counts.join('\n'));
}, 3_600_000);
