import axios from 'axios';
import { any, clientOf, start, useEmulator } from './client.mts';

const { emulator, plain, ok, expectViolations } = useEmulator({
	seed: { people: 5, responsesPerSurvey: 0 },
});

const basic = (id: string, secret: string) => Buffer.from(`${id}:${secret}`).toString('base64');
const own = () => basic(emulator.clientId, emulator.clientSecret);

interface Token {
	access_token: string;
	expires_in: number;
}

const askForToken = (credentials = own(), body: unknown = { grant_type: 'client_credentials' }) =>
	clientOf({ url: emulator.url, accessKey: credentials }).call<Token>('POST /oauth/token', body);
const me = (token: string) => clientOf({ url: emulator.url, accessKey: token }).call('GET /me');
const statusOf = async (token: string) => (await me(token)).status;
const refusal = (status: number, message: string) => ({
	status,
	data: { success: false, message },
});

describe('access keys', () => {
	test('a valid key is taken, and belongs to a Super User or to a plain one', async () => {
		expect(await ok('GET /me')).toEqual({
			_id: emulator.state.superUser._id,
			firstName: 'Ada',
			lastName: 'Admin',
			email: 'ada.admin@company.example',
			sfUserId: 'SF000001',
		});
		expect(await plain.ok('GET /me')).toHaveProperty('email', 'paul.plain@company.example');
	});

	test.each(['401', '403', '200'] as const)('an unknown key is answered with %s', async (mode) => {
		emulator.switches.invalidToken = mode;
		expect(await me('wrong')).toMatchObject(refusal(Number(mode), 'Invalid access token'));
	});

	test.each([{}, { Authorization: 'Basic key' }])('%j is refused', async (headers) => {
		const url = `${emulator.url}/int/v1/me`;
		expect((await axios.get(url, { headers, validateStatus: () => true })).status).toBe(401);
	});

	test.each([
		['text', 'Invalid access token'],
		['empty', ''],
	] as const)('the refusal may be %s', async (form, data) => {
		emulator.switches.authenticationFailureBody = form;
		expect(await me('wrong')).toMatchObject({ data });
	});

	test('keys survive a reset with another seed, and more can be made', async () => {
		emulator.reset({ seed: 99, people: 1 });
		expect(await statusOf(emulator.accessKey)).toBe(200);
		expect(await statusOf(emulator.addKey('accessKey', 'plainUser').value)).toBe(200);
	});
});

describe('client credentials', () => {
	test('give a token that is not wrapped in the envelope', async () => {
		const { status, data } = await askForToken();
		expect([status, data]).toEqual([
			200,
			{ access_token: any(String), token_type: 'Bearer', expires_in: 3600 },
		]);
		expect(await statusOf(data.access_token)).toBe(200);
	});

	test.each([
		[{}, { expires_in: 3600 }, 0],
		[undefined, { expires_in: 3600 }, 0],
		[{ grant_type: 'password' }, { success: false }, 1],
	])('%j as body gives %j', async (body, data, violations) => {
		expect(await askForToken(own(), body ?? null)).toMatchObject({ data });
		expectViolations(violations);
	});

	test.each(['401', '400', '403', '200'] as const)('wrong ones are refused: %s', async (mode) => {
		emulator.switches.tokenRefusal = mode;
		expect(await askForToken(basic(emulator.clientId, 'wrong'))).toMatchObject(
			refusal(Number(mode), 'Invalid client credentials'),
		);
	});

	test.each(['', 'no-colon', basic('', ''), basic('x', ''), '%%%'])(
		'"%s" is no pair of id and secret',
		async (credentials) => {
			expect((await askForToken(credentials)).status).toBe(401);
		},
	);

	test('neither an access key nor the secret alone opens the other door', async () => {
		expect((await askForToken(emulator.accessKey)).status).toBe(401);
		expect(await statusOf(emulator.clientSecret)).toBe(401);
	});

	test('a token ends with its lifetime, which can be set', async () => {
		emulator.switches.tokenLifetimeSeconds = 60;
		const { access_token: token, expires_in: lifetime } = (await askForToken()).data;
		expect(lifetime).toBe(60);
		emulator.clock.advance(59_999);
		expect(await statusOf(token)).toBe(200);
		emulator.clock.advance(1);
		expect(await statusOf(token)).toBe(401);
	});

	test.each(['401', '403', '200'] as const)('an expired token: %s', async (mode) => {
		emulator.switches.expiredToken = mode;
		const { data } = await askForToken();
		emulator.expireTokens();
		const expired = refusal(Number(mode), 'Access token expired');
		expect(await me(data.access_token)).toMatchObject(expired);
		expect(await me((await askForToken()).data.access_token)).toMatchObject({
			status: 200,
			data: { success: true },
		});
	});

	test('the log tells kinds of tokens apart and hides the values', async () => {
		const token = (await askForToken()).data.access_token;
		const secrets = [token, emulator.accessKey, 'wrong'];
		for (const secret of secrets) await me(secret);
		const keyId = emulator.clientId;
		expect(emulator.requests.map(({ authorization }) => authorization)).toEqual([
			{ kind: 'clientCredentials', ok: true, keyId },
			{ kind: 'accessToken', ok: true, keyId, tokenNumber: 1 },
			{ kind: 'accessKey', ok: true, keyId: any(String) },
			{ kind: 'unknown', ok: false },
		]);
		const log = JSON.stringify(emulator.requests);
		for (const secret of secrets) expect(log).not.toContain(secret);
		expect(emulator.requests[2]?.headers.authorization).toBe('Bearer ***');
	});
});

test('the clock can be set, moved and set back', () => {
	const { clock } = emulator;
	expect(clock.now()).toBe(start);
	clock.advance(1000);
	expect(clock.now()).toBe(start + 1000);
	clock.set('2030-01-01T00:00:00.000Z');
	expect(clock.now()).toBe(Date.UTC(2030, 0, 1));
	clock.reset();
	expect(clock.now()).toBe(start);
	expect(() => clock.set('tomorrow')).toThrow('Not a point of time');
});
