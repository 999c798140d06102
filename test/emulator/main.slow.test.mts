import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { clientOf } from './client.mts';
import { startServer } from '../kit/testServer.mts';

const children: ChildProcess[] = [];

afterAll(() => {
	for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
});

/** Runs the emulator in a separate process, with the same Node and tsx as `npm run emulator`. */
function run(...args: string[]): {
	child: ChildProcess;
	lines: AsyncIterable<string>;
	output: Promise<string>;
} {
	const child = spawn(process.execPath, ['--import', 'tsx', 'emulator/main.mts', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	children.push(child);
	let text = '';
	const collect = (chunk: Buffer): void => {
		text += chunk.toString();
	};
	child.stdout?.on('data', collect);
	child.stderr?.on('data', collect);
	const { stdout } = child;
	if (stdout === null) throw new Error('No output');
	const lines = createInterface(stdout);
	return { child, lines, output: once(child, 'close').then(() => text) };
}

/** Waits until the emulator has printed its address and keys, and returns them. */
async function started(printed: AsyncIterable<string>) {
	const values: string[] = [];
	for await (const line of printed) {
		const [, value] =
			/^ {2}(?:Base URL|Access key|Client ID|Client secret) +(.+)$/.exec(line) ?? [];
		if (value !== undefined) values.push(value);
		if (values.length === 4) break;
	}
	const [url = '', accessKey = '', clientId = '', clientSecret = ''] = values;
	return { url, accessKey, clientId, clientSecret };
}

test('starts, prints its address and keys, and stops on Ctrl-C', async () => {
	const { child, lines } = run(
		...['--port', '0', '--set', 'people=12', '--set', 'groups=2'],
		...['--switch', 'tokenLifetimeSeconds=77', '--switch', 'pageCap={"recipientGroup":1}'],
	);
	const emulator = await started(lines);
	const { url, clientId, clientSecret } = emulator;
	const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	const groups = await clientOf(emulator).call('GET /recipientGroup');
	expect(groups.data).toMatchObject({ total: 2, data: [expect.any(Object)] });
	const token = await clientOf({ url, accessKey: credentials }).call('POST /oauth/token');
	expect(token.data).toMatchObject({ expires_in: 77 });
	const ended = once(child, 'exit');
	child.kill('SIGINT');
	expect(await ended).toEqual([0, null]);
});

test('uses and reports a free port when the requested one is taken', async () => {
	const server = await startServer();
	const { port } = new URL(server.url);
	const { child, lines, output } = run('--port', port);
	const emulator = await started(lines);
	expect(emulator.url).not.toContain(`:${port}`);
	await clientOf(emulator).ok('GET /me');
	child.kill('SIGTERM');
	expect(await output).toContain(`Port ${port} is taken; using a free port instead.`);
	await server.stop();
});

test('prints its options', async () => {
	const { output } = run('--help');
	expect(await output).toContain('responsesPerSurvey=100');
});

test.each([
	[['--set', 'people=many'], '"many" is not a whole number'],
	[['--set', 'nope=1'], '--set nope=1: unknown name'],
])('rejects %j with an explanation', async (args, message) => {
	const { child, output } = run(...args);
	expect(await output).toContain(message);
	expect(child.exitCode).toBe(1);
});
