import { createRequire } from 'node:module';

const load: (name: string) => object = createRequire(import.meta.url);

/** How far the clock is ahead of the machine's, in milliseconds. */
let ahead = 0;

/**
 * Waiting takes no time from now on: where the node sleeps, the clock jumps. Timeouts of requests stay what they are.
 *
 * @returns how to end it
 */
export function fakeSleep(): () => void {
	// What the node requires; an import gives an ES module of its own.
	const n8n = load('n8n-workflow');
	const real = Object.getOwnPropertyDescriptor(n8n, 'sleep') ?? {};
	const { now } = Date;
	const sleep = async (ms: number) => {
		// Waits side by side take as long as the longest, not as their sum.
		const until = Date.now() + ms;
		await Promise.resolve();
		ahead += Math.max(0, until - Date.now());
	};
	Object.defineProperty(n8n, 'sleep', { value: sleep, configurable: true });
	Date.now = () => now.call(Date) + ahead;
	return () => {
		Object.defineProperty(n8n, 'sleep', real);
		Date.now = now;
	};
}

/** Fakes sleep in a test file. */
export function useFakeSleep(): void {
	let end = () => {};
	beforeAll(() => {
		end = fakeSleep();
	});
	afterAll(() => end());
}

/** Lets so much time pass at once, in milliseconds. */
export function advanceClock(ms: number): void {
	ahead += ms;
}

/** Sets the clock right: an hour ahead of times that are not faked, such as that of `new Date()`, sync takes its staging group for one left behind. */
export function resetClock(): void {
	ahead = 0;
}
