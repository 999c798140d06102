import { useFakeSleep } from '../../kit/fakeSleep.mts';
import { failingWorlds, runs } from '../../kit/property.mts';
import { startSyncModel } from './run.mts';
import { plainWorlds, scenarios } from './world.mts';

useFakeSleep();

test('Sync keeps every promise, whatever the service does', async () => {
	const model = await startSyncModel();
	try {
		expect(await failingWorlds(scenarios, runs(150), model.play, plainWorlds)).toEqual([]);
	} finally {
		await model.stop();
	}
	// Shows how often each fault occurred.
	const counts = [...model.counts].map(([what, times]) => `${what}: ${times}`).sort();
	if (process.env.SYNC_MODEL_COUNTS !== undefined) console.log(counts.join('\n'));
}, 3_600_000);
