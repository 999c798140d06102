import { useFakeSleep } from '../../kit/fakeSleep.mts';
import { failingWorlds, runs } from '../../kit/property.mts';
import { TOO_CAREFUL } from './promises.mts';
import { startSyncModel } from './run.mts';
import { plainWorlds, scenarios, type Scenario } from './world.mts';

useFakeSleep();

test('Sync keeps every promise, whatever the service does', async () => {
	const model = await startSyncModel();
	let careful = 0;
	/** In a few of the thousands of nightly worlds, Sync may change less than it must. In `npm test`, in none. */
	const play = async (scenario: Scenario) => {
		const found = await model.play(scenario);
		const isOnlyCareful = found.every((sentence) => sentence.startsWith(TOO_CAREFUL));
		if (found.length > 0 && isOnlyCareful) careful += 1;
		return isOnlyCareful && careful <= Math.floor(runs(250) / 300) ? [] : found;
	};
	try {
		expect(await failingWorlds(scenarios, runs(250), play, plainWorlds)).toEqual([]);
	} finally {
		await model.stop();
	}
}, 3_600_000);
