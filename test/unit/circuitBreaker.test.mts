import { createCircuitBreaker } from '../../nodes/MessagingService/resources/recipientGroup/sync/circuitBreaker.ts';

/** Time that passes only in waits; waits at the same time pass together. */
function testClock() {
	let now = 0;
	const patience = createCircuitBreaker(
		() => now,
		async (ms) => {
			const end = now + ms;
			await Promise.resolve();
			now = Math.max(now, end);
		},
	);
	return { patience, now: () => now };
}

test('waits of ten minutes in all are granted, and then nothing more', async () => {
	const { patience, now } = testClock();
	// Four calls at a time on a service that asks for five minutes each time.
	for (let rounds = 0; rounds < 10 && patience.mayWait(300_000); rounds++) {
		await Promise.all([1, 2, 3, 4].map(async () => await patience.wait(300_000)));
	}
	expect(now()).toBe(600_000);
	expect(patience.lost).toBeUndefined();
	patience.failed('Busy.');
	expect(patience.lost).toContain('ten minutes');
});

test('four failures in a row are enough, a success in between starts anew', () => {
	const { patience } = testClock();
	for (let count = 0; count < 3; count++) patience.failed('Down');
	patience.succeeded();
	for (let count = 0; count < 3; count++) patience.failed('Down');
	expect(patience.lost).toBeUndefined();
	patience.failed('Down');
	expect(patience.lost).toContain('4 times in a row');
	expect(patience.lost).toContain('Down');
	expect(patience.mayWait(1)).toBe(false);
});

const TEN_MINUTES = 600_000;

/** Time and the end of each wait are set by hand. */
function heldClock() {
	let now = 1_000_000;
	const ends: Array<() => void> = [];
	const patience = createCircuitBreaker(
		() => now,
		async () => await new Promise<void>((resolve) => ends.push(resolve)),
	);
	return {
		patience,
		pass: (ms: number) => (now += ms),
		/** Begins a wait; what it gives ends it. */
		begin: () => {
			const waited = patience.wait(1);
			const end = ends.pop();
			return async () => {
				end?.();
				await waited;
			};
		},
	};
}

test('ten minutes are granted, and not a millisecond more', () => {
	expect(testClock().patience.mayWait(TEN_MINUTES)).toBe(true);
	expect(testClock().patience.mayWait(TEN_MINUTES + 1)).toBe(false);
});

test('time between waits does not count', async () => {
	const { patience, pass, begin } = heldClock();
	for (const ms of [100_000, 200_000]) {
		const end = begin();
		pass(ms);
		await end();
		pass(3_600_000);
	}
	expect(patience.mayWait(300_000)).toBe(true);
	expect(patience.mayWait(300_001)).toBe(false);
});

test('of waits that overlap, each moment counts once', async () => {
	const { patience, pass, begin } = heldClock();
	const endFirst = begin();
	pass(100_000);
	const endSecond = begin();
	pass(100_000);
	await endFirst();
	pass(100_000);
	await endSecond();
	expect(patience.mayWait(300_000)).toBe(true);
	expect(patience.mayWait(300_001)).toBe(false);
});

test('of a wait under way, what has passed of it counts', async () => {
	const { patience, pass, begin } = heldClock();
	const endFirst = begin();
	pass(100_000);
	await endFirst();
	begin();
	pass(200_000);
	expect(patience.mayWait(300_000)).toBe(true);
	expect(patience.mayWait(300_001)).toBe(false);
});

test('after a wait that was not granted no shorter one is', () => {
	const { patience } = testClock();
	expect(patience.mayWait(TEN_MINUTES + 1)).toBe(false);
	expect(patience.mayWait(1)).toBe(false);
});

test('the first reason why it ends stays, whatever the calls still under way do', () => {
	const { patience } = testClock();
	for (let count = 0; count < 4; count++) patience.failed('Down');
	patience.failed('Gone');
	patience.succeeded();
	patience.failed('Away');
	expect(patience.lost).toMatch(/^The service failed 4 times in a row.*: Down$/);
});

test('goes by the time that really passes', async () => {
	const patience = createCircuitBreaker();
	await patience.wait(1);
	expect(patience.mayWait(TEN_MINUTES / 2)).toBe(true);
	expect(patience.mayWait(TEN_MINUTES)).toBe(false);
});
