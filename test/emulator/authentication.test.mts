import axios from 'axios';
import { any, Client, start, useEmulator } from './client.mts';

const context = useEmulator({ seed: { people: 5, responsesPerSurvey: 0 } });

const basic = (id: string, secret: string): string =>
	Buffer.from(`${id}:${secret}`).toString('base64');

interface Token {
	access_token: string;
	token_type: string;
	expires_in: number;
}

function askForToken(
	credentials = basic(context.emulator.clientId, context.emulator.clientSecret),
	body: unknown = { grant_type: 'client_credentials' },
) {
	return axios.post<Token>(`${context.emulator.url}/int/v1/oauth/token`, body, {
		headers: { Authorization: `Bearer ${credentials}` },
		validateStatus: () => true,
	});
}

const me = (token: string) => new Client(context.emulator.url, token).call('GET', '/me');

describe('access keys', () => {
	test('a valid key is taken, and belongs to a Super User or to a plain one', async () => {
		const admin = await context.client.ok('GET', '/me');
		expect(admin.data).toEqual({
			_id: context.emulator.state.superUser._id,
			firstName: 'Ada',
			lastName: 'Admin',
			email: 'ada.admin@company.example',
			sfUserId: 'SF000001',
		});
		const plain = await context.plain.ok<{ email: string }>('GET', '/me');
		expect(plain.data.email).toBe('paul.plain@company.example');
	});

	test.each([
		['401', 401],
		['403', 403],
		['200', 200],
	] as const)(
		'an unknown key is answered with %s when the switch says so',
		async (mode, status) => {
			context.emulator.switches.invalidToken = mode;
			const answer = await me('wrong');
			expect(answer.status).toBe(status);
			expect(answer.data).toEqual({ success: false, message: 'Invalid access token' });
		},
	);

	test('no header at all, and another scheme than Bearer, are refused', async () => {
		const url = `${context.emulator.url}/int/v1/me`;
		const bare = await axios.get(url, { validateStatus: () => true });
		expect(bare.status).toBe(401);
		const basicAuth = await axios.get(url, {
			headers: { Authorization: `Basic ${context.emulator.accessKey}` },
			validateStatus: () => true,
		});
		expect(basicAuth.status).toBe(401);
	});

	test('the refusal may be plain text or empty', async () => {
		context.emulator.switches.authenticationFailureBody = 'text';
		expect((await me('wrong')).data).toBe('Invalid access token');
		context.emulator.switches.authenticationFailureBody = 'empty';
		expect((await me('wrong')).data).toBe('');
	});

	test('keys survive a reset with another seed, and more can be made', async () => {
		context.emulator.reset({ seed: 99, people: 1 });
		expect((await me(context.emulator.accessKey)).status).toBe(200);
		const key = context.emulator.addKey('accessKey', 'plainUser');
		expect((await me(key.value)).status).toBe(200);
	});
});

describe('client credentials', () => {
	test('give a token that is not wrapped in the envelope', async () => {
		const answer = await askForToken();
		expect(answer.status).toBe(200);
		expect(answer.data).toEqual({
			access_token: any(String),
			token_type: 'Bearer',
			expires_in: 3600,
		});
		expect((await me(answer.data.access_token)).status).toBe(200);
	});

	test('grant_type may be left out, and only client_credentials is allowed', async () => {
		expect((await askForToken(undefined, {})).data.expires_in).toBe(3600);
		expect((await askForToken(undefined, undefined)).data.expires_in).toBe(3600);
		expect(context.emulator.violations).toEqual([]);
		const wrong = await askForToken(undefined, { grant_type: 'password' });
		expect(wrong.data).toMatchObject({ success: false });
		expect(context.emulator.violations).toHaveLength(1);
	});

	test.each([
		['401', 401],
		['400', 400],
		['403', 403],
		['200', 200],
	] as const)('wrong ones are refused with %s when the switch says so', async (mode, status) => {
		context.emulator.switches.tokenRefusal = mode;
		const answer = await askForToken(basic(context.emulator.clientId, 'wrong'));
		expect(answer.status).toBe(status);
		expect(answer.data).toEqual({ success: false, message: 'Invalid client credentials' });
	});

	test.each(['', 'no-colon', basic('', ''), basic('x', ''), '%%%'])(
		'"%s" is no pair of id and secret',
		async (credentials) => {
			expect((await askForToken(credentials)).status).toBe(401);
		},
	);

	test('neither an access key nor the secret alone opens the other door', async () => {
		expect((await askForToken(context.emulator.accessKey)).status).toBe(401);
		expect((await me(context.emulator.clientSecret)).status).toBe(401);
	});

	test('a token ends with its lifetime, which can be set', async () => {
		context.emulator.switches.tokenLifetimeSeconds = 60;
		const { data } = await askForToken();
		expect(data.expires_in).toBe(60);
		context.emulator.clock.advance(59_999);
		expect((await me(data.access_token)).status).toBe(200);
		context.emulator.clock.advance(1);
		expect((await me(data.access_token)).status).toBe(401);
	});

	test.each([
		['401', 401],
		['403', 403],
		['200', 200],
	] as const)(
		'an expired token is answered with %s when the switch says so',
		async (mode, status) => {
			context.emulator.switches.expiredToken = mode;
			const { data } = await askForToken();
			context.emulator.expireTokens();
			const answer = await me(data.access_token);
			expect(answer.status).toBe(status);
			expect(answer.data).toEqual({ success: false, message: 'Access token expired' });
			const renewed = await askForToken();
			expect((await me(renewed.data.access_token)).status).toBe(200);
		},
	);

	test('the log tells kinds of tokens apart and hides the values', async () => {
		const { data } = await askForToken();
		await me(data.access_token);
		await me(context.emulator.accessKey);
		await me('wrong');
		const seen = context.emulator.requests.map((request) => request.authorization);
		expect(seen).toEqual([
			{ kind: 'clientCredentials', ok: true, keyId: context.emulator.clientId },
			{ kind: 'accessToken', ok: true, keyId: context.emulator.clientId, tokenNumber: 1 },
			{ kind: 'accessKey', ok: true, keyId: any(String) },
			{ kind: 'unknown', ok: false },
		]);
		const log = JSON.stringify(context.emulator.requests);
		for (const secret of [data.access_token, context.emulator.accessKey, 'wrong']) {
			expect(log).not.toContain(secret);
		}
		expect(context.emulator.requests[2]?.headers.authorization).toBe('Bearer ***');
	});
});

test('the clock can be set, moved and set back', () => {
	const { clock } = context.emulator;
	expect(clock.now()).toBe(start);
	clock.advance(1000);
	expect(clock.now()).toBe(start + 1000);
	clock.set('2030-01-01T00:00:00.000Z');
	expect(clock.now()).toBe(Date.UTC(2030, 0, 1));
	clock.reset();
	expect(clock.now()).toBe(start);
	expect(() => clock.set('tomorrow')).toThrow('Not a point of time');
});
