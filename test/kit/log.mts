import { editorContext } from './engine.mts';

/** The recorded lines of n8n's log. */
export type Log = { readonly lines: unknown[]; clear(): void };

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** Records n8n's log during a test file. All nodes share one log. */
export function watchLog(): Log {
	const lines: unknown[] = [];
	beforeAll(async () => {
		const { logger } = (await editorContext({})).context;
		for (const level of LEVELS) {
			jest.spyOn(logger, level).mockImplementation((...line) => void lines.push(line));
		}
	});
	return { lines, clear: () => void lines.splice(0) };
}
