import axios from 'axios';
import { any, clientOf, start, useEmulator } from './client.mts';

const { emulator, plain, ok, expectViolations } = useEmulator({
	seed: { people: 5, responsesPerSurvey: 0 },
});

const basic = (id: string, secret: string) => Buffer.from(`${id}:${secret}`).toString('base64');
const own = () => basic(emulator.clientId, emulator.clientSecret);
const withKey = (accessKey: string) => clientOf({ url: emulator.url, accessKey });
const askForToken = (credentials = own(), body: unknown = { grant_type: 'client_credentials' }) =>
	withKey(credentials).call<{ access_token: string }>('POST /oauth/token', body);
const me = (token: string) => withKey(token).call('GET /me');
const statusOf = async (token: string) => (await me(token)).status;

describe('access keys', () => {
	test('identify a Super User or a plain user', async () => {
		expect(await ok('GET /me')).toEqual({
			_id: emulator.state.superUser._id,
			firstName: 'Ada',
			lastName: 'Admin',
			email: 'ada.admin@company.example',
			sfUserId: 'SF000001',
		});
		expect(await plain.ok('GET /me')).toHaveProperty('email', 'paul.plain@company.example');
	});

	test('are refused under another authorization scheme', async () => {
		const headers = { Authorization: `Basic ${emulator.accessKey}` };
		const url = `${emulator.url}/int/v1/me`;
		expect((await axios.get(url, { headers, validateStatus: () => true })).status).toBe(401);
	});

	test('survive a reset with another seed, and can be added', async () => {
		emulator.reset({ seed: 99, people: 1 });
		expect(await statusOf(emulator.accessKey)).toBe(200);
		expect(await statusOf(emulator.addKey('accessKey', 'plainUser').value)).toBe(200);
	});
});

describe('client credentials', () => {
	test.each([
		[{ grant_type: 'client_credentials' }, 0],
		[{}, 0],
		[undefined, 0],
		[{ grant_type: 'password' }, 1],
	])('with the body %j: %i violations, and a token only if there are none', async (...row) => {
		const [body, violations] = row;
		const { status, data } = await askForToken(own(), body ?? null);
		expect(status).toBe(200);
		expectViolations(violations);
		if (violations > 0) return expect(data).toHaveProperty('success', false);
		expect(data).toEqual({ access_token: any(String), token_type: 'Bearer', expires_in: 3600 });
		expect(await statusOf(data.access_token)).toBe(200);
	});

	test.each(['', 'no-colon', basic('', ''), basic('x', ''), '%%%'])(
		'are refused if the header contains "%s" instead of an encoded ID and secret',
		async (credentials) => {
			expect(await askForToken(credentials)).toMatchObject({
				status: 401,
				data: { success: false, message: 'Invalid client credentials' },
			});
		},
	);

	test('are not interchangeable with access keys', async () => {
		expect((await askForToken(emulator.accessKey)).status).toBe(401);
		expect((await askForToken(basic(emulator.clientId, 'wrong'))).status).toBe(401);
		expect(await statusOf(emulator.clientSecret)).toBe(401);
	});

	test('and other tokens appear in the log by kind, without their values', async () => {
		const token = (await askForToken()).data.access_token;
		const secrets = [token, emulator.accessKey, 'wrong'];
		for (const secret of secrets) await me(secret);
		const keyId = emulator.clientId;
		expect(emulator.requests.map(({ authorization }) => authorization)).toEqual([
			{ kind: 'clientCredentials', ok: true, keyId },
			{ kind: 'accessToken', ok: true, keyId },
			{ kind: 'accessKey', ok: true, keyId: any(String) },
			{ kind: 'unknown', ok: false },
		]);
		const log = JSON.stringify(emulator.requests);
		for (const secret of secrets) expect(log).not.toContain(secret);
		expect(emulator.requests[2]?.headers.authorization).toBe('Bearer ***');
	});
});

test('the clock of the emulator can be advanced and reset', () => {
	const { clock } = emulator;
	clock.advance(1000);
	expect(clock.now()).toBe(start + 1000);
	clock.reset();
	expect(clock.now()).toBe(start);
});
