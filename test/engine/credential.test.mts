import type { IHttpRequestOptions } from 'n8n-workflow';

import type { FaultAction } from '../../emulator/emulator.mts';
import { switchValues } from '../../emulator/switches.mts';
import { testCredential } from '../kit/credentialTest.mts';
import { TestCredentialsHelper } from '../kit/credentials.mts';
import { editorContext, loadPackage, runNode } from '../kit/engine.mts';
import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { useService } from '../kit/service.mts';
import { only } from '../kit/typed.mts';

useFakeSleep();
const service = useService();

const profile = { resource: 'profile', operation: 'get' };
const tokenRequests = () => service.emulator.requestCount('POST', '/int/v1/oauth/token');

test.each([
	[{ accessKey: ' ' }, 'Access Key is empty'],
	[{ accessKey: 'a key' }, 'Access Key contains a space'],
	[{ accessKey: 'clé' }, 'Access Key contains a space'],
	[{ baseUrl: '' }, 'Check the Base URL in the credential'],
	[{ baseUrl: 'ftp://messages.example.com' }, 'Check the Base URL in the credential'],
	[{ authentication: 'clientCredentials', clientId: '' }, 'Client ID is empty'],
])(
	'sends nothing with %j in the credential, and names the field in the error',
	async (field, message) => {
		const credential = { ...service.accessKey, clientSecret: 'secret', ...field };
		const { error } = await runNode({ credential, parameters: profile });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	},
);

test.each(['accessKey', 'clientCredentials'] as const)(
	'accepts %s pasted with quotes and invisible characters',
	async (authentication) => {
		const { baseUrl, accessKey } = service.accessKey;
		const { clientId, clientSecret } = service.newClient();
		const quoted = (value: unknown) => ` "${String(value)}\u200b" `;
		const credential = {
			...{ authentication, baseUrl: `${String(baseUrl)}\u200b`, accessKey: quoted(accessKey) },
			...{ clientId: quoted(clientId), clientSecret: quoted(clientSecret) },
		};
		const { error } = await runNode({ credential, parameters: profile });
		expect(error).toBeUndefined();
		expect(await testCredential(credential)).toBeDefined();
	},
);

test('hides an access token that the service sent with a line break at its end', async () => {
	const body = { access_token: 't0ken-1\n', expires_in: 3600 };
	service.emulator.faults.on('POST /oauth/token', { status: 200, body });
	service.emulator.faults.on('GET /me', { refuse: 'Not for t0ken-1' });
	const { error } = await runNode({ credential: service.newClient(), parameters: profile });
	expect(error?.message).toBe('Not for ***');
});

describe('n8n’s HTTP Request node', () => {
	const uri = 'https://messages.example.com/int/v1/me';

	/**
	 * Calls `authenticate` without `url`. HttpRequestV3 of n8n 2.41.1 and 1.123.81 sets `uri` instead, although n8n's types
	 * require `url`.
	 */
	async function authenticated(own: Partial<IHttpRequestOptions> & { uri?: string }) {
		const { authenticate } = (await loadPackage()).credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		const credential = { ...service.accessKey, baseUrl: 'https://messages.example.com' };
		const options = only<IHttpRequestOptions>({ headers: { Accept: 'application/json' }, ...own });
		return await authenticate({ ...credential, accessKey: 'the-key' }, options);
	}

	test.each<[Partial<IHttpRequestOptions>, string]>([
		[{}, 'messages.example.com'],
		[
			{
				sendCredentialsOnCrossOriginRedirect: true,
				allowedDomains: 'messages.example.com, *.example.com',
			},
			'messages.example.com',
		],
		// n8n itself refuses this request, because its host is not allowed.
		[{ allowedDomains: 'other.example.com' }, 'other.example.com'],
	])('with %j, gets the Authorization header for %s only', async (own, allowedDomains) => {
		expect(await authenticated({ uri, ...own })).toEqual({
			uri,
			headers: { Accept: 'application/json', Authorization: 'Bearer the-key' },
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains,
		});
	});

	test.each([{ rejectUnauthorized: false }, { skipSslCertificateValidation: true }])(
		'with %j, the token request ignores SSL issues, too',
		async (own) => {
			const { credentialType } = await loadPackage();
			const body = { access_token: 'token', expires_in: 60 };
			const httpRequest = jest.fn().mockResolvedValue({ statusCode: 200, headers: {}, body });
			const credential = service.newClient();
			await credentialType.preAuthentication?.call({ helpers: { httpRequest } }, credential);
			const helper = new TestCredentialsHelper(credentialType, credential);
			await helper.authenticate(credential, 'messagingServiceApi', { url: '/int/v1/me', ...own });
			expect(httpRequest.mock.calls).toMatchObject([[{ skipSslCertificateValidation: true }]]);
		},
	);

	test('gets no credentials for another host', async () => {
		for (const other of ['https://other.example.net/int/v1/me', '//other.example.net/int/v1/me'])
			await expect(authenticated({ uri: other })).rejects.toThrow(/Nothing was sent.*Base URL/);
	});

	test('renews a cached token once after a failure, when it is a minute old', async () => {
		const credential = service.newClient();
		const { credentialType } = await loadPackage();
		const helper = new TestCredentialsHelper(credentialType, credential);
		const { helpers } = (await editorContext(credential)).context;
		/**
		 * Returns the Authorization headers for a request and for its repetition after a failure. n8n uses the same
		 * credentials object for both (n8n-core 1.122.48 and 2.41.1).
		 */
		const bearersOfFailure = async () => {
			const decrypted = await helper.getDecrypted();
			const bearer = async () => {
				await credentialType.preAuthentication?.call({ helpers }, decrypted);
				const request = { url: `${service.emulator.url}/int/v1/me` };
				const { headers } = await helper.authenticate(decrypted, 'messagingServiceApi', request);
				return headers?.Authorization;
			};
			return [await bearer(), await bearer()];
		};
		const [first] = await bearersOfFailure();
		expect(await bearersOfFailure()).toEqual([first, first]);
		advanceClock(60_000);
		const [renewed] = await bearersOfFailure();
		expect(renewed).not.toBe(first);
		expect(await bearersOfFailure()).toEqual([renewed, renewed]);
		expect(tokenRequests()).toBe(2);
	});
});

