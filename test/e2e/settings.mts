import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { N8nLine } from '../../local-n8n/machine/paths.mts';

const { values, positionals } = parseArgs({
	options: { n8n: { type: 'string', default: '2' } },
	allowPositionals: true,
});

/** The major version of n8n for the tests. `npm run test:e2e -- --n8n 1` runs the tests in the last n8n 1.x. */
export const line: N8nLine = values.n8n === '1' ? '1' : '2';

/** The files that this process runs. */
export const testFiles = positionals;

/** The name of their folder. */
export const folder = basename(dirname(testFiles[0] ?? ''));
