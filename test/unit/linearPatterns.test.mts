import 'n8n-workflow';

import { check } from 'recheck';

import patternCheck from '../kit/patternCheck.json' with { type: 'json' };

/** Returns the patterns built at run time; lint checks all others (eslint.dev.config.mjs). */
async function patternsOf(load: () => Promise<unknown>): Promise<RegExp[]> {
	const made: RegExp[] = [];
	const builtIn = globalThis.RegExp;
	globalThis.RegExp = new Proxy(builtIn, {
		construct(target, [source, flags]: [string, string]) {
			const pattern = new target(source, flags);
			made.push(pattern);
			return pattern;
		},
	});
	try {
		await load();
	} finally {
		globalThis.RegExp = builtIn;
	}
	return made;
}

let patterns: RegExp[] = [];

// Imported before the test: otherwise, mutation testing would count all code that runs on import as covered by the test.
beforeAll(async () => {
	patterns = await patternsOf(
		async () =>
			await import('../../nodes/MessagingService/resources/survey/questionsText/parse.ts'),
	);
});

test('patterns built at run time take linear time', async () => {
	expect(patterns.length).toBeGreaterThanOrEqual(2);
	for (const { source, flags } of patterns) {
		const { status } = await check(source, flags, patternCheck);
		expect([source, status]).toEqual([source, 'safe']);
	}
});
