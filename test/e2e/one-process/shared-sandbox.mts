import { after, before } from 'node:test';
import { startSandbox, type Sandbox } from '../../../sandbox/sandbox.mts';
import { line } from '../settings.mts';

let started: Promise<Sandbox> | undefined;

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
