import type { FaultAction } from '../../emulator/emulator.mts';
import { first } from '../kit/required.mts';
import { useEmulator } from './client.mts';

const { emulator, call } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 2, surveys: 1, responsesPerSurvey: 2 },
});

const me = () => call('GET /me');
const newGroup = (options = {}) => call('POST /recipientGroup', { name: 'x' }, options);
const strike = (action: FaultAction) => emulator.faults.add({ match: {}, action });
const groupCount = () => emulator.state.recipientGroups.size;

describe('faults', () => {
	test('a fault skips the first `skip` requests, then replaces the next `times` responses by a status', async () => {
		emulator.faults.on(
			'GET /me',
			{ status: 429, body: { error: 'slow down' }, headers: { 'Retry-After': '7' } },
			{ times: 2, skip: 1 },
		);
		const answers = [await me(), await me(), await me(), await me()];
		expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
		expect(answers[1]).toMatchObject({
			data: { error: 'slow down' },
			headers: { 'retry-after': '7' },
		});
		const names = emulator.requests.map(({ fault }) => fault);
		expect(names).toEqual([undefined, 'status 429', 'status 429', undefined]);
	});

	test('a fault matches a path by placeholders, and applies once, or always with times: Infinity', async () => {
		const { _id } = first(emulator.state.campaigns.values());
		const action = { status: 500 };
		const statuses = async (...paths: string[]) => {
			const found: number[] = [];
			for (const path of paths) found.push((await call(`GET /campaign/${_id}${path}`)).status);
			return found;
		};
		const match = { path: '*/campaign/:id' };
		const remove = emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, action });
		expect(await statuses('', '', '', '/report')).toEqual([500, 500, 500, 200]);
		remove();
		expect(await statuses('')).toEqual([200]);
		emulator.faults.on('/campaign/:id', action);
		expect(await statuses('/report', '', '')).toEqual([200, 500, 200]);
	});

	test('a fault can delay a request and keep its response, which a second fault may replace', async () => {
		strike({ delayMs: 1 });
		strike({ status: 500 });
		expect((await me()).status).toBe(500);
		expect((await me()).status).toBe(200);
	});

	test('a fault applies before the token is checked', async () => {
		strike({ status: 401 });
		expect((await me()).status).toBe(401);
		expect(emulator.requests[0]?.authorization.ok).toBe(false);
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
		const answer = await newGroup({ timeout: 1000, maxRedirects: 0 }).then(
			({ data }) => JSON.stringify(data),
			String,
		);
		expect(answer).not.toContain('"success":true');
		expect(groupCount()).toBe(groups);
		expect(emulator.requests).toMatchObject([{ fault: expect.any(String) }]);
	});
});
