import { startEmulator } from '../../emulator/emulator.mts';
import { runNode } from '../kit/engine.mts';
import fc from '../kit/property.mts';
import { historian, HISTORY_SEED } from '../kit/syncHistories.mts';
import type { Fuzz } from './run.mts';

/** Random histories of Recipient Group: Sync; the first that makes it say what is not so is shrunk and thrown. */
export const fuzz: Fuzz = async ({ seed, runs, path }) => {
	const emulator = await startEmulator({ seed: HISTORY_SEED });
	try {
		const { promises } = historian({
			emulator,
			run: async (resource, operation, parameters = {}, options = {}) =>
				await runNode({
					credential: {
						baseUrl: emulator.url,
						authentication: 'accessKey',
						accessKey: emulator.accessKey,
					},
					...options,
					parameters: { resource, operation, ...parameters },
				}),
		});
		for (const { promise, property } of promises) {
			console.log(`… ${promise}`);
			await fc.assert(property, { seed, numRuns: runs, path });
		}
	} finally {
		await emulator.stop();
	}
};
