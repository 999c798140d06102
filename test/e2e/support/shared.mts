import { after, before } from 'node:test';

/**
 * Starts a resource before the first test of this suite, or of this process, and stops it after the last one. Returns a
 * getter for the tests.
 */
export function sharedByAllTests<Shared extends { stop: () => Promise<void> }>(
	start: () => Promise<Shared>,
): () => Promise<Shared> {
	let started: Promise<Shared> | undefined;
	// Hooks outside a suite run once for all files.
	before(async () => void (await (started = start())), { timeout: 600_000 });
	after(async () => await (await started)?.stop());
	return async () => {
		if (!started) throw new Error('Not started yet: call this in a test');
		return await started;
	};
}
