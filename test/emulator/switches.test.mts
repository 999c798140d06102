import { first, firstSurvey } from '../kit/required.mts';
import { useEmulator } from './client.mts';

// What neither test/check-service/switches.slow.test.mts nor the engine tests prove. The former sees most values of all switches.

const { emulator, call } = useEmulator({
	seed: { people: 6, groups: 1, campaigns: 3, surveys: 1, responsesPerSurvey: 2, channels: 1 },
});

interface Shown {
	[field: string]: unknown;
	_id: string;
}

const state = () => emulator.state;

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