describe('an access token', () => {
	const wordings = switchValues.expiredTokenMessage.flatMap((message) =>
		switchValues.expiredToken.map((status) => [status, message] as const),
	);
	test.each(wordings)(
		'one token serves 30 items, and is renewed once when the service refuses it: %s, %s',
		async (expiredToken, expiredTokenMessage) => {
			Object.assign(service.emulator.switches, { expiredToken, expiredTokenMessage });
			const credential = service.newClient();
			const items = Array.from({ length: 30 }, () => ({ json: {} }));
			for (const count of [1, 2]) {
				const result = await runNode({ credential, parameters: profile, items });
				expect(result.error).toBeUndefined();
				expect(result.items).toHaveLength(30);
				expect(result.databaseWrites).toBe(0);
				expect(tokenRequests()).toBe(count);
				service.emulator.expireTokens();
				advanceClock(60_000);
			}
		},
	);

	test.each([
		['Not Found.', 60_000, 1],
		['This profile is locked', 0, 1],
		['This profile is locked', 60_000, 2],
		['Access denied', 0, 2],
	])(
		'if all reads are refused with "%s" %i ms after the token was issued, %i tokens are requested',
		async (refuse, ms, count) => {
			const credential = service.newClient();
			await runNode({ credential, parameters: profile });
			advanceClock(ms);
			service.emulator.faults.on('GET /me', { refuse }, { times: Infinity });
			for (let run = 0; run < 3; run++) {
				const { error } = await runNode({ credential, parameters: profile });
				expect(error?.message).toBe(refuse);
			}
			expect(tokenRequests()).toBe(count);
			expect(service.requests).toHaveLength(1 + 3 + count - 1);
		},
	);

	test.each(['401', '400', '403', '200'] as const)(
		'if the service refuses to issue a token (%s), the error names the fields to check and hides the secret',
		async (tokenRefusal) => {
			service.emulator.switches.tokenRefusal = tokenRefusal;
			const credential = { ...service.clientCredentials, clientSecret: 'not-the-secret' };
			const { error } = await runNode({ credential, parameters: profile });
			const tested: unknown = await testCredential(credential).catch((thrown: unknown) => thrown);
			const message = /returned no access token: .+ Check the Client ID and the Client Secret/;
			for (const shown of [error, tested])
				expect(shown).toMatchObject({ message: expect.stringMatching(message) });
			const pair = `${service.emulator.clientId}:not-the-secret`;
			expect(JSON.stringify(error)).not.toContain('not-the-secret');
			expect(JSON.stringify(error)).not.toContain(Buffer.from(pair).toString('base64'));
			// With an HTTP code, n8n would replace the message of the error.
			expect(tested).not.toHaveProperty('httpCode');
			expect(service.requests).toEqual([]);
		},
	);
});

describe('the credential test', () => {
	test('requests the profile, and does not send the internal marker header', async () => {
		const { credentialType } = await loadPackage();
		expect(credentialType.test?.request).toMatchObject({
			baseURL: '={{$credentials.baseUrl}}',
			url: '/int/v1/me',
		});
		const { headers = {} } = await testCredential(service.accessKey);
		expect(Object.keys(headers)).not.toContain('x-credential-test');
		expect(service.lastRequest.headers['x-credential-test']).toBeUndefined();
	});

	const unknownKey = { success: false, message: 'Unknown key a-key-of-mine' };
	const refused = 'The service refused access: Unknown key ***. Check the access key';
	test.each<[FaultAction, string]>([
		[{ status: 401, body: unknownKey }, refused],
		[{ status: 200, body: unknownKey }, refused],
	])('reports %j with the message of the service, without the key', async (response, message) => {
		service.emulator.faults.on('/me', response);
		const credential = { ...service.accessKey, accessKey: 'a-key-of-mine' };
		await expect(testCredential(credential)).rejects.toThrow(message);
	});

	test('tries https if the Base URL has no scheme, and names the https address in the error', async () => {
		const { host } = new URL(service.emulator.url);
		const credential = { ...service.accessKey, baseUrl: host };
		await expect(testCredential(credential)).rejects.toThrow(
			`The service at https://${host} could not be verified`,
		);
	});
});
