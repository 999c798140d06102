import { createRequire } from 'node:module';

const load: (name: string) => object = createRequire(import.meta.url);

/** How far the fake clock is ahead of the machine's clock, in milliseconds. */
let ahead = 0;

/** Makes the node's sleep take no time in a test file: the clock jumps instead. Timeouts of requests still take real time. */
export function useFakeSleep(): void {
	// The node loads this copy of the module with `require`. An `import` would load another copy.
	const n8n = load('n8n-workflow');
	const real = Object.getOwnPropertyDescriptor(n8n, 'sleep') ?? {};
	const { now } = Date;
	const sleep = async (ms: number) => {
		// Concurrent waits together take as long as the longest one.
		const until = Date.now() + ms;
		await Promise.resolve();
		// The real clock shows whole milliseconds, too.
		ahead += Math.max(0, Math.ceil(until - Date.now()));
	};
	beforeAll(() => {
		Object.defineProperty(n8n, 'sleep', { value: sleep, configurable: true });
		Date.now = () => now.call(Date) + ahead;
	});
	afterAll(() => {
		Object.defineProperty(n8n, 'sleep', real);
		Date.now = now;
	});
}

/**
 * Holds every new sleep until the returned function is called.
 *
 * @returns a function that ends the held sleeps and advances the clock by this many milliseconds
 */
export function holdSleep(): (ms: number) => void {
	const n8n = load('n8n-workflow');
	const before = Object.getOwnPropertyDescriptor(n8n, 'sleep') ?? {};
	const held: Array<() => void> = [];
	const sleep = async () => await new Promise<void>((wake) => held.push(wake));
	Object.defineProperty(n8n, 'sleep', { value: sleep, configurable: true });
	return (ms) => {
		Object.defineProperty(n8n, 'sleep', before);
		advanceClock(ms);
		for (const wake of held) wake();
	};
}

/** Advances the clock by this many milliseconds. */
export function advanceClock(ms: number): void {
	ahead += ms;
}

/**
 * Resets the fake clock. The names of temporary groups contain the real time (`new Date()`). If the fake clock is an hour
 * ahead, Sync mistakes a new temporary group for one of a killed run.
 */
export function resetClock(): void {
	ahead = 0;
}
