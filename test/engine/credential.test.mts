import type { IHttpRequestOptions } from 'n8n-workflow';

import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { testCredential } from '../kit/credentialTest.mts';
import { loadPackage, locator, runNode } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';
import { only } from '../kit/typed.mts';

useFakeSleep();
const service = useService();

const me = { resource: 'profile', operation: 'get' };
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ json: { n } }));
const tokenRequests = () => service.emulator.requestCount('POST', '/int/v1/oauth/token');

describe('access key', () => {
	test('goes out as bearer token', async () => {
		const { json } = await service.run('profile', 'get');
		expect(json).toEqual([
			expect.objectContaining({ email: service.emulator.state.superUser.email }),
		]);
		expect(service.lastRequest.authorization).toMatchObject({ kind: 'accessKey', ok: true });
	});

	test.each(['401', '403', '200'] as const)(
		'a wrong one, answered with %s, says to check the access key and keeps the service’s message',
		async (invalidToken) => {
			service.emulator.switches.invalidToken = invalidToken;
			const credential = { ...service.accessKey, accessKey: 'wrong-key' };
			const { error } = await runNode({ credential, parameters: me });
			expect(error?.message).toMatch(/token/i);
			expect(error?.description).toMatch(/Check the access key/);
			expect(`${error?.message} ${error?.description}`).not.toContain('undefined');
			expect(JSON.stringify(error)).not.toContain('wrong-key');
			expect(error).toMatchObject({ httpCode: invalidToken });
		},
	);

	test('an empty one fails before anything is sent', async () => {
		const credential = { ...service.accessKey, accessKey: ' ' };
		const { error } = await runNode({ credential, parameters: me });
		expect(error?.message).toContain('Access Key is empty');
		expect(service.requests).toEqual([]);
	});
});

describe('n8n’s HTTP Request node', () => {
	/** Without `url`, which n8n's types promise (HttpRequestV3 of n8n 2.41.1 and 1.123.81). */
	async function authenticated(uri: string, more: Partial<IHttpRequestOptions> = {}) {
		const { authenticate } = (await loadPackage()).credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate is no function');
		const credential = { ...service.accessKey, baseUrl: 'https://messages.example.com' };
		const options = only<IHttpRequestOptions & { uri: string }>({
			uri,
			headers: { Accept: 'application/json' },
			...more,
		});
		return await authenticate({ ...credential, accessKey: 'the-key' }, options);
	}

	test('gives the whole address as `uri` and gets it back with the Authorization header', async () => {
		expect(await authenticated('https://messages.example.com/int/v1/me')).toEqual({
			uri: 'https://messages.example.com/int/v1/me',
			headers: { Accept: 'application/json', Authorization: 'Bearer the-key' },
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains: 'messages.example.com',
		});
	});

	test('cannot switch on that credentials follow a redirect elsewhere', async () => {
		const options = await authenticated('https://messages.example.com/int/v1/me', {
			sendCredentialsOnCrossOriginRedirect: true,
			allowedDomains: 'messages.example.com, *.example.com',
		});
		expect(options).toMatchObject({
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains: 'messages.example.com',
		});
	});

	test('domains that leave the service out stay as the builder set them, for n8n to refuse', async () => {
		const options = await authenticated('https://messages.example.com/int/v1/me', {
			allowedDomains: 'other.example.com',
		});
		expect(options).toMatchObject({ allowedDomains: 'other.example.com' });
	});

	test.each([
		'https://other.example.net/int/v1/me',
		'https://sub.messages.example.com/int/v1/me',
		'https://messages.example.com:8443/int/v1/me',
		'http://messages.example.com/int/v1/me',
		'//other.example.net/int/v1/me',
	])('gets no credentials for %s', async (uri) => {
		await expect(authenticated(uri)).rejects.toThrow(/Nothing was sent.*Base URL/);
	});
});

describe('base URL', () => {
	test.each(['/', '///', '/int/v1', '/int/v1/', ' '])(
		'with %j appended reaches the service',
		async (tail) => {
			const credential = { ...service.accessKey, baseUrl: ` ${service.emulator.url}${tail}` };
			const { error } = await runNode({ credential, parameters: me });
			expect(error).toBeUndefined();
			expect(service.lastRequest.path).toBe('/int/v1/me');
		},
	);

	test.each(['', 'ftp://messages.example.com', 'http://', 'https://a.b/?x=1'])(
		'%j fails with the field to check, before anything is sent',
		async (baseUrl) => {
			const credential = { ...service.accessKey, baseUrl };
			const { error } = await runNode({ credential, parameters: me });
			expect(error?.message).toContain('Check the Base URL in the credential');
			expect(service.requests).toEqual([]);
		},
	);
});

