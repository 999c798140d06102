import { startEmulator, type FaultAction } from '../../emulator/emulator.mts';
import { Recorder } from '../../emulator/server/recorder.mts';
import { any, clientOf, first, textLike, textWith, useEmulator } from './client.mts';

const { emulator, call, ok, refused } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 2, surveys: 1, responsesPerSurvey: 2 },
});

const me = () => call('GET /me');
const newGroup = (options = {}) => call('POST /recipientGroup', { name: 'x' }, options);
/** Adds a fault for the next request. */
const strike = (action: FaultAction) => emulator.faults.add({ match: {}, action });
const groupCount = () => emulator.state.recipientGroups.size;
const type = (name: string) => ({ 'content-type': textWith(name) });
const cut = /socket hang up|ECONNRESET/;

describe('faults', () => {
	test('replace the response by a status, `times` times after `skip` requests', async () => {
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

	test('match a path by RegExp or placeholders, and apply once by default, or always with times: Infinity', async () => {
		const { _id } = first(emulator.state.campaigns.values());
		const action = { status: 500 };
		const statuses = async (...paths: string[]) => {
			const found: number[] = [];
			for (const path of paths) found.push((await call(`GET /campaign/${_id}${path}`)).status);
			return found;
		};
		const match = { path: /\/campaign\/\w+$/g };
		const remove = emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, action });
		expect(await statuses('', '', '', '/report')).toEqual([500, 500, 500, 200]);
		remove();
		expect(await statuses('')).toEqual([200]);
		emulator.faults.on('/campaign/:id', action);
		expect(await statuses('/report', '', '')).toEqual([200, 500, 200]);
	});

	test.each([
		['drop', 1, { status: 0, fault: 'drop', body: { name: 'x' }, endedAt: any(Number) }],
		['dropAfter', 2, { status: 0, fault: 'dropAfter', response: { success: true } }],
	] as const)('%s breaks a create call; groups afterwards: %i', async (action, groups, request) => {
		strike(action);
		await expect(newGroup()).rejects.toThrow(cut);
		expect(groupCount()).toBe(groups);
		expect(emulator.requests).toMatchObject([request]);
		expect(emulator.summary.inFlight).toBe(0);
		strike(action);
		const survey = emulator.state.campaigns.find((campaign) => campaign.survey !== undefined);
		await expect(call(`GET /campaign/${survey?._id}/surveyData`)).rejects.toThrow(cut);
	});

	test.each<[FaultAction, answer: object, groups: number]>([
		[
			{ status: 504, body: 'Gateway Timeout', after: true },
			{ status: 504, data: 'Gateway Timeout' },
			2,
		],
		[{ status: 503, body: 'Service Unavailable' }, { status: 503, data: 'Service Unavailable' }, 1],
		[{ status: 502 }, { status: 502, data: '' }, 1],
		['html', { status: 200, data: textWith('<html>'), headers: type('text/html') }, 1],
		[
			'brokenJson',
			{ data: textLike(/^\{"success":true.*[^}]$/s), headers: type('application/json') },
			1,
		],
		...([301, 302, 303, 307, 308] as const).map((status): [FaultAction, object, number] => [
			{ redirectTo: 'http://elsewhere.example:99', status },
			{ status, headers: { location: 'http://elsewhere.example:99/int/v1/recipientGroup' } },
			1,
		]),
		[
			{ redirectTo: 'https://elsewhere.example/login?from=here', after: true },
			{ status: 302, headers: { location: 'https://elsewhere.example/login?from=here' } },
			2,
		],
	])('respond as %j defines', async (action, answer, groups) => {
		strike(action);
		expect(await newGroup({ maxRedirects: 0 })).toMatchObject(answer);
		expect(groupCount()).toBe(groups);
	});

	test('delay a request without replacing the response, also together with another fault', async () => {
		strike({ delayMs: 1 });
		strike({ status: 500 });
		expect((await me()).status).toBe(500);
		expect((await me()).status).toBe(200);
	});

	test('apply before the token is checked', async () => {
		strike({ status: 401 });
		expect((await me()).status).toBe(401);
		expect(emulator.requests[0]?.authorization.ok).toBe(false);
	});

	test('refuse requests for one group without changing it', async () => {
		const group = first(emulator.state.recipientGroups.values());
		const other = emulator.state.addRecipientGroup('Other');
		const message = 'The recipients of this group cannot be changed at the moment';
		emulator.faults.add({
			match: { path: `/int/v1/recipientGroup/${group._id}/recipients` },
			times: Number.POSITIVE_INFINITY,
			action: { refuse: message },
		});
		const recipientIds = [...group.members];
		for (const method of ['DELETE', 'POST'])
			expect(
				await refused(`${method} /recipientGroup/${group._id}/recipients`, { recipientIds }),
			).toBe(message);
		await ok(`POST /recipientGroup/${other._id}/recipients`, { recipientIds });
		for (const { members } of [group, other]) expect([...members]).toEqual(recipientIds);
	});

	test.each([
		['POST', { name: 'x' }, 2],
		['GET', undefined, 1],
	])('cutBody ends the response to %s in the middle', async (method, body, groups) => {
		strike('cutBody');
		const answer = await fetch(`${emulator.url}/int/v1/recipientGroup`, {
			method,
			headers: {
				Authorization: `Bearer ${emulator.accessKey}`,
				'Content-Type': 'application/json',
			},
			body: JSON.stringify(body),
		});
		expect(answer.status).toBe(200);
		await expect(answer.text()).rejects.toThrow('terminated');
		expect(groupCount()).toBe(groups);
		expect(emulator.requests).toMatchObject([{ fault: 'cutBody', response: { success: true } }]);
		await me();
	});

	test.each([
		['stall', 1],
		['stallAfter', 2],
		['stallBody', 2],
	] as const)('%s never completes a create call; groups afterwards: %i', async (action, groups) => {
		strike(action);
		await expect(newGroup({ timeout: 300 })).rejects.toThrow(
			action === 'stallBody' ? 'aborted' : 'timeout of 300ms exceeded',
		);
		expect(groupCount()).toBe(groups);
		expect(emulator.requests[0]?.fault).toBe(action);
	});
});

