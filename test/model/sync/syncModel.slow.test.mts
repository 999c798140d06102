import { useFakeSleep } from '../../kit/fakeSleep.mts';
import { failingWorlds, runs } from '../../kit/property.mts';
import { startSyncModel } from './run.mts';
import { plainWorlds, scenarios } from './world.mts';

useFakeSleep();

test('Sync keeps every promise, whatever the service does', async () => {
	const model = await startSyncModel();
	const playing = failingWorlds(scenarios, runs(150), model.play, plainWorlds);
	expect(await playing.finally(async () => await model.stop())).toEqual([]);
}, 3_600_000);
