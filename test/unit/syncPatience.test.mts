import { newPatience } from '../../nodes/MessagingService/resources/recipientGroup/sync/patience.ts';

/** Time that passes only in waits; waits at the same time pass together. */
function testClock() {
	let now = 0;
	const patience = newPatience(
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
	while (patience.mayWait(300_000)) {
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
