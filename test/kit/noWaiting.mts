let mockSlept = 0;

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		mockSlept += ms;
		await Promise.resolve();
	},
}));

/**
 * Waiting takes no time in a test file: where the node sleeps, the clock jumps. Timeouts of requests stay what they are.
 * The file has to be imported before n8n's packages.
 */
export function useNoWaiting(): void {
	beforeAll(() => {
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + mockSlept);
	});
	afterAll(() => void jest.restoreAllMocks());
}
