import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { cleanUp, Created, type CreatedRecord, type Leftover } from './created.mts';
import { questions } from './questions.mts';
import { reportOf, reportText } from './report.mts';
import { run } from './run.mts';
import { Service, type ServiceOptions } from './service.mts';

const help = `Asks a messaging service what its documentation leaves open. Sends nothing to anybody.

Usage: npm run check-service -- https://messages.example.com [options]

  --write              Also creates two draft campaigns, which stay.
  --recipient <email>  With --write: also creates a group of this person and one address that nobody
                       has, and removes the group. The service may notify the person, and may
                       take them out of an exclusive group. At most two.
  --channels           With --write: also creates a channel. A channel can only be archived.
  --yes                Does not ask before it creates something.
  --clean              Removes what an earlier run created and could not remove.
  --help               Prints this text.

The access key is asked for, or taken from MESSAGING_SERVICE_KEY, or an OAuth client from
MESSAGING_SERVICE_CLIENT_ID and MESSAGING_SERVICE_CLIENT_SECRET. None of these is printed or part of the
report, which is in service-report.json.`;

const REPORT = 'service-report.json';
const CREATED = '.check-service-created.json';

const off = { type: 'boolean', default: false } as const;

/** Returns the options and the address that a person wrote. @throws if an option is unknown */
const parsed = (args: string[]) =>
	parseArgs({
		args,
		options: {
			...{ write: off, channels: off, yes: off, clean: off, help: off },
			recipient: { type: 'string', multiple: true, default: [] },
		},
		allowPositionals: true,
	});

type Options = ReturnType<typeof parsed>['values'];

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

/** Reads the access key without showing it. */
async function readKey(): Promise<string> {
	let key = process.env.MESSAGING_SERVICE_KEY;
	if (key === undefined) {
		if (!stdin.isTTY) throw new Refused('There is no terminal. Set MESSAGING_SERVICE_KEY.');
		stdout.write('Access key (it is not shown): ');
		stdin.setRawMode(true);
		const lines = createInterface({ input: stdin, terminal: false });
		for await (key of lines) break;
		stdin.setRawMode(false);
		stdout.write('\n');
	}
	if (!key?.trim()) throw new Refused('No key was entered.');
	return key.trim();
}

async function confirm(url: string, { recipient, channels, yes }: Options): Promise<void> {
	const group = `- a group of ${recipient.join(', ')}, which is removed again; nobody knows whether the service tells them\n`;
	stdout.write(`In ${url} this creates:
- two draft campaigns named "n8n check …", which stay, because the service cannot delete campaigns
${recipient.length > 0 ? group : ''}${channels ? '- a channel, which is archived; the people above are put in and taken out again\n' : ''}`);
	stdout.write('Nothing is sent to anybody.\n');
	if (yes) return;
	const lines = createInterface({ input: stdin, output: stdout });
	const answer = await lines.question('Go on? (yes/no) ');
	lines.close();
	if (!/^y(es)?$/i.test(answer.trim())) throw new Refused('Nothing was created.');
}

/** Returns what an earlier run could not remove. */
const createdBefore = (file: string): CreatedRecord[] =>
	existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CreatedRecord[]) : [];

function showLeftovers(left: Leftover[]): void {
	stdout.write(left.length > 0 ? '\nWhat is left in the service:\n' : '\nNothing is left.\n');
	for (const { kind, name, id = 'no ID', why } of left) {
		stdout.write(`- ${kind} "${name}" (${id}): ${why}\n`);
	}
}

/**
 * Runs the command. Writes its files into a folder.
 *
 * @throws Refused if the arguments are wrong; Error if the service refuses the key
 */
async function checkService(args: string[], folder: string): Promise<void> {
	const { values, positionals } = parsed(args);
	if (values.help) {
		stdout.write(`${help}\n`);
		return;
	}
	const url = originOf(positionals[0]);
	const { write: writes, channels, recipient: recipients } = values;
	if (recipients.length > 2) throw new Refused('At most two people can be given with --recipient.');
	if (!writes && (channels || recipients.length > 0)) throw new Refused('Add --write.');
	const { MESSAGING_SERVICE_CLIENT_ID: id, MESSAGING_SERVICE_CLIENT_SECRET: secret } = process.env;
	const client: ServiceOptions['client'] = id && secret ? [id, secret] : undefined;
	const accessKey = client ? '' : await readKey();
	if (writes) await confirm(url, values);
	const stop = new AbortController();
	// npm and the terminal may both send the same Ctrl-C.
	process.on('SIGINT', () => {
		if (stop.signal.aborted) return;
		stdout.write('\nStopping. What was created is removed first.\n');
		stop.abort();
	});
	stdout.write('Asking the service, at most four requests a second …\n\n');
	const limits = { most: writes ? 300 : 150, timeoutMs: 10_000 };
	const service = new Service({ url, accessKey, client, ...limits, signal: stop.signal });
	const changes = writes || values.clean;
	const file = join(folder, CREATED);
	const created = changes ? new Created(file, createdBefore(file)) : new Created();
	if (values.clean) {
		await service.signIn();
		showLeftovers(await cleanUp(service, created));
		return;
	}
	const result = await run(service, { writes, channels, recipients }, questions, created);
	const report = reportOf(service.exchanges, result);
	writeFileSync(join(folder, REPORT), `${JSON.stringify(report, null, '\t')}\n`);
	stdout.write(`${reportText(report)}\n`);
	showLeftovers(result.left);
	stdout.write(
		`\nThe report is in ${REPORT}. It names no person, record or host: look through it.\n`,
	);
}

/** Like `checkService`, but prints why it failed. Returns the exit code. */
export async function command(args: string[], folder: string): Promise<number> {
	try {
		await checkService(args, folder);
		return 0;
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		return error instanceof Refused ? 2 : 1;
	}
}
