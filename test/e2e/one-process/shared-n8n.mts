import { startLocalN8n } from '../../../local-n8n/local-n8n.mts';
import { line } from '../settings.mts';
import { sharedByAllTests } from '../support/shared.mts';

/** Returns the n8n that all tests of this folder share. */
export const sharedN8n = sharedByAllTests(
	async () => await startLocalN8n({ line, name: `e2e-${line}`, fresh: true }),
);
