import { parseArgs } from 'node:util';
import type { N8nLine } from '../../sandbox/machine/paths.mts';

const { values, positionals } = parseArgs({
	options: { n8n: { type: 'string', default: '2' }, kills: { type: 'string' } },
	allowPositionals: true,
});

/** `npm run test:e2e -- --n8n 1` runs the same tests in the last n8n 1.x. */
export const line: N8nLine = values.n8n === '1' ? '1' : '2';

/** The files that this process runs. */
export const testFiles = positionals;

/** NIGHTLY=1 also runs what takes minutes; docs/testing.md says what that has found. */
export const isNightly = process.env.NIGHTLY === '1';

/** How often a test kills n8n: `--kills 10`, or 5 times at night and once otherwise. */
export const kills = Number(values.kills ?? (isNightly ? 5 : 1));
