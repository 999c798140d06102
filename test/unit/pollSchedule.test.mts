import { isDue, onePollAtATime } from '../../nodes/MessagingServiceTrigger/schedule.ts';
import type { Memory } from '../../nodes/MessagingServiceTrigger/state.ts';

const MINUTE = 60_000;
const item = [[{ json: {} }]];

describe('while a poll runs', () => {
	let memory: Memory;
	beforeEach(() => {
		jest.useFakeTimers({ now: 0 });
		memory = { readings: new Map() };
	});
	afterEach(() => void jest.useRealTimers());

	/** Starts a poll that ends when `end` is called. Its result tells whether it is still wanted then. */
	function start(takesOver = false) {
		let end = (): void => {};
		const wait = new Promise<void>((resolve) => (end = resolve));
		const result = onePollAtATime(memory, takesOver, async (isWanted) => {
			await wait;
			return isWanted() ? item : null;
		});
		return { end, result };
	}

	test('another one returns null, but one that takes over runs, and only its result is used', async () => {
		const first = start();
		expect(await start().result).toBeNull();
		const later = start(true);
		first.end();
		expect(await first.result).toBeNull();
		// The end of the first poll does not make room for a third one beside the later one.
		expect(await start().result).toBeNull();
		later.end();
		expect(await later.result).toEqual(item);
		const next = start();
		next.end();
		expect(await next.result).toEqual(item);
	});

	test.each([10 * MINUTE, -10 * MINUTE])('for %s ms, another one takes its place', async (ms) => {
		const hanging = start();
		jest.setSystemTime(ms);
		const other = start();
		hanging.end();
		other.end();
		expect([await hanging.result, await other.result]).toEqual([null, item]);
	});
});

test('a survey with news ten minutes ago is read every minute, even if a poll starts a second early', () => {
	const reading = { turn: 0, readAt: 0, newsAt: -9 * MINUTE };
	const memory = { readings: new Map([['a', reading]]) };
	const isDueAt = (startedAt: number) =>
		isDue({ startedAt, memory, settings: { maxGapMs: 1e9 } }, 'a');
	expect([30_000, 59_000].map(isDueAt)).toEqual([false, true]);
});
