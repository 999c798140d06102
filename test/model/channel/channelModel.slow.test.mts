import { startChannelModel } from './channelModel.mts';
import { useFakeSleep } from '../../kit/fakeSleep.mts';
import fc, { runs } from '../../kit/property.mts';

useFakeSleep();

test('Sync of channels keeps every promise, whatever the service does', async () => {
	const model = await startChannelModel();
	await fc.assert(model.property, { numRuns: runs(150) }).finally(async () => await model.stop());
	if (process.env.SYNC_MODEL_COUNTS !== undefined) console.log(model.counts);
}, 3_600_000);
