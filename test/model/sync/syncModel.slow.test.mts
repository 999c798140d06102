import { useFakeSleep } from '../../kit/fakeSleep.mts';
import { failingWorlds, runs } from '../../kit/property.mts';
import { startSyncModel } from './run.mts';
import { plainWorlds, scenarios } from './world.mts';

useFakeSleep();

test('Sync keeps every promise, whatever the service does', async () => {
	const model = await startSyncModel();
	try {
		expect(await failingWorlds(scenarios, runs(250), model.play, plainWorlds)).toEqual([]);
	} finally {
		await model.stop();
	}
}, 3_600_000);
