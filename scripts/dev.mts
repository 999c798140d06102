import { parseArgs } from 'node:util';
import { runInSandbox } from '../sandbox/run-in-sandbox.mts';
import { say } from '../sandbox/terminal/progress.mts';
import { saveExamples, sayWhereToLook } from '../sandbox/try-out.mts';
import { watchBuild } from '../sandbox/package/watch-build.mts';

const { values } = parseArgs({ options: { n8n: { type: 'string', default: '2' } } });
const line = values.n8n === '1' ? '1' : '2';

// Uses the same n8n, accounts and workflows as `npm start`, but rebuilds the package when a source changes.
await runInSandbox(
	{ line, usualPorts: true, env: { N8N_DEV_RELOAD: 'true' } },
	async (sandbox) => {
		await saveExamples(sandbox);
		sandbox.cleanups.add(await watchBuild(sandbox.userFolder));
		sayWhereToLook(sandbox);
		say('\nThe editor shows every change in nodes/, credentials/ and icons/.');
	},
	{ keepRunning: true },
);
