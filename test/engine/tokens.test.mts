import { engineHelpers } from '../kit/credentialTest.mts';
import { TestCredentialsHelper } from '../kit/credentials.mts';
import { loadPackage, locator, runNode } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';
import { impersonate, startServer, useTestServer } from '../kit/testServer.mts';

const service = useService();

describe('a refusal in words that sound like access is about something else', () => {
	test.each([
		'SMS gateway: authentication failed',
		'Access denied to recipient group g1',
		'Invalid push token for 3 recipients',
	])('%s: what is to be sent goes out once', async (message) => {
		const path = '/int/v1/campaign';
		service.emulator.faults.add({ match: { path }, action: { refuse: message } });
		const { error } = await service.run(
			'campaign',
			'create',
			{ name: 'N', campaignDescription: 'D', status: 'live', recipientsFrom: 'none' },
			{ credential: service.newClient() },
		);
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('The credential itself is good');
		expect(service.emulator.requestCount('POST', path)).toBe(1);
		expect(service.emulator.requestCount('POST', '/int/v1/oauth/token')).toBe(1);
		expect(service.emulator.state.campaigns.find(({ name }) => name === 'N')).toBeUndefined();
	});
});

test('a change that failed with 5xx is not sent again, whatever the answer says of access', async () => {
	const path = '/int/v1/campaign';
	service.emulator.faults.add({
		match: { method: 'POST', path },
		action: { status: 503, body: { success: false, message: 'Upstream: unauthorized' } },
	});
	service.emulator.faults.on('/me', { status: 401 });
	const { error } = await service.run(
		'campaign',
		'create',
		{ name: 'N', campaignDescription: 'D', status: 'live', recipientsFrom: 'none' },
		{ credential: service.newClient() },
	);
	expect(error?.description).toContain('may or may not');
	expect(service.emulator.requestCount('POST', path)).toBe(1);
});

test('n8n’s HTTP Request node after a failure: a token that was there before is renewed, once', async () => {
	const credential = service.newClient();
	const { credentialType } = await loadPackage();
	const helper = new TestCredentialsHelper(credentialType, credential);
	const helpers = await engineHelpers(credential);
	const url = `${service.emulator.url}/int/v1/me`;
	/** After a failure n8n asks with the same credentials object again (n8n-core 1.122.48 and 2.41.1). */
	const bearersOfFailure = async () => {
		const decrypted = await helper.getDecrypted();
		const bearer = async () => {
			await credentialType.preAuthentication?.call({ helpers }, decrypted);
			const { headers } = await helper.authenticate(decrypted, 'messagingServiceApi', { url });
			return headers?.Authorization;
		};
		return [await bearer(), await bearer()];
	};
	const [first, again] = await bearersOfFailure();
	expect(again).toBe(first);
	const [old, renewed] = await bearersOfFailure();
	expect(old).toBe(first);
	expect(renewed).not.toBe(first);
	expect(await bearersOfFailure()).toEqual([renewed, renewed]);
	expect(service.emulator.requestCount('POST', '/int/v1/oauth/token')).toBe(2);
});

describe('a connection that never was', () => {
	test.each(['accessKey', 'clientCredentials'] as const)(
		'says of a change that nothing was sent (%s)',
		async (authentication) => {
			const credential = { ...service[authentication], baseUrl: await addressOfNobody() };
			const { error } = await runNode({
				credential,
				parameters: { resource: 'campaign', operation: 'close', campaignId: locator('c1') },
			});
			expect(error?.description).toMatch(/^Nothing (else )?was sent/);
			expect(`${error?.message} ${error?.description}`).not.toContain('may or may not');
			expect(`${error?.message} ${error?.description}`).toContain('Base URL');
		},
	);
});

describe('the request for a token', () => {
	const proxy = useTestServer(impersonate);
	const close = { resource: 'campaign', operation: 'close', campaignId: locator('c1') };

	test('goes through the proxy of the node, as its own request does', async () => {
		const { error } = await runNode({
			credential: { ...service.newClient(), baseUrl: 'http://service.invalid' },
			parameters: { ...close, requestOptions: { proxy: proxy.url } },
		});
		expect(error).toBeUndefined();
		expect(proxy.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
			'POST http://service.invalid/int/v1/oauth/token',
			'PUT http://service.invalid/int/v1/campaign/c1/close',
		]);
	});

	test('is not repeated when the service wants more than five minutes before it gives one', async () => {
		const path = '/int/v1/oauth/token';
		service.emulator.faults.add({
			match: { path },
			times: Infinity,
			action: { status: 429, headers: { 'retry-after': '400' } },
		});
		const { error } = await runNode({ credential: service.newClient(), parameters: close });
		expect(error).toMatchObject({ httpCode: '429', context: { retryAfterMs: 400_000 } });
		expect(service.emulator.requestCount('POST', path)).toBe(1);
	});

	test('holds no execution that is cancelled, and nothing else is sent', async () => {
		const token = '/int/v1/oauth/token';
		service.emulator.faults.add({ match: { path: token }, action: 'stall' });
		let cancel = () => {};
		service.emulator.onRequest(({ path }) => {
			if (path === token) cancel();
		});
		const { status } = await runNode({
			credential: service.newClient(),
			parameters: close,
			onStart: (stop) => {
				cancel = stop;
			},
		});
		expect(status).toBe('canceled');
		expect(service.requests).toEqual([]);
	});
});

/** An address at which a server was, and is no more. */
async function addressOfNobody(): Promise<string> {
	const server = await startServer();
	await server.stop();
	return server.url;
}
