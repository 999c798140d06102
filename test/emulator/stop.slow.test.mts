import timers from 'node:timers/promises';
import { startEmulator, type Emulator, type FaultAction } from '../../emulator/emulator.mts';
import { clientOf } from './client.mts';

const seed = { people: 1, groups: 0, campaigns: 0, surveys: 0, broadcasts: 0, channels: 0 };

/** Sends a request that `action` delays. `end` resolves to the outcome of the request, as text. */
async function waiting(emulator: Emulator, action: FaultAction): Promise<{ end: Promise<string> }> {
	const struck = new Promise<void>((resolve) => {
		emulator.onRequest(() => resolve());
	});
	emulator.faults.add({ match: {}, action });
	const end = clientOf(emulator)
		.call('GET /me')
		.then(
			(answer) => `answered ${answer.status}`,
			(error: unknown) => String(error),
		);
	await struck;
	return { end };
}

afterEach(() => void jest.restoreAllMocks());

const hour = 3_600_000;

const actions: FaultAction[] = [{ delayMs: hour }, 'stall', 'stallAfter', 'stallBody'];

test.each(actions)('stop ends requests that wait because of %j', async (action) => {
	const sleep = jest.spyOn(timers, 'setTimeout');
	const emulator = await startEmulator({ seed });
	const { end } = await waiting(emulator, action);
	await emulator.stop();
	expect(await end).toMatch(/socket hang up|ECONNRESET|aborted/);
	await expect(clientOf(emulator).call('GET /me')).rejects.toThrow('ECONNREFUSED');
	// A timer that goes on would keep the process alive.
	const sleeps = sleep.mock.results.map(({ value }): unknown => value);
	expect(await Promise.allSettled(sleeps)).toMatchObject([{ status: 'rejected' }]);
});
