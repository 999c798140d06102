import { after, before } from 'node:test';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import type { N8nLine } from '../../sandbox/machine/paths.mts';

let started: Promise<Sandbox> | undefined;

/** `N8N_LINE=1 npm run test:e2e` runs the same tests in the last n8n 1.x. */
export const line: N8nLine = process.env.N8N_LINE === '1' ? '1' : '2';

// Hooks outside any suite: before the first test and after the last one of all files.
before(
	async () => {
		started = startSandbox({ line, name: `e2e-${line}`, fresh: true });
		await started;
	},
	{ timeout: 600_000 },
);
after(async () => await (await started)?.stop());

/** The one n8n that all tests of this run share. */
export async function sharedSandbox(): Promise<Sandbox> {
	if (!started)
		throw new Error('The sandbox is there once the tests run, not while they are declared');
	return await started;
}
