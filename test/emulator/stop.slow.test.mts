import { startEmulator, type Emulator, type FaultAction } from '../../emulator/emulator.mts';
import { clientOf } from './client.mts';

const seed = { people: 1, groups: 0, campaigns: 0, surveys: 0, broadcasts: 0, channels: 0 };

/** A request that the fault keeps waiting; what becomes of it, as text. */
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

/** What keeps this process alive; jest's own process (`--runInBand`, or a single file) has timers that come and go. */
const kinds = process.send === undefined ? ['TCPServerWrap'] : ['TCPServerWrap', 'Timeout'];

const keepingAlive = (): string[] =>
	process
		.getActiveResourcesInfo()
		.filter((name) => kinds.includes(name))
		.sort();

const actions: FaultAction[] = [{ delayMs: 3_600_000 }, 'stall', 'stallAfter', 'stallBody'];

test.each(actions)('nothing that waits because of %j outlives stop', async (action) => {
	const before = keepingAlive();
	const emulator = await startEmulator({ seed });
	const { end } = await waiting(emulator, action);
	await emulator.stop();
	expect(await end).toMatch(/socket hang up|ECONNRESET|aborted/);
	expect(keepingAlive()).toEqual(before);
});

test.each(actions)('a reset ends what waits because of %j', async (action) => {
	const emulator = await startEmulator({ seed });
	const { end } = await waiting(emulator, action);
	emulator.reset();
	expect(await end).toMatch(/socket hang up|ECONNRESET|aborted/);
	expect(emulator.requests).toEqual([]);
	await clientOf(emulator).ok('GET /me');
	await emulator.stop();
});
