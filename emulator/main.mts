import { parseArgs } from 'node:util';
import { startEmulator, type Emulator, type SeedOptions } from './emulator.mts';
import { defaultSwitches } from './switches.mts';

const help = `The messaging service on your own machine, for tests and for trying the n8n nodes.

Usage: npm run emulator -- [options]

  --port <n>                 Port; 0 takes a free one. When it is taken, a free one is used. (7070)
  --host <name>              Address to listen on. (127.0.0.1)
  --seed <n>                 The number all data follows from. (1)
  --people <n>               Known recipients. (250)
  --groups <n>               Recipient groups. (5)
  --campaigns <n>            Campaigns. (10)
  --other-campaigns <n>      Campaigns of somebody else. (0)
  --surveys <n>              Survey campaigns. (2)
  --anonymous-surveys <n>    Anonymous survey campaigns. (0)
  --responses <n>            Responses per survey. (100)
  --broadcasts <n>           Broadcasts. (5)
  --channels <n>             Channels. (3)
  --templates <n>            Templates. (4)
  --console-users <n>        Console users besides the owners of the keys. (5)
  --console-user-groups <n>  Console user groups. (3)
  --token-lifetime <n>       Lifetime of access tokens, in seconds. (3600)
  --switch <name=value>      Behaviour where the specification is open, see switches.mts; repeatable.
  --json                     Print one line of JSON with the address and the keys instead of text.
  --help                     This text.
`;

/** The options that say how much there is, by the field of the seed that they set. */
const seedFlags: Record<keyof SeedOptions, string> = {
	...{ seed: 'seed', people: 'people', groups: 'groups', campaigns: 'campaigns' },
	...{ otherCampaigns: 'other-campaigns', surveys: 'surveys', broadcasts: 'broadcasts' },
	...{ anonymousSurveys: 'anonymous-surveys', responsesPerSurvey: 'responses' },
	...{ channels: 'channels', templates: 'templates' },
	...{ consoleUsers: 'console-users', consoleUserGroups: 'console-user-groups' },
};

const text = { type: 'string' } as const;
const numbers = Object.fromEntries(Object.values(seedFlags).map((flag) => [flag, text]));
const { values } = parseArgs({
	options: {
		...numbers,
		...{ port: text, host: text, 'token-lifetime': text },
		switch: { type: 'string', multiple: true },
		json: { type: 'boolean' },
		help: { type: 'boolean' },
	},
});

function wholeNumber(name: string, text: string): number {
	const value = Number(text);
	if (!Number.isInteger(value) || value < 0) {
		throw new Error(`--${name} takes a whole number, not "${text}"`);
	}
	return value;
}

function seedOptions(): SeedOptions {
	const given = new Map(Object.entries(values));
	const seed = Object.entries(seedFlags)
		.filter(([, flag]) => given.has(flag))
		.map(([field, flag]): [string, number] => [field, wholeNumber(flag, String(given.get(flag)))]);
	return Object.fromEntries(seed);
}

/** A value is JSON where it can be read so (numbers, objects), text otherwise. */
function switchValues(): Record<string, unknown> {
	const switches: Record<string, unknown> = {};
	for (const text of values.switch ?? []) {
		const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
		const preset: unknown = Reflect.get(defaultSwitches(), name);
		if (preset === undefined) throw new Error(`There is no switch "${text}"`);
		switches[name] = typeof preset === 'string' ? value : JSON.parse(value);
	}
	if (values['token-lifetime'] !== undefined) {
		switches.tokenLifetimeSeconds = wholeNumber('token-lifetime', values['token-lifetime']);
	}
	return switches;
}

function isPortTaken(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

async function start(port: number): Promise<Emulator> {
	const options = { seed: seedOptions(), switches: switchValues() };
	const host = values.host ?? '127.0.0.1';
	try {
		return await startEmulator({ ...options, host, port });
	} catch (error) {
		if (!isPortTaken(error)) throw error;
		console.error(`Port ${port} is taken, a free one is used instead.`);
		return startEmulator({ ...options, host, port: 0 });
	}
}

function show(emulator: Emulator): void {
	const { url, accessKey, clientId, clientSecret, plainAccessKey } = emulator;
	if (values.json === true) {
		console.log(
			JSON.stringify({ emulator: { url, accessKey, clientId, clientSecret, plainAccessKey } }),
		);
		return;
	}
	console.log(`The messaging service emulator is running. Open ${url} to look into it.

  Base URL       ${url}
  Access key     ${accessKey}
  Client ID      ${clientId}
  Client secret  ${clientSecret}

Ctrl-C stops it.`);
}

async function main(): Promise<void> {
	if (values.help === true) {
		console.log(help);
		return;
	}
	const emulator = await start(wholeNumber('port', values.port ?? '7070'));
	let stopping = false;
	const stop = (): void => {
		if (stopping) return;
		stopping = true;
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
	// A parent that is gone wants no emulator any more.
	process.once('disconnect', stop);
	show(emulator);
	process.send?.({
		emulator: {
			url: emulator.url,
			accessKey: emulator.accessKey,
			clientId: emulator.clientId,
			clientSecret: emulator.clientSecret,
		},
	});
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
