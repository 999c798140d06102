import { startSandbox } from '../../../sandbox/sandbox.mts';
import { line } from '../settings.mts';
import { sharedByAllTests } from '../support/shared.mts';

/** Returns the n8n that all tests of this folder share. */
export const sharedSandbox = sharedByAllTests(
	async () => await startSandbox({ line, name: `e2e-${line}`, fresh: true }),
);
