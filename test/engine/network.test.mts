import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { locator, runNode, searchList } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';
import { startServer, useTestServer } from '../kit/testServer.mts';

const service = useService();
const proxy = useTestServer((request) => request.send(407, {}));

const close = { resource: 'campaign', operation: 'close', campaignId: locator('c1') };
const me = { resource: 'profile', operation: 'get' };

describe('the proxy of Request Options', () => {
	test.each([
		'localhost:3128',
		'proxy.corp.example:3128',
		'ftp://127.0.0.1:1',
		'file:///proxy',
		'socks5://127.0.0.1:1',
	])('%s is refused by name, and nothing goes out directly', async (typed) => {
		for (const credential of [service.accessKey, service.newClient()]) {
			const { error } = await runNode({
				credential,
				parameters: { ...close, requestOptions: { proxy: typed } },
			});
			expect(error?.message).toContain('Proxy');
		}
		expect(service.emulator.requestCount('POST', '/int/v1/oauth/token')).toBe(0);
		expect(service.requests).toEqual([]);
	});

	test('that is dead is told as the proxy’s, for the token request too', async () => {
		const server = await startServer();
		await server.stop();
		for (const credential of [service.accessKey, service.newClient()]) {
			const { error } = await runNode({
				credential,
				parameters: { ...close, requestOptions: { proxy: server.url } },
			});
			expect(error?.message).toContain(`The proxy at ${new URL(server.url).host} could not`);
			expect(error?.description).toMatch(/^Nothing (else )?was sent/);
			expect(`${error?.message} ${error?.description}`).not.toContain('Base URL');
		}
	});

	test('that refuses access is told as the proxy’s, for the token request too', async () => {
		for (const credential of [service.accessKey, service.newClient()]) {
			const { error } = await runNode({
				credential,
				parameters: { ...close, requestOptions: { proxy: proxy.url.replace('//', '//u:100%@') } },
			});
			expect(error?.message).toContain('The proxy refused access');
			expect(`${error?.message} ${error?.description}`).not.toContain('Base URL');
		}
		expect(service.requests).toEqual([]);
	});
});

test('a timeout given as text is kept', async () => {
	const { error } = await runNode({
		credential: service.accessKey,
		parameters: { ...close, requestOptions: { timeout: 'soon' } },
	});
	expect(error?.message).toContain('Timeout must be a number');
	service.emulator.faults.add({ match: { method: 'PUT' }, action: 'stall' });
	const late = await runNode({
		credential: service.accessKey,
		parameters: { ...close, requestOptions: { timeout: '200' } },
	});
	// n8n 1 tells a timeout of a change as a connection that broke.
	expect(late.error?.message).toMatch(/did not respond in time|connection broke/);
});

describe('a redirect', () => {
	const redirectTo = (location: string) =>
		service.emulator.faults.on('/me', { status: 302, headers: { location } });

	test('to no host shows where it leads', async () => {
		redirectTo('javascript:alert(1)');
		const { error } = await runNode({ credential: service.accessKey, parameters: me });
		expect(error?.message).toContain('sent the request on to javascript:alert(1)');
	});

	test('with user and password in it goes out with the credential', async () => {
		redirectTo(service.emulator.url.replace('//', '//user:password@').concat('/int/v1/me'));
		const { error } = await runNode({ credential: service.accessKey, parameters: me });
		expect(error).toBeUndefined();
		expect(service.requests).toHaveLength(2);
		expect(service.lastRequest.authorization).toMatchObject({ kind: 'accessKey', ok: true });
	});
});

test('a refusal with deeply nested JSON stays a refusal', async () => {
	const server = createServer((_request, response) => {
		response.writeHead(400, { 'content-type': 'application/json' });
		response.end(`{"message":"Bad value","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = addressOf(server.address());
	const { error } = await runNode({
		credential: { ...service.accessKey, baseUrl: `http://127.0.0.1:${port}` },
		parameters: me,
	});
	server.close();
	server.closeAllConnections();
	expect(error?.message).toBe('Bad value');
});

test('a refusal of a megabyte does not hold the process up', async () => {
	const message = 'name is '.repeat(120_000);
	service.emulator.faults.on('/me', { refuse: message });
	const begin = process.cpuUsage();
	const { error } = await runNode({ credential: service.accessKey, parameters: me });
	expect(error?.message).toMatch(/^name is name is .+…$/);
	expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(2_000);
});

test.each([me, close])(
	'a gzip bomb is fetched once, and told as too large: %j',
	async (parameters) => {
		// 600 MB of blanks, more than a text holds: gzip takes pieces one after the other for one.
		const piece = gzipSync(Buffer.alloc(1 << 20, ' '));
		let fetched = 0;
		const server = await startServer((_request, response) => {
			fetched++;
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(Buffer.concat(Array.from({ length: 600 }, () => piece)));
		});
		const { error } = await runNode({
			credential: { ...service.accessKey, baseUrl: server.url },
			parameters,
		});
		await server.stop();
		expect(error?.message).toContain('The response is too large to be read');
		const isInDoubt = error?.description?.includes('may or may not have been carried out');
		expect(isInDoubt).toBe(parameters === close);
		expect(fetched).toBe(1);
	},
);

describe('a response that drips', () => {
	/** A service that goes on for ever, a byte at a time. */
	async function dripping() {
		let arrived = () => {};
		const asked = new Promise<void>((resolve) => (arrived = resolve));
		const server = await startServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 50);
			response.on('close', () => clearInterval(drip));
			arrived();
		});
		return { ...server, asked };
	}

	test.each([
		['token request', 'clientCredentials'],
		['list of the editor', 'accessKey'],
	] as const)('ends with the deadline: %s', async (_what, authentication) => {
		const deadline = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
		const server = await dripping();
		const client = authentication === 'accessKey' ? service.accessKey : service.newClient();
		const credential = { ...client, baseUrl: server.url };
		const run =
			authentication === 'accessKey'
				? searchList('searchCampaigns', credential).catch((error: unknown) => error)
				: runNode({ credential, parameters: me }).then(({ error }) => error);
		try {
			await server.asked;
			expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(60_000);
			deadline.abort();
			expect(await run).toMatchObject({
				message: expect.stringContaining('did not respond in time'),
			});
		} finally {
			timeout.mockRestore();
			await server.stop();
		}
	});
});

function addressOf(address: AddressInfo | string | null): AddressInfo {
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return address;
}
