import { useFakeSleep } from '../kit/fakeSleep.mts';
import fc, { runs } from '../kit/property.mts';
import { startSyncModel } from '../kit/syncModel.mts';

useFakeSleep();

/** Prints how often each fault occurred. */
const PRINTS_COUNTS = process.env.SYNC_MODEL_COUNTS !== undefined;

test('keeps every promise, whatever the service does', async () => {
	const model = await startSyncModel();
	try {
		await fc.assert(model.property, { numRuns: runs(250) });
	} finally {
		await model.stop();
	}
	if (PRINTS_COUNTS)
		console.log(
			[...model.counts]
				.sort()
				.map((one) => one.join(': '))
				.join('\n'),
		);
}, 3_600_000);