describe('an outage', () => {
	test('starts after some requests, refuses connections until it ends and keeps the records', async () => {
		emulator.goDown(2);
		await ok('POST /recipientGroup', { name: 'x' });
		await me();
		await expect(me()).rejects.toThrow(/socket hang up|ECONNRESET/);
		await expect(me()).rejects.toThrow('ECONNREFUSED');
		expect(emulator.requestCount()).toBe(2);
		await emulator.comeUp();
		expect((await me()).status).toBe(200);
		expect(emulator.state.recipientGroups.size).toBe(2);
		await emulator.comeUp();
		expect((await me()).status).toBe(200);
	});

	test('breaks requests in flight', async () => {
		emulator.onRequest(() => emulator.goDown());
		await expect(me()).rejects.toThrow(/socket hang up|ECONNRESET/);
		await expect(me()).rejects.toThrow('ECONNREFUSED');
		emulator.reset();
		await emulator.comeUp();
		expect((await me()).status).toBe(200);
	});

	test('requires an emulator whose host is an IP address, and allows stopping the emulator', async () => {
		const named = await startEmulator({ host: 'localhost' });
		expect(() => named.goDown()).toThrow('needs an address');
		await named.stop();
		const emulator = await startEmulator();
		emulator.goDown();
		await emulator.stop();
		await expect(clientOf({ url: emulator.url, accessKey: 'x' }).call('GET /me')).rejects.toThrow(
			'ECONNREFUSED',
		);
	});
});

describe('listeners', () => {
	test('can change records and add faults before a request is processed', async () => {
		const stop = emulator.onRequest((request) => {
			if (request.operationId === 'recipientGroup.get') {
				emulator.state.recipientGroups.delete(request.path.split('/').at(-1) ?? '');
			}
		});
		const id = first(emulator.state.recipientGroups.values())._id;
		expect((await call(`GET /recipientGroup/${id}`)).status).toBe(404);
		stop();
		emulator.onRequest(async (request) => {
			await Promise.resolve();
			if (request.body !== undefined) emulator.faults.add({ match: {}, action: { status: 500 } });
		});
		expect((await me()).status).toBe(200);
		expect((await call('POST /recipientGroup', { name: 'x' })).status).toBe(500);
	});
});

describe('the log', () => {
	test('contains requests and responses', async () => {
		await ok('GET /campaign?limit=2&status=1');
		await refused('POST /campaign', { name: 'x' });
		await ok('GET /recipientGroup');
		expect(emulator.requests).toMatchObject([
			{
				number: 1,
				method: 'GET',
				path: '/int/v1/campaign',
				operationId: 'campaign.getAll',
				query: { limit: '2', status: '1' },
				status: 200,
				response: { success: true, items: any(Number) },
				startedAt: any(Number),
				endedAt: any(Number),
			},
			{
				number: 2,
				body: { name: 'x' },
				response: { success: false, message: 'description is mandatory' },
			},
			{ number: 3, response: { success: true, items: 1, total: 1 } },
		]);
		expect(emulator.requests[1]?.headers['content-type']).toBe('application/json');
	});

	test('keeps the last 50,000 requests and drops earlier ones', () => {
		const recorder = new Recorder();
		for (let count = 0; count < 56_000; count += 1) {
			recorder.end(
				recorder.begin({
					method: 'GET',
					path: '/int/v1/me',
					query: {},
					headers: {},
					authorization: { kind: 'none', ok: false },
				}),
			);
		}
		expect(recorder.requests.length).toBeGreaterThanOrEqual(50_000);
		expect(recorder.requests.length).toBeLessThan(55_000);
		expect(recorder.requests.at(-1)?.number).toBe(56_000);
		expect(recorder.summary().total).toBe(56_000);
	});

	test('counts requests by method and path', async () => {
		const id = first(emulator.state.campaigns.values())._id;
		await me();
		await me();
		await call(`GET /campaign/${id}`);
		await call('GET /nowhere');
		expect(emulator.requestCount()).toBe(4);
		expect(emulator.requestCount('get', '/int/v1/me')).toBe(2);
		expect(emulator.requestCount('GET', '/int/v1/campaign/:id')).toBe(1);
		expect(emulator.requestCount('GET', '/int/v1/*')).toBe(4);
		expect(emulator.requestCount(undefined, /campaign/)).toBe(1);
		expect(emulator.requestCount('POST')).toBe(0);
		expect(emulator.summary).toMatchObject({
			total: 4,
			inFlight: 0,
			violations: 1,
		});
		emulator.clearRequests();
		expect(emulator.requestCount()).toBe(0);
		expect(emulator.requests).toEqual([]);
	});

	test('counts concurrent requests', async () => {
		let release = (): void => undefined;
		const gate = new Promise<void>((resolve) => {
			release = resolve;
		});
		emulator.onRequest(async () => {
			if (emulator.summary.inFlight === 5) release();
			await gate;
		});
		await Promise.all(Array.from({ length: 5 }, me));
		expect(emulator.maxInFlight).toBe(5);
		expect(emulator.summary.inFlight).toBe(0);
		emulator.clearRequests();
		for (let count = 0; count < 20; count += 1) await me();
		expect(emulator.maxInFlight).toBe(1);
	});
});
