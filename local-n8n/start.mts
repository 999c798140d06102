import { parseArgs } from 'node:util';
import { readReport } from '../emulator/emulator.mts';
import { runLocalN8n } from './run.mts';
import { say } from './terminal/progress.mts';
import { sayWhereToLook, tryOut } from './try-out.mts';
import { watchBuild } from './package/watch-build.mts';

const usage = `npm start [-- options]

Starts a real n8n with this package, the recipes, and an emulator of the service. Keeps your
workflows, your changes to recipes, and the records of the emulator.

  --fresh     delete all of this n8n and of the emulator first, and begin anew
  --once      use an empty n8n, check the result and stop; exit code 0 if the result is right
  --dev       rebuild and reload the nodes on every change (npm run dev)
  --n8n 1     use the last n8n 1.x instead of 2.x
  --like <file>  let the service behave as in a report of npm run check-service
  --help      show this text`;

const { values } = parseArgs({
	options: {
		once: { type: 'boolean', default: false },
		fresh: { type: 'boolean', default: false },
		dev: { type: 'boolean', default: false },
		n8n: { type: 'string', default: '2' },
		like: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	process.stdout.write(`${usage}\n`);
} else if (values.n8n !== '1' && values.n8n !== '2') {
	process.stderr.write(`--n8n must be 1 or 2, not ${values.n8n}\n`);
	process.exitCode = 2;
} else {
	const { once, fresh, dev, n8n: line, like } = values;
	const given = process.argv.slice(2);
	const command = ['npm start', ...(given.length > 0 ? ['--'] : []), ...given].join(' ');
	const switches = like === undefined ? {} : readReport(like);
	await runLocalN8n(
		{
			...{ line, switches, fresh: once || fresh, keepsRecords: !once },
			name: once ? `once-${line}` : `n8n-${line}`,
			env: dev ? { N8N_DEV_RELOAD: 'true' } : {},
		},
		async (localN8n) => {
			const workflowId = await tryOut(localN8n);
			if (dev) localN8n.cleanups.add(await watchBuild(localN8n.userFolder));
			if (!once) sayWhereToLook(localN8n, `/workflow/${workflowId}`);
			if (dev) say('\nThe editor shows every change of TypeScript in nodes/ and credentials/.');
		},
		{ keepRunning: !once, command },
	);
}
