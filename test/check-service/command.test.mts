import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { command } from '../../check-service/command.mts';
import { everything, useWholeService } from './kit.mts';

const emulator = useWholeService();

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'check-service-'));

/** Runs the command in this process, as without a terminal. */
async function run(key: string | undefined, args: string[], folder = emptyFolder()) {
	process.stdin.isTTY = false;
	if (key === undefined) delete process.env.MESSAGING_SERVICE_KEY;
	else process.env.MESSAGING_SERVICE_KEY = key;
	let output = '';
	const write = (chunk: unknown) => Boolean((output += String(chunk)));
	const streams = [process.stdout, process.stderr].map((stream) =>
		jest.spyOn(stream, 'write').mockImplementation(write),
	);
	const code = await command(args, folder);
	for (const stream of streams) stream.mockRestore();
	return { code, output };
}

const groups = () => emulator.state.recipientGroups.values();

/** Runs the command with everything that it may create but a channel. */
const writeArgs = () => {
	const [email = ''] = everything(emulator).recipients;
	return [emulator.url, '--write', '--yes', '--recipient', email];
};
const runWrites = async (folder = emptyFolder()) =>
	await run(emulator.accessKey, writeArgs(), folder);

test.each([
	[[], 'Which service? Add its address.'],
	[['messages.example.com'], 'is no address. It begins with https://'],
	[['https://ada:secret@messages.example.com'], 'The address contains a password'],
	[['https://messages.example.com', '--channels'], 'Add --write.'],
	[['https://messages.example.com'], 'Set MESSAGING_SERVICE_KEY.'],
])('refuses %j with an explanation', async (args, message) => {
	const { code, output } = await run(undefined, args);
	expect([code, output]).toEqual([2, expect.stringContaining(message)]);
});

test('says after one request that the key is wrong, and does not show it', async () => {
	const body = { success: false, message: 'No access for wrong-key-4711' };
	emulator.faults.on('GET /me', { status: 401, body });
	const { code, output } = await run('wrong-key-4711', [emulator.url]);
	const said = 'The service refused the key: HTTP 401, "No access for …"';
	expect([code, output]).toEqual([1, expect.stringContaining(said)]);
	expect(output).not.toContain('wrong-key-4711');
	expect(emulator.requestCount()).toBe(1);
});

test('reads with at most 150 requests, four a second, and writes a report without the key', async () => {
	const started = Date.now();
	const folder = emptyFolder();
	const { code, output } = await run(
		emulator.accessKey,
		[`${emulator.url}/console/campaign/1`],
		folder,
	);
	expect([code, output]).toEqual([0, expect.stringContaining('What works:')]);
	const report = readFileSync(join(folder, 'service-report.json'), 'utf8');
	expect(`${output}${report}`).not.toContain(emulator.accessKey);
	const count = emulator.requestCount();
	expect(count).toBeLessThanOrEqual(150);
	expect(emulator.requestCount('GET')).toBe(count);
	expect(Date.now() - started).toBeGreaterThan(((count - 1) * 1000) / 4);
});

test('a stop removes what was created and lists what stays', async () => {
	const before = groups().length;
	emulator.onRequest(({ method, path }) => {
		if (method === 'POST' && path.endsWith('/recipients')) process.emit('SIGINT');
	});
	const { output } = await runWrites();
	expect(output).toMatch(/What is left in the service:\n- campaign "n8n check campaign /);
	expect(output).toContain('not seen, because the checks were stopped');
	expect(groups()).toHaveLength(before);
});

test('Ctrl-C in a terminal, which npm sends again, stops the command after the clean-up', async () => {
	const before = groups().length;
	const tsx = pathToFileURL(resolve('node_modules/tsx/dist/esm/index.mjs')).href;
	const main = resolve('check-service/main.mts');
	const child = spawn(process.execPath, ['--import', tsx, main, ...writeArgs()], {
		cwd: emptyFolder(),
		env: { PATH: process.env.PATH, MESSAGING_SERVICE_KEY: emulator.accessKey },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let hasCreated = false;
	emulator.onRequest(({ method, path }) => {
		hasCreated ||= method === 'POST' && path.endsWith('/recipientGroup');
		if (hasCreated) child.kill('SIGINT');
	});
	const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
	expect([child.exitCode, output]).toEqual([
		0,
		expect.stringContaining('Stopping. What was created is removed first.'),
	]);
	expect(groups()).toHaveLength(before);
});

test('--clean removes what an earlier run could not remove, and what a killed run left', async () => {
	const before = groups().length;
	const folder = emptyFolder();
	const file = join(folder, '.check-service-created.json');
	let atCreation = '';
	emulator.onRequest(({ method, path }) => {
		if (method === 'POST' && path.endsWith('/recipientGroup'))
			atCreation = readFileSync(file, 'utf8');
	});
	emulator.faults.add({
		match: { method: 'DELETE' },
		action: { refuse: 'Not now' },
		times: 1,
	});
	expect((await runWrites(folder)).output).toMatch(
		/- recipientGroup .*: to delete it was refused: .*Not now/,
	);
	expect(groups()).toHaveLength(before + 1);
	// A run that is killed leaves this file.
	expect(JSON.parse(atCreation)).toContainEqual({
		kind: 'recipientGroup',
		name: groups().at(-1)?.name,
	});
	writeFileSync(file, atCreation);
	const clean = async () => await run(emulator.accessKey, [emulator.url, '--clean'], folder);
	expect((await clean()).output).toMatch(
		/What is left in the service:\n- campaign "n8n check campaign /,
	);
	expect(groups()).toHaveLength(before);
	expect((await clean()).output).toContain('Nothing is left.');
});
