/** How far the clock is ahead of the machine's, in milliseconds. */
let mockAhead = 0;

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		// Waits side by side take as long as the longest, not as their sum.
		const until = Date.now() + ms;
		await Promise.resolve();
		mockAhead += Math.max(0, until - Date.now());
	},
}));

/**
 * Waiting takes no time in a test file: where the node sleeps, the clock jumps. Timeouts of requests stay what they are.
 * The file has to be imported before n8n's packages.
 */
export function useFakeSleep(): void {
	beforeAll(() => {
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + mockAhead);
	});
	afterAll(() => void jest.restoreAllMocks());
}

/** Lets so much time pass at once, in milliseconds. */
export function advanceClock(ms: number): void {
	mockAhead += ms;
}
