import { connect } from 'node:net';
import axios from 'axios';
import { startEmulator } from '../../emulator/emulator.mts';
import { isLoopbackHost } from '../../emulator/server/hosts.mts';
import { useEmulator } from './client.mts';

const { emulator } = useEmulator({ seed: { people: 2, groups: 0, campaigns: 1, surveys: 1 } });

test.each([
	['localhost', true],
	['LOCALHOST:7070', true],
	['127.0.0.1:1', true],
	['127.8.9.250', true],
	['[::1]:7070', true],
	['[::1]', true],
	['', false],
	['company.example', false],
	['localhost.company.example', false],
	['127.0.0.1.company.example:80', false],
	['127.0.0.1@company.example', false],
	['10.0.0.1', false],
	['0.0.0.0:7070', false],
	['[::2]', false],
	['::1', false],
])('host "%s" is this machine alone: %s', (host, expected) => {
	expect(isLoopbackHost(host)).toBe(expected);
});

test('another name in the Host header gets no answer from any part of the emulator', async () => {
	for (const path of ['/', '/int/v1/me', '/_emulator/state', '/nowhere']) {
		for (const [host, expected] of [
			['attacker.example', 421],
			[`attacker.example:${new URL(emulator.url).port}`, 421],
			['localhost', path === '/nowhere' ? 404 : 200],
		] as const) {
			const { status } = await axios.get(`${emulator.url}${path}`, {
				headers: { Host: host, Authorization: `Bearer ${emulator.accessKey}` },
				validateStatus: () => true,
			});
			expect([path, host, status]).toEqual([path, host, expected]);
		}
	}
	expect(emulator.requests.every((request) => request.headers.host === 'localhost')).toBe(true);
});

test('a request without a Host header gets no answer either', async () => {
	const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
	socket.write('GET /_emulator/people HTTP/1.0\r\n\r\n');
	let answer = '';
	for await (const chunk of socket) answer += String(chunk);
	expect(answer).toMatch(/^HTTP\/1\.1 421 /);
});

test('the emulator listens on this machine alone', async () => {
	for (const host of ['0.0.0.0', '::', '192.168.0.1', 'company.example']) {
		await expect(startEmulator({ host })).rejects.toThrow('on this machine alone');
	}
});

describe('changes through the control interface', () => {
	const change = (headers: Record<string, string>) =>
		axios.post<unknown>(
			`${emulator.url}/_emulator/switches`,
			{ totalInLists: false },
			{ headers, validateStatus: () => true },
		);

	test.each([
		['a page elsewhere', { Origin: 'https://attacker.example' }],
		['a page on another port of this machine', { Origin: 'http://127.0.0.1:1' }],
		['a page without an origin', { Origin: 'null' }],
		['another site, as the browser says', { 'Sec-Fetch-Site': 'cross-site' }],
		['another port, as the browser says', { 'Sec-Fetch-Site': 'same-site' }],
	])('are refused for %s', async (_who, headers) => {
		const answer = await change(headers);
		expect(answer.status).toBe(403);
		expect(emulator.switches.totalInLists).toBe(true);
	});

	test('are taken from its own pages and from programs', async () => {
		const taken: Record<string, string>[] = [
			{},
			{ Origin: emulator.url },
			{ Origin: emulator.url, 'Sec-Fetch-Site': 'same-origin' },
		];
		for (const headers of taken) {
			emulator.switches.totalInLists = true;
			expect((await change(headers)).status).toBe(200);
			expect(emulator.switches.totalInLists).toBe(false);
		}
	});
});
