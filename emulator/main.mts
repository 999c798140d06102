import { parseArgs } from 'node:util';
import getPort from 'get-port';
import { startEmulator, type Emulator } from './emulator.mts';
import { readReport } from './likeReport.mts';
import { seedDefaults } from './state/seed.mts';
import { defaultSwitches } from './switches.mts';

const help = `The messaging service on your own machine, for tests and for trying out the n8n nodes.

Usage: npm run emulator -- [options]

  --port <n>              Port. If it is 0 or taken, a free port is used. (7070)
  --set <records=number>  Number of records of a kind, or the seed of all data; repeatable. Defaults:
${Object.entries(seedDefaults)
	.map(([name, number]) => `                            ${name}=${number}`)
	.join('\n')}
  --switch <name=value>   Behavior that the specification leaves open (switches.mts); repeatable.
  --like <file>           Behave like the service of a report of npm run check-service.
  --help                  Print this text.
`;

const text = { type: 'string' } as const;
const { values } = parseArgs({
	options: {
		...{ port: { ...text, default: '7070' }, like: text },
		set: { type: 'string', multiple: true, default: [] },
		switch: { type: 'string', multiple: true, default: [] },
		help: { type: 'boolean' },
	},
});

function wholeNumber(given: string): number {
	const number = given === '' ? NaN : Number(given);
	if (Number.isInteger(number) && number >= 0) return number;
	throw new Error(`"${given}" is not a whole number`);
}

/**
 * Parses assignments such as `people=12`. The value of `--set` is a whole number. The value of `--switch` is JSON, or a
 * text if its default is a text.
 */
function assigned(option: 'set' | 'switch', defaults: object): Record<string, unknown> {
	return Object.fromEntries(
		values[option].map((given) => {
			const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(given) ?? [];
			if (!Object.hasOwn(defaults, name)) throw new Error(`--${option} ${given}: unknown name`);
			if (option === 'set') return [name, wholeNumber(value)];
			const isText = typeof Reflect.get(defaults, name) === 'string';
			return [name, isText ? value : JSON.parse(value)];
		}),
	);
}

async function start(wanted: number): Promise<Emulator> {
	const seed = assigned('set', seedDefaults);
	const seen = values.like === undefined ? {} : readReport(values.like);
	const switches = { ...seen, ...assigned('switch', defaultSwitches()) };
	const free = await getPort({ port: wanted, host: '127.0.0.1' });
	if (wanted !== 0 && free !== wanted)
		console.error(`Port ${wanted} is taken; using a free port instead.`);
	return await startEmulator({ seed, switches, port: free });
}

function show({ url, accessKey, clientId, clientSecret }: Emulator): void {
	console.log(`The messaging service emulator is running. Open ${url} to see its data.

  Base URL       ${url}
  Access key     ${accessKey}
  Client ID      ${clientId}
  Client secret  ${clientSecret}

Ctrl-C stops it. It then forgets its records, and the next run gives the same IDs to new ones:
a published trigger may take their answers for old ones. npm start keeps its records.`);
}

async function main(): Promise<void> {
	if (values.help === true) {
		console.log(help);
		return;
	}
	const emulator = await start(wholeNumber(values.port));
	const stop = (): void => {
		emulator.stop().then(
			() => process.exit(0),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	show(emulator);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
