import { startChannelModel, worlds } from './channelModel.mts';
import { useFakeSleep } from '../../kit/fakeSleep.mts';
import { failingWorlds, runs } from '../../kit/property.mts';

useFakeSleep();

test('Sync of channels keeps every promise, whatever the service does', async () => {
	const model = await startChannelModel();
	try {
		expect(await failingWorlds(worlds, runs(150), model.play)).toEqual([]);
	} finally {
		await model.stop();
	}
	if (process.env.SYNC_MODEL_COUNTS !== undefined) console.log(model.counts);
}, 3_600_000);
