import { parseArgs } from 'node:util';
import { runInSandbox } from '../sandbox/run-in-sandbox.mts';
import { say } from '../sandbox/terminal/progress.mts';
import { saveExamples, sayWhereToLook } from '../sandbox/try-out.mts';
import { watchBuild } from '../sandbox/package/watch-build.mts';

const { values } = parseArgs({ options: { n8n: { type: 'string', default: '2' } } });
const line = values.n8n === '1' ? '1' : '2';

// The same n8n, accounts and workflows as `npm start`; only the package in it follows the source.
await runInSandbox(
	{ line, usualPorts: true, env: { N8N_DEV_RELOAD: 'true' } },
	async (sandbox) => {
		await saveExamples(sandbox);
		sandbox.cleanups.add(await watchBuild(sandbox.userFolder));
		sayWhereToLook(sandbox);
		say('\nChange a file under nodes/, credentials/ or icons/, and the open editor shows it.');
	},
	{ keepRunning: true },
);
