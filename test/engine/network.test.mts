import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { testCredential } from '../kit/credentialTest.mts';
import { anyAccessKey } from '../kit/credentials.mts';
import { locator, runNode, searchList } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { LAUNCH } from '../kit/questions.mts';
import { useService } from '../kit/service.mts';
import { drip, impersonate, startServer, useTestServer } from '../kit/testServer.mts';

// The address of the service, redirects, the proxy, and responses that are too slow.

const service = useService();
const elsewhere = useTestServer(impersonate);
useFakeSleep();

const asIs = (error: unknown) => error;
const profile = { resource: 'profile', operation: 'get' };
const errorOf = async (credential: ICredentialDataDecryptedObject = service.accessKey) =>
	(await runNode({ credential, parameters: profile })).error;
const shownIn = (error: unknown) => JSON.stringify(error, ['message', 'description']);

const NO_SERVICE = /^There is no messaging service at the Base URL: another web server responded/;
const NO_DATA = /instead of data|an empty response/;
const NO_TOKEN = /^The response of the service contains no access token/;

const http = (status: number, body: string) => {
	const type = body.startsWith('{') ? 'application/json' : 'text/html';
	return `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n${body}`;
};
const page = '<html><head><title>Welcome to nginx!</title></head></html>';

/** A name, the response at the Base URL, the expected error, and the error of the token request if it is different. */
const WRONG_ADDRESSES: Array<[string, string | undefined, RegExp, RegExp?]> = [
	['a web page', http(200, page), NO_DATA, NO_TOKEN],
	['the JSON of another service', http(200, '{"status":"ok"}'), NO_DATA, NO_TOKEN],
	['a web page with HTTP 401', http(401, page), NO_SERVICE],
	['a web page with HTTP 404', http(404, page), NO_SERVICE],
	['HTTP 404 in JSON', http(404, '{"message":"No such route"}'), NO_SERVICE],
	['HTTP 404 as text', http(404, '404 page not found'), NO_SERVICE],
	['a port that does not use HTTP', 'SSH-2.0-OpenSSH\r\n', /that is not HTTP \(HPE_/],
	['a port that sends no response', '', /^The connection broke/],
	['a port without a server', undefined, /refused the connection/],
];

test.each(WRONG_ADDRESSES)(
	'if the Base URL leads to %s, every error names the Base URL',
	async (_what, response, message, tokenMessage = message) => {
		await withServer(response, async (baseUrl) => {
			const accessKey = { ...service.accessKey, baseUrl };
			const client = { ...service.newClient(), baseUrl };
			for (const [error, expected] of [
				[await testCredential(accessKey).catch(asIs), message],
				[await searchList('searchCampaigns', accessKey).catch(asIs), message],
				[await errorOf(accessKey), message],
				[await testCredential(client).catch(asIs), tokenMessage],
				[await errorOf(client), tokenMessage],
			] as const) {
				expect(error).toMatchObject({ message: expect.stringMatching(expected) });
				expect(shownIn(error)).toContain('Base URL');
			}
		});
	},
);

test('an empty response is an error', async () => {
	const parameters = { resource: 'campaign', operation: 'close', campaignId: locator('c1') };
	await withServer(http(200, ''), async (baseUrl) => {
		const { error } = await runNode({ credential: { ...service.accessKey, baseUrl }, parameters });
		expect(error?.message).toMatch(/^The service returned an empty response/);
	});
});

test('if the Base URL is a page of the console, every error says which address works', async () => {
	const origin = String(service.accessKey.baseUrl);
	const baseUrl = `${origin}/console/campaign/65f1c0ffee00000000000001`;
	const accessKey = { ...service.accessKey, baseUrl };
	const client = { ...service.newClient(), baseUrl };
	const enter = `If this is the address of a page, enter only ${origin}.`;
	for (const credential of [accessKey, client]) {
		await expect(testCredential(credential)).rejects.toThrow(enter);
		expect(shownIn(await errorOf(credential))).toContain(enter);
	}
});

/** Calls `run` with the URL of a server that always sends the same response, or of a closed port. */
async function withServer(
	response: string | undefined,
	run: (url: string) => Promise<void>,
): Promise<void> {
	const server = await startServer(({ socket }) => socket.end(response ?? ''));
	if (response === undefined) await server.stop();
	try {
		await run(server.url);
	} finally {
		await server.stop();
	}
}

const domains = {
	allowedHttpRequestDomains: 'domains',
	allowedDomains: '127.0.0.1, *.example.com',
};
const creation = { name: 'N', campaignDescription: 'D', status: 'draft' };

test.each<[what: string, path: string, request: () => Promise<unknown>]>([
	['a read', '/me', async () => await errorOf()],
	['a change', '/campaign', async () => (await service.run('campaign.create', creation)).error],
	[
		'a read with allowed domains',
		'/me',
		async () => await errorOf({ ...service.accessKey, ...domains }),
	],
	['a token request', '/oauth/token', async () => await errorOf(service.newClient())],
	[
		'a drop-down list',
		'/campaign',
		async () => await searchList('searchCampaigns', service.accessKey).catch(asIs),
	],
	['the credential test', '/me', async () => await testCredential(service.accessKey).catch(asIs)],
])(
	'%s that is redirected to another host sends nothing there, and names both hosts in the error',
	async (_what, path, request) => {
		const action = { redirectTo: elsewhere.url, status: 307 } as const;
		service.emulator.faults.on(path, action, { times: Infinity });
		const shown = shownIn(await request());
		for (const { url } of [service.emulator, elsewhere]) expect(shown).toContain(new URL(url).host);
		expect(shown).toContain('Check the Base URL in the credential');
		expect(elsewhere.requests).toEqual([]);
		expect(service.requests.length).toBeLessThan(2);
	},
);

/** The proxy of Request Options. The proxy responds in place of http://service.invalid, a host that does not exist. */
const proxy = useTestServer(({ path, query, send }) => {
	const record = { _id: 'c1', name: 'Picnic', campaignUrl: '/c1', status: '0' };
	const isList = path.endsWith('/campaign');
	const data = query.previousLastId !== undefined ? [] : isList ? [record] : record;
	send(200, { success: true, data, access_token: 'token', expires_in: 3600 });
});

const accessKey = anyAccessKey('http://service.invalid');
const client = {
	...accessKey,
	authentication: 'clientCredentials',
	clientId: 'id',
	clientSecret: 'secret',
};

const survey = { ...LAUNCH, sendNow: true };
const close = { resource: 'campaign', operation: 'close' };
const closeByName = { ...close, campaignId: { __rl: true, mode: 'name', value: 'Picnic' } };
const archive = { resource: 'channel', operation: 'archive', channelId: locator('c1') };

describe('the proxy of Request Options', () => {
	const cases: Array<[string, INodeParameters, string[], typeof accessKey?]> = [
		['the look-up of a name', closeByName, ['GET /campaign', 'PUT /campaign/c1/close']],
		[
			'the steps of Launch',
			survey,
			[
				'POST /campaign/survey',
				'PUT /campaign/c1/addRecipients',
				'GET /campaign/c1',
				'PUT /campaign/c1',
			],
		],
		['the token request', archive, ['POST /oauth/token', 'POST /channel/c1/archive'], client],
	];

	test.each(cases)('carries %s', async (_what, parameters, expected, credential = accessKey) => {
		const { error } = await runNode({
			credential,
			parameters: { ...parameters, requestOptions: { proxy: proxy.url } },
		});
		expect(error).toBeUndefined();
		const calls = proxy.requests.map(({ method, url }) =>
			`${method} ${url.split('?')[0]}`.replace('http://service.invalid/int/v1', ''),
		);
		expect([...new Set(calls)]).toEqual(expected);
	});

	test.each([
		['access key', accessKey],
		['client credentials', { ...client, clientId: 'another' }],
	])('if the proxy is down, the error names the proxy (%s)', async (_what, credential) => {
		const server = await startServer();
		await server.stop();
		const { error } = await runNode({
			credential,
			parameters: { ...archive, requestOptions: { proxy: server.url } },
		});
		expect(error?.message).toContain(`The proxy at ${new URL(server.url).host} could not`);
		expect(error?.description).toMatch(/^Nothing (else )?was sent/);
		expect(`${error?.message} ${error?.description}`).not.toContain('Base URL');
	});
});

test('stops reading at the deadline if a drop-down list arrives byte by byte', async () => {
	const deadline = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
	elsewhere.respondAll((held) => {
		drip(held);
		deadline.abort();
	});
	const credential = { ...service.accessKey, baseUrl: elsewhere.url };
	await expect(searchList('searchCampaigns', credential)).rejects.toThrow(
		'did not respond in time',
	);
	expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(60_000);
	timeout.mockRestore();
});
