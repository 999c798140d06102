import { startEmulator } from '../../emulator/emulator.mts';
import { runNode } from '../kit/engine.mts';
import fc from '../kit/property.mts';
import { histories, historian, HISTORY_SEED } from '../kit/syncHistories.mts';
import type { Fuzz } from './run.mts';

/** Random histories of Recipient Group: Sync; the first that makes it say what is not so is shrunk and thrown. */
export const fuzz: Fuzz = async ({ seed, runs, path }) => {
	const emulator = await startEmulator({ seed: HISTORY_SEED });
	try {
		const { lies, dryRunLies, contradictions } = historian({
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
		await fc.assert(
			fc.asyncProperty(histories, async (history) => {
				const found = [...(await lies(history)), ...(await dryRunLies(history))];
				const { identifyBy, switches, shown } = history;
				const documented = identifyBy === 'id' || switches.unknownEmails !== 'ignore';
				if (shown === null && documented) found.push(...(await contradictions(history)));
				if (found.length > 0) throw new Error(found.join('\n'));
			}),
			{ seed, numRuns: runs, path },
		);
	} finally {
		await emulator.stop();
	}
};
