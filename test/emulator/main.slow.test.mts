import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { isObject } from '../../emulator/server/guards.mts';
import { clientOf } from './client.mts';

const children: ChildProcess[] = [];

afterAll(() => {
	for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
});

/** Runs the emulator in a separate process, with the same Node and tsx as `npm run emulator`. */
function run(...args: string[]): {
	child: ChildProcess;
	line: Promise<string>;
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
	const line = once(createInterface(stdout), 'line').then(([first]) => String(first));
	return { child, line, output: once(child, 'close').then(() => text) };
}

/** Parses the printed line of JSON. @throws if it does not contain a URL and an access key */
function started(line: string) {
	const parsed: unknown = JSON.parse(line);
	const emulator = isObject(parsed) && isObject(parsed.emulator) ? parsed.emulator : {};
	const { url, accessKey, clientId, clientSecret } = emulator;
	if (typeof url !== 'string' || typeof accessKey !== 'string')
		throw new Error(`Not started: ${line}`);
	return { url, accessKey, clientId: String(clientId), clientSecret: String(clientSecret) };
}

test('starts, prints one line of JSON, and stops on Ctrl-C', async () => {
	const { child, line } = run(
		...['--port', '0', '--json', '--set', 'people=12', '--set', 'groups=2'],
		...['--switch', 'tokenLifetimeSeconds=77', '--switch', 'pageCap={"recipientGroup":1}'],
	);
	const emulator = started(await line);
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
	const server = createServer();
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	const { child, line, output } = run('--port', String(port), '--json');
	const emulator = started(await line);
	expect(emulator.url).not.toContain(`:${port}`);
	await clientOf(emulator).ok('GET /me');
	child.kill('SIGTERM');
	expect(await output).toContain(`Port ${port} is taken; using a free port instead.`);
	server.close();
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
