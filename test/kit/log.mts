import { editorContext } from './engine.mts';

/** Records n8n's log during a test file. All nodes share one log. */
export function watchLog() {
	const lines: unknown[] = [];
	beforeAll(async () => {
		const { logger } = (await editorContext({})).context;
		for (const level of ['error', 'warn', 'info', 'debug'] as const) {
			jest.spyOn(logger, level).mockImplementation((...line) => void lines.push(line));
		}
	});
	return { lines, clear: () => void lines.splice(0) };
}
