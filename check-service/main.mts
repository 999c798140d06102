import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { cleanUp, Created, KINDS, type Leftover } from './created.mts';
import { reportOf, reportText } from './report.mts';
import { run } from './run.mts';
import { Service, type Login } from './service.mts';

const help = `Asks a messaging service what its documentation leaves open. Sends nothing to anybody.

Usage: npm run check-service -- https://messages.example.com [options]

  --write              Also creates two draft campaigns, which stay, a draft broadcast, files and a
                       group, which it removes.
  --recipient <email>  With --write: puts this person into the group, and one address that nobody
                       has. The service may notify the person. At most two.
  --channels           With --write: also creates a channel. A channel can only be archived.
  --clean              Removes what an interrupted check has left, and does nothing else.
  --out <file>         Where the report is written. (service-report.json)
  --yes                Does not ask before it creates something.
  --help               Prints this text.

The key is asked for, or taken from MESSAGING_SERVICE_KEY, or for OAuth from MESSAGING_SERVICE_CLIENT_ID and
MESSAGING_SERVICE_CLIENT_SECRET. It is never printed and never part of the report.`;

const CREATED_FILE = '.check-service-created.json';

const off = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
	options: {
		...{ write: off, channels: off, clean: off, yes: off, help: off },
		recipient: { type: 'string', multiple: true, default: [] },
		out: { type: 'string', default: 'service-report.json' },
	},
	allowPositionals: true,
});

/** A mistake of the person who runs the command. */
class Refused extends Error {}

/** Returns the origin of an address: people paste the address of a page. */
function originOf(address: string | undefined): string {
	if (address === undefined) throw new Refused(`Which service? Add its address.\n\n${help}`);
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new Refused(`"${address}" is no address. It begins with https://`);
	}
	if (url.username !== '' || url.password !== '') {
		throw new Refused('The address contains a password. Enter the key when you are asked for it.');
	}
	return url.origin;
}

/** Reads a line without showing it. */
async function askSecretly(question: string): Promise<string> {
	if (!stdin.isTTY) throw new Refused('There is no terminal. Set MESSAGING_SERVICE_KEY.');
	stdout.write(question);
	stdin.setRawMode(true);
	const lines = createInterface({ input: stdin, output: undefined, terminal: false });
	try {
		for await (const line of lines) return line;
		return '';
	} finally {
		lines.close();
		stdin.setRawMode(false);
		stdout.write('\n');
	}
}

async function readLogin(): Promise<Login> {
	const { env } = process;
	const clientId = env.MESSAGING_SERVICE_CLIENT_ID?.trim();
	const clientSecret = env.MESSAGING_SERVICE_CLIENT_SECRET?.trim();
	if (clientId && clientSecret) return { clientId, clientSecret };
	const key = env.MESSAGING_SERVICE_KEY ?? (await askSecretly('Access key (it is not shown): '));
	if (key.trim() === '') throw new Refused('No key was entered.');
	return { accessKey: key.trim() };
}

const CHANNEL = `- a channel named "n8n check …", which is archived, because the service cannot delete channels;
  the people above are put in and taken out again
`;

async function confirm(url: string): Promise<void> {
	const { recipient, channels, yes } = values;
	const people =
		recipient.length > 0
			? ` It will contain ${recipient.join(', ')}; nobody knows whether the service tells them.`
			: '';
	stdout.write(`In ${url} this creates:
- two draft campaigns named "n8n check …", which stay, because the service cannot delete campaigns
- a draft broadcast, a file of 1 kB in it and in a draft campaign, and a group, which are removed again.${people}
${channels ? CHANNEL : ''}Nothing is sent to anybody.\n`);
	if (yes) return;
	const lines = createInterface({ input: stdin, output: stdout });
	const answer = await lines.question('Go on? (yes/no) ');
	lines.close();
	if (!/^y(es)?$/i.test(answer.trim())) throw new Refused('Nothing was created.');
}

function showLeft(left: Leftover[]): void {
	if (left.length === 0) return;
	stdout.write('\nWhat is left in the service:\n');
	for (const { kind, name, id, why } of left) {
		stdout.write(`- ${kind} "${name}"${id === undefined ? '' : ` (${id})`}: ${why}\n`);
	}
	if (existsSync(CREATED_FILE))
		stdout.write('`npm run check-service -- <address> --clean` tries again.\n');
}

const records = z.array(
	z.object({
		kind: z.enum(KINDS),
		...{ name: z.string(), parent: z.string().optional(), id: z.string().optional() },
	}),
);

/** Returns what an interrupted check has left. */
function leftBehind(): Created {
	const text = existsSync(CREATED_FILE) ? readFileSync(CREATED_FILE, 'utf8') : '[]';
	return new Created(CREATED_FILE, records.parse(JSON.parse(text)));
}

async function main(): Promise<void> {
	if (values.help) {
		stdout.write(`${help}\n`);
		return;
	}
	const url = originOf(positionals[0]);
	const { write: writes, channels, recipient: recipients } = values;
	if (recipients.length > 2) throw new Refused('At most two people can be given with --recipient.');
	if (!writes && (channels || recipients.length > 0)) throw new Refused('Add --write.');
	const login = await readLogin();
	const stop = new AbortController();
	const most = writes ? 300 : 150;
	const options = { url, login, perSecond: 4, most, timeoutMs: 10_000, signal: stop.signal };
	const service = new Service(options);
	if (values.clean) {
		const left = await cleanUp(service, leftBehind());
		showLeft(left);
		if (left.length === 0) stdout.write('Nothing is left.\n');
		return;
	}
	if (existsSync(CREATED_FILE)) {
		throw new Refused(
			`An earlier check has left something. Run this first: npm run check-service -- ${url} --clean`,
		);
	}
	if (writes) await confirm(url);
	process.once('SIGINT', () => {
		stdout.write('\nStopping. What was created is removed first.\n');
		stop.abort();
	});
	stdout.write('Asking the service, at most four requests a second …\n\n');
	const result = await run(service, new Created(CREATED_FILE), { writes, channels, recipients });
	const report = reportOf(service.exchanges, result);
	writeFileSync(values.out, `${JSON.stringify(report, null, '\t')}\n`);
	stdout.write(`${reportText(report)}\n`);
	showLeft(result.left);
	stdout.write(
		`\nThe report is in ${values.out}. It names no person, record or host: look through it before you send it.\n`,
	);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = error instanceof Refused ? 2 : 1;
});
