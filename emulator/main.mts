import { parseArgs } from 'node:util';
import { startEmulator, type Emulator, type SeedOptions } from './emulator.mts';
import { seedDefaults } from './state/seed.mts';
import { defaultSwitches } from './switches.mts';

/** The command-line options for the fields of the seed: for each field, the option and its help text. */
const seedFlags: Record<keyof SeedOptions, [flag: string, help: string]> = {
	seed: ['seed', 'The number that determines all data.'],
	people: ['people', 'Known recipients.'],
	groups: ['groups', 'Recipient groups.'],
	campaigns: ['campaigns', 'Campaigns.'],
	otherCampaigns: ['other-campaigns', 'Campaigns of another user.'],
	surveys: ['surveys', 'Survey campaigns.'],
	anonymousSurveys: ['anonymous-surveys', 'Anonymous survey campaigns.'],
	responsesPerSurvey: ['responses', 'Responses per survey.'],
	broadcasts: ['broadcasts', 'Broadcasts.'],
	channels: ['channels', 'Channels.'],
	templates: ['templates', 'Templates.'],
	consoleUsers: ['console-users', 'Console users besides the owners of the keys.'],
	consoleUserGroups: ['console-user-groups', 'Console user groups.'],
};

const seedHelp = Object.entries(seedFlags).map(
	([field, [flag, help]]) =>
		`  ${`--${flag} <n>`.padEnd(27)}${help} (${String(Reflect.get(seedDefaults, field))})`,
);
const help = `The messaging service on your own machine, for tests and for trying out the n8n nodes.

Usage: npm run emulator -- [options]

  --port <n>                 Port; a free one if it is 0 or taken. (7070)
  --host <name>              Loopback name or address to listen on. (127.0.0.1)
${seedHelp.join('\n')}
  --switch <name=value>      Behavior that the specification leaves open, see switches.mts; repeatable.
  --json                     Print the address and the keys as one line of JSON.
  --help                     Print this text.
`;

const text = { type: 'string' } as const;
const { values } = parseArgs({
	options: {
		...Object.fromEntries(Object.values(seedFlags).map(([flag]) => [flag, text])),
		...{ port: { ...text, default: '7070' }, host: text },
		switch: { type: 'string', multiple: true },
		...{ json: { type: 'boolean' }, help: { type: 'boolean' } },
	},
});

function wholeNumber(flag: string, given: unknown): number {
	const value = Number(given);
	if (!Number.isInteger(value) || value < 0) {
		throw new Error(`--${flag} takes a whole number, not "${String(given)}"`);
	}
	return value;
}

function seedOptions(): SeedOptions {
	const given = new Map(Object.entries(values));
	return Object.fromEntries(
		Object.entries(seedFlags).flatMap(([field, [flag]]) =>
			given.has(flag) ? [[field, wholeNumber(flag, given.get(flag))]] : [],
		),
	);
}

/** Parses the switches. A value is JSON, unless the switch takes a text. */
function switchValues(): Record<string, unknown> {
	const switches: Record<string, unknown> = {};
	for (const given of values.switch ?? []) {
		const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(given) ?? [];
		const preset: unknown = Reflect.get(defaultSwitches(), name);
		if (preset === undefined) throw new Error(`There is no switch "${given}"`);
		switches[name] = typeof preset === 'string' ? value : JSON.parse(value);
	}
	return switches;
}

async function start(port: number): Promise<Emulator> {
	const options = { seed: seedOptions(), switches: switchValues(), host: values.host };
	try {
		return await startEmulator({ ...options, port });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
		console.error(`Port ${port} is taken; using a free port instead.`);
		return startEmulator(options);
	}
}

function show({ url, accessKey, clientId, clientSecret, plainAccessKey }: Emulator): void {
	if (values.json === true) {
		const emulator = { url, accessKey, clientId, clientSecret, plainAccessKey };
		console.log(JSON.stringify({ emulator }));
		return;
	}
	console.log(`The messaging service emulator is running. Open ${url} to see its data.

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
	const emulator = await start(wholeNumber('port', values.port));
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
