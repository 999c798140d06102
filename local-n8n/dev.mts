import { parseArgs } from 'node:util';
import { runLocalN8n } from './run.mts';
import { say } from './terminal/progress.mts';
import { saveExamples, sayWhereToLook } from './try-out.mts';
import { watchBuild } from './package/watch-build.mts';

const { values } = parseArgs({ options: { n8n: { type: 'string', default: '2' } } });
const line = values.n8n === '1' ? '1' : '2';

// Uses the same n8n, accounts and workflows as `npm start`, but rebuilds the package when a source changes.
await runLocalN8n(
	{ line, usualPorts: true, env: { N8N_DEV_RELOAD: 'true' } },
	async (localN8n) => {
		await saveExamples(localN8n);
		localN8n.cleanups.add(await watchBuild(localN8n.userFolder));
		sayWhereToLook(localN8n);
		say('\nThe editor shows every change in nodes/, credentials/ and icons/.');
	},
	{ keepRunning: true, command: `npm run dev -- --n8n ${line}` },
);
