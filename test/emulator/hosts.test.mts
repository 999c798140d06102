import { connect } from 'node:net';
import axios from 'axios';
import { startEmulator } from '../../emulator/emulator.mts';
import { isLoopbackHost } from '../../emulator/server/hosts.mts';
import { useEmulator } from './client.mts';

const { emulator } = useEmulator({ seed: { people: 2, groups: 0, campaigns: 1, surveys: 1 } });

test.each(['localhost', 'LOCALHOST:7070', '127.8.9.250', '[::1]:7070', '[::1]'])(
	'accepts "%s" as this machine',
	(host) => expect(isLoopbackHost(host)).toBe(true),
);

test.each([
	...['', 'company.example', 'localhost.company.example', '127.0.0.1.company.example:80'],
	...['127.0.0.1@company.example', '10.0.0.1', '0.0.0.0:7070', '[::2]', '::1'],
])('does not accept "%s" as this machine', (host) => expect(isLoopbackHost(host)).toBe(false));

test('refuses all requests with a foreign name in the Host header', async () => {
	for (const path of ['/', '/int/v1/me', '/nowhere']) {
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

test('refuses a request without a Host header', async () => {
	const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
	socket.write('GET / HTTP/1.0\r\n\r\n');
	let answer = '';
	for await (const chunk of socket) answer += String(chunk);
	expect(answer).toMatch(/^HTTP\/1\.1 421 /);
});

test('refuses to listen for other machines', async () => {
	for (const host of ['0.0.0.0', '::', '192.168.0.1', 'company.example']) {
		await expect(startEmulator({ host })).rejects.toThrow('only on this machine');
	}
});

describe('changes', () => {
	const draft = () => emulator.state.addCampaign({ name: 'Draft', status: '0' });
	const send = ({ _id }: { _id: string }, headers: Record<string, string>) =>
		axios.post<unknown>(`${emulator.url}/console/campaign/${_id}/send`, undefined, {
			headers,
			maxRedirects: 0,
			validateStatus: () => true,
		});

	test.each([
		['a page elsewhere', { Origin: 'https://attacker.example' }],
		['a page on another port of this machine', { Origin: 'http://127.0.0.1:1' }],
		['a page without an origin', { Origin: 'null' }],
		['another site', { 'Sec-Fetch-Site': 'cross-site' }],
		['another port of the same site', { 'Sec-Fetch-Site': 'same-site' }],
	])('are refused from %s', async (_who, headers) => {
		const campaign = draft();
		expect((await send(campaign, headers)).status).toBe(403);
		expect(campaign.status).toBe('0');
	});

	test('changes are accepted from the pages of the emulator and from programs', async () => {
		const own = { Origin: emulator.url };
		for (const headers of [{}, own, { ...own, 'Sec-Fetch-Site': 'same-origin' }]) {
			const campaign = draft();
			expect((await send(campaign, headers)).status).toBe(303);
			expect(campaign.status).toBe('1');
		}
	});
});