describe('client credentials', () => {
	test('1,000 items at once ask for one token and write nothing to the database', async () => {
		const result = await runNode({
			credential: service.newClient(),
			parameters: me,
			items: items(1000),
		});
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(1000);
		expect(tokenRequests()).toBe(1);
		expect(result.databaseWrites).toBe(0);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items(1000).map((_, item) => ({ item })),
		);
	});

	test('one token serves until shortly before it runs out', async () => {
		service.emulator.switches.tokenLifetimeSeconds = 3600;
		const credential = service.newClient();
		await runNode({ credential, parameters: me });
		advanceClock(3_538_000);
		await runNode({ credential, parameters: me });
		expect(tokenRequests()).toBe(1);
		advanceClock(3_000);
		await runNode({ credential, parameters: me });
		expect(tokenRequests()).toBe(2);
	});

	test.each(['401', '403', '200'] as const)(
		'a good token that the service suddenly answers with %s is renewed once, for 200 items at once',
		async (expiredToken) => {
			service.emulator.switches.expiredToken = expiredToken;
			const credential = service.newClient();
			await runNode({ credential, parameters: me });
			service.emulator.expireTokens();
			const result = await runNode({ credential, parameters: me, items: items(200) });
			expect(result.error).toBeUndefined();
			expect(result.items).toHaveLength(200);
			expect(tokenRequests()).toBe(2);
			expect(result.databaseWrites).toBe(0);
		},
	);

	test('a token that another process takes away is renewed a few times for one request', async () => {
		const close = { resource: 'campaign', operation: 'close', campaignId: locator('c1') };
		const path = '/int/v1/campaign/c1/close';
		for (const [losses, requests] of [
			[4, 5],
			[9, 5],
		] as const) {
			let left = losses;
			const stop = service.emulator.onRequest((request) => {
				if (request.path === path && left-- > 0) service.emulator.expireTokens();
			});
			const before = service.emulator.requestCount('PUT', path);
			const credential = service.newClient();
			const { error } = await runNode({ credential, parameters: close });
			stop();
			expect(error?.message).toMatch(losses === 4 ? /^Not Found/ : /refused access/);
			expect(service.emulator.requestCount('PUT', path) - before).toBe(requests);
		}
	});

	test.each(['401', '400', '403', '200'] as const)(
		'a refusal to give a token, answered with %s, names the fields to check',
		async (tokenRefusal) => {
			service.emulator.switches.tokenRefusal = tokenRefusal;
			const credential = { ...service.clientCredentials, clientSecret: 'not-the-secret' };
			const { error } = await runNode({ credential, parameters: me });
			expect(error?.message).toContain('gave no access token');
			expect(error?.message).toContain('Check the Client ID and the Client Secret');
			const shown = JSON.stringify(error);
			const pair = `${service.emulator.clientId}:not-the-secret`;
			expect(shown).not.toContain('not-the-secret');
			expect(shown).not.toContain(Buffer.from(pair).toString('base64'));
			expect(service.requests).toEqual([]);
		},
	);

	test('a token request that fails does not stand in the way of the next one', async () => {
		const credential = service.newClient();
		const path = '/int/v1/oauth/token';
		service.emulator.faults.add({ match: { path }, action: { status: 400 } });
		const first = await runNode({ credential, parameters: me });
		expect(first.error).toBeDefined();
		const second = await runNode({ credential, parameters: me });
		expect(second.error).toBeUndefined();
	});
});

describe('credential test', () => {
	test('asks for the profile', async () => {
		const { credentialType } = await loadPackage();
		expect(credentialType.test?.request).toMatchObject({
			baseURL: '={{$credentials.baseUrl}}',
			url: '/int/v1/me',
		});
	});

	test.each(['401', '200'] as const)(
		'a refusal (%s) comes out in the service’s words',
		async (invalidToken) => {
			service.emulator.switches.invalidToken = invalidToken;
			const credential = { ...service.accessKey, accessKey: 'wrong' };
			await expect(testCredential(credential)).rejects.toThrow(
				/The service refused access: .+\. Check the access key/,
			);
		},
	);

	test.each(['401', '400', '403', '200'] as const)(
		'a client that is refused (%s) comes out in the service’s words',
		async (tokenRefusal) => {
			service.emulator.switches.tokenRefusal = tokenRefusal;
			const credential = { ...service.clientCredentials, clientSecret: 'not-the-secret' };
			const refused: unknown = await testCredential(credential).catch((error: unknown) => error);
			expect(refused).toMatchObject({
				message: expect.stringMatching(/gave no access token: .+ Check the Client ID/),
			});
			// With a status n8n would show words of its own.
			expect(refused).not.toHaveProperty('httpCode');
		},
	);

	test('a bare host that speaks no https names the address that was asked', async () => {
		const { host } = new URL(service.emulator.url);
		const credential = { ...service.accessKey, baseUrl: host };
		await expect(testCredential(credential)).rejects.toThrow(
			`The service at https://${host} could not prove who it is`,
		);
	});

	test('a service that sends on to another host names it, and tells it nothing', async () => {
		service.emulator.faults.on('/me', {
			status: 302,
			headers: { location: 'https://elsewhere.example.com/int/v1/me' },
		});
		await expect(testCredential(service.accessKey)).rejects.toThrow(
			/sent the request on to elsewhere\.example\.com\. Nothing was sent to elsewhere\.example\.com: /,
		);
	});

	test('a web page under the base URL says to check the base URL', async () => {
		service.emulator.faults.on('/me', 'html');
		await expect(testCredential(service.accessKey)).rejects.toThrow('Check the Base URL');
	});

	test('a service that is down refuses nobody, whatever its answer says', async () => {
		service.emulator.faults.on('/me', {
			status: 503,
			body: { success: false, message: 'Closed for repair' },
		});
		await expect(testCredential(service.accessKey)).rejects.toThrow(
			'Closed for repair. The service, or something before it, failed with HTTP 503',
		);
	});

	test('a refusal that repeats the key does not show it', async () => {
		const credential = { ...service.accessKey, accessKey: 'a-key-of-mine' };
		service.emulator.faults.on('/me', { refuse: 'Unknown key a-key-of-mine' });
		await expect(testCredential(credential)).rejects.toThrow(
			'The service refused access: Unknown key ***. Check the access key',
		);
	});

	test('the right key passes, and the mark of the test is not sent', async () => {
		const { headers = {} } = await testCredential(service.accessKey);
		expect(Object.keys(headers)).not.toContain('x-credential-test');
		expect(service.lastRequest.headers['x-credential-test']).toBeUndefined();
	});
});
