import type { Switches } from '../../emulator/switches.mts';
import { first, firstSurvey } from '../kit/required.mts';
import { clientOf, useEmulator } from './client.mts';

// What neither test/check-service/switches.slow.test.mts nor the engine tests prove. The former sees most values of all switches.

const { emulator, call } = useEmulator({
	seed: { people: 6, groups: 1, campaigns: 3, surveys: 1, responsesPerSurvey: 2, channels: 1 },
});

interface Shown {
	[field: string]: unknown;
	_id: string;
}

const state = () => emulator.state;

/** Creates a campaign for an unknown address. Returns the message of a refusal. */
async function campaignToNobody(): Promise<unknown> {
	const body = { name: 'x', description: 'x', recipientEmails: ['no@body.example'] };
	return (await call<Shown>('POST /campaign', body)).data.message;
}

const withKey = (accessKey: string) => clientOf({ url: emulator.url, accessKey });
async function newToken(): Promise<string> {
	const { clientId, clientSecret } = emulator;
	const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	const { data } = await withKey(credentials).call<Record<string, string>>('POST /oauth/token');
	return data.access_token ?? '';
}
const statusFor = async (token: string) => (await withKey(token).call('GET /me')).status;

async function afterExpiry(): Promise<number[]> {
	const token = await newToken();
	emulator.expireTokens();
	return [await statusFor(token), await statusFor(await newToken())];
}

const refusal = 'Not all emails founded as recipient in system';

test.each<[keyof Switches, unknown, look: () => Promise<unknown>, seen: unknown]>([
	['unknownCampaignEmails', 'refuseCall', campaignToNobody, refusal],
	['unknownCampaignEmails', 'ignore', campaignToNobody, undefined],
	['expiredToken', '401', afterExpiry, [401, 200]],
	['expiredToken', '400', afterExpiry, [400, 200]],
	['expiredToken', '403', afterExpiry, [403, 200]],
	['expiredToken', '200', afterExpiry, [200, 200]],
])('applies the switch %s with the value %j', async (name, value, look, seen) => {
	Object.assign(emulator.switches, { [name]: value });
	expect(await look()).toEqual(seen);
});

test.each([
	['array', { data: [] }],
	['null', { data: null }],
	['absent', {}],
] as const)('applies the switch emptyList with the value %s to every list', async (form, rest) => {
	emulator.switches.emptyList = form;
	state().channels.delete(first(state().channels.values())._id);
	const expectEmpty = async (path: string) => {
		const { total: _total, ...envelope } = (await call<Shown>(`GET ${path}`)).data;
		expect([path, envelope]).toEqual([path, { success: true, ...rest }]);
	};
	await expectEmpty('/channel');
	const { _id } = state().addChannel({ name: 'Empty' });
	for (const path of [
		...['/campaign?category=nope', '/broadcast?minLiveDate=2100-01-01T00:00:00.000Z'],
		...['/recipientGroup?skip=99', '/template?category=nope'],
		...['manager', 'managerGroup', 'recipient'].map((part) => `/channel/${_id}/${part}`),
		`/campaign/${firstSurvey(emulator).campaign._id}/file`,
	])
		await expectEmpty(path);
	expect(emulator.violations).toEqual([]);
});

test('a reset ends the period of a rate limit', async () => {
	for (let period = 1; period <= 2; period++) {
		const rateLimit = { requests: 1, perMilliseconds: 60_000, retryAfter: 'none' } as const;
		emulator.switches.rateLimit = rateLimit;
		expect((await call('GET /me')).status).toBe(200);
		expect((await call('GET /me')).status).toBe(429);
		emulator.reset();
	}
});
