import pWaitFor from 'p-wait-for';
import { startEmulator, type FaultAction } from '../../emulator/emulator.mts';
import { clientOf, useEmulator } from './client.mts';

// The engine tests prove that a fault applies to the right requests, and as often as it should.

const seed = { people: 3, groups: 1, campaigns: 2, surveys: 1, responsesPerSurvey: 2 };
const { emulator, call } = useEmulator({ seed });

const me = () => call('GET /me');
const strike = (action: FaultAction) => emulator.faults.add({ match: {}, action });

test('a fault can delay a request and keep its response, which a second fault may replace', async () => {
	strike({ delayMs: 1 });
	strike({ status: 429, body: { error: 'slow down' }, headers: { 'Retry-After': '7' } });
	expect(await me()).toMatchObject({
		...{ status: 429, data: { error: 'slow down' } },
		headers: { 'retry-after': '7' },
	});
	expect((await me()).status).toBe(200);
});

test.each<[FaultAction, groups: number]>([
	['drop', 1],
	['stall', 1],
	['html', 1],
	[{ status: 504 }, 1],
	[{ redirectTo: 'http://elsewhere.example' }, 1],
	['dropAfter', 2],
	['stallAfter', 2],
	['stallBody', 2],
	['cutBody', 2],
	[{ status: 504, after: true }, 2],
	[{ redirectTo: 'http://elsewhere.example', after: true }, 2],
])('if %j breaks the creation of a group, %i groups exist', async (action, groups) => {
	strike(action);
	const options = { timeout: 1000, maxRedirects: 0 };
	const answer = await call('POST /recipientGroup', { name: 'x' }, options).then(
		({ data }) => JSON.stringify(data),
		String,
	);
	expect(answer).not.toContain('"success":true');
	expect(emulator.state.recipientGroups.size).toBe(groups);
	expect(emulator.requests).toMatchObject([{ fault: expect.any(String) }]);
});

test('a stop ends a request that waits', async () => {
	const other = await startEmulator({ seed });
	other.faults.add({ match: {}, action: 'stall' });
	const waiting = clientOf(other).call('GET /me').catch(String);
	await pWaitFor(() => other.requests.length > 0);
	await other.stop();
	expect(await waiting).toMatch(/socket hang up|ECONNRESET/);
});
