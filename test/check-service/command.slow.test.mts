import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useWholeService } from './kit.mts';

const emulator = useWholeService();

const tsx = pathToFileURL(resolve('node_modules/tsx/dist/esm/index.mjs')).href;

/** Starts the command in an empty folder, without a terminal. */
function command(key: string | undefined, ...args: string[]) {
	return commandIn(mkdtempSync(join(tmpdir(), 'check-service-')), key, ...args);
}

function commandIn(folder: string, key: string | undefined, ...args: string[]) {
	const child = spawn(
		process.execPath,
		['--import', tsx, resolve('check-service/main.mts'), ...args],
		{
			cwd: folder,
			env: { PATH: process.env.PATH, ...(key !== undefined && { MESSAGING_SERVICE_KEY: key }) },
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let output = '';
	const add = (chunk: Buffer) => void (output += chunk.toString());
	child.stdout.on('data', add);
	child.stderr.on('data', add);
	const ended = once(child, 'close').then(([code]) => ({ code: Number(code), output }));
	return { child, folder, ended };
}

test.each([
	[[], 'Which service? Add its address.'],
	[['messages.example.com'], 'is no address. It begins with https://'],
	[['https://ada:secret@messages.example.com'], 'The address contains a password'],
	[['https://messages.example.com', '--channels'], 'Add --write.'],
	[['https://messages.example.com'], 'Set MESSAGING_SERVICE_KEY.'],
])('refuses %j with an explanation', async (args, message) => {
	const { code, output } = await command(undefined, ...args).ended;
	expect([code, output]).toEqual([2, expect.stringContaining(message)]);
});

test('says after one request that the key is wrong, and does not show it', async () => {
	const body = { success: false, message: 'No access for wrong-key-4711' };
	emulator.faults.on('GET /me', { status: 401, body });
	const { code, output } = await command('wrong-key-4711', emulator.url).ended;
	const said = 'The service refused the key: HTTP 401, "No access for …"';
	expect([code, output]).toEqual([1, expect.stringContaining(said)]);
	expect(output).not.toContain('wrong-key-4711');
	expect(emulator.requestCount()).toBe(1);
});

test('reads with at most 150 requests, four a second, and writes a report without the key', async () => {
	const started = Date.now();
	const { folder, ended } = command(emulator.accessKey, `${emulator.url}/console/campaign/1`);
	const { code, output } = await ended;
	expect([code, output]).toEqual([0, expect.stringContaining('What works:')]);
	const report = readFileSync(join(folder, 'service-report.json'), 'utf8');
	expect(`${output}${report}`).not.toContain(emulator.accessKey);
	const count = emulator.requestCount();
	expect(count).toBeLessThanOrEqual(150);
	expect(emulator.requestCount('GET')).toBe(count);
	expect(Date.now() - started).toBeGreaterThan(((count - 1) * 1000) / 4);
});

test('Ctrl-C removes what was created and lists what stays', async () => {
	const before = emulator.state.recipientGroups.values().length;
	const email = [...emulator.state.people.values()][0]?.email ?? '';
	const args = [emulator.url, '--write', '--yes', '--recipient', email];
	const { child, ended } = command(emulator.accessKey, ...args);
	emulator.onRequest(({ method, path }) => {
		if (method === 'POST' && path.endsWith('/recipients')) child.kill('SIGINT');
	});
	const { output } = await ended;
	expect(output).toMatch(/What is left in the service:\n- campaign "n8n check campaign /);
	expect(output).toContain('not seen, because the checks were stopped');
	expect(emulator.state.recipientGroups.values()).toHaveLength(before);
});

test('--clean removes what a killed run left', async () => {
	const before = emulator.state.recipientGroups.values().length;
	const email = [...emulator.state.people.values()][0]?.email ?? '';
	const args = [emulator.url, '--write', '--yes', '--recipient', email];
	const { child, folder, ended } = command(emulator.accessKey, ...args);
	emulator.onRequest(({ method, path }) => {
		if (method === 'POST' && path.endsWith('/recipients')) child.kill('SIGKILL');
	});
	await ended;
	expect(emulator.state.recipientGroups.values()).toHaveLength(before + 1);
	const { output } = await commandIn(folder, emulator.accessKey, emulator.url, '--clean').ended;
	expect(output).toMatch(/What is left in the service:\n- campaign "n8n check campaign /);
	expect(emulator.state.recipientGroups.values()).toHaveLength(before);
	const again = await commandIn(folder, emulator.accessKey, emulator.url, '--clean').ended;
	expect(again.output).toContain('Nothing is left.');
});
