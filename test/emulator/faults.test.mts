import { startEmulator } from '../../emulator/emulator.mts';
import { Recorder } from '../../emulator/server/recorder.mts';
import { any, clientOf, first, useEmulator } from './client.mts';

const { emulator, call, ok, refused } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 2, surveys: 1, responsesPerSurvey: 2 },
});

const me = () => call('GET /me');

describe('faults', () => {
	test('a status instead of the answer, as often as asked, after some have passed', async () => {
		emulator.faults.add({
			match: { method: 'get', path: '/int/v1/me' },
			skip: 1,
			times: 2,
			action: { status: 429, body: { error: 'slow down' }, headers: { 'Retry-After': '7' } },
		});
		const answers = [await me(), await me(), await me(), await me()];
		expect(answers.map((answer) => answer.status)).toEqual([200, 429, 429, 200]);
		expect(answers[1]?.headers['retry-after']).toBe('7');
		expect(answers[1]?.data).toEqual({ error: 'slow down' });
		expect(emulator.requests.map((request) => request.fault)).toEqual([
			undefined,
			'status 429',
			'status 429',
			undefined,
		]);
		expect(emulator.faults.list()).toEqual([]);
	});

	test('a body may be text or nothing', async () => {
		emulator.faults.add({
			match: {},
			action: { status: 503, body: 'Service Unavailable' },
		});
		emulator.faults.add({ match: {}, action: { status: 502 } });
		const text = await me();
		expect([text.status, text.data]).toEqual([503, 'Service Unavailable']);
		const empty = await me();
		expect([empty.status, empty.data]).toEqual([502, '']);
	});

	test('match by RegExp and by placeholders, once by default, for ever with Infinity', async () => {
		const remove = emulator.faults.add({
			match: { path: /\/campaign\/\w+$/g },
			times: Number.POSITIVE_INFINITY,
			action: { status: 500 },
		});
		const id = first(emulator.state.campaigns.values())._id;
		for (let count = 0; count < 3; count += 1) {
			expect((await call(`GET /campaign/${id}`)).status).toBe(500);
		}
		expect((await call(`GET /campaign/${id}/report`)).status).toBe(200);
		remove();
		expect((await call(`GET /campaign/${id}`)).status).toBe(200);
		emulator.faults.add({
			match: { path: '/int/v1/campaign/:id' },
			action: { status: 500 },
		});
		expect((await call(`GET /campaign/${id}/report`)).status).toBe(200);
		expect((await call(`GET /campaign/${id}`)).status).toBe(500);
		expect((await call(`GET /campaign/${id}`)).status).toBe(200);
	});

	test('drop breaks the connection before anything is done', async () => {
		emulator.faults.add({ match: { method: 'POST' }, action: 'drop' });
		await expect(call('POST /recipientGroup', { name: 'x' })).rejects.toThrow(
			/socket hang up|ECONNRESET/,
		);
		expect(emulator.state.recipientGroups.size).toBe(1);
		expect(emulator.requests[0]).toMatchObject({
			status: 0,
			fault: 'drop',
			body: { name: 'x' },
			endedAt: any(Number),
		});
		expect(emulator.summary.inFlight).toBe(0);
	});

	test('dropAfter carries it out and gives no answer', async () => {
		emulator.faults.add({ match: { method: 'POST' }, action: 'dropAfter' });
		await expect(call('POST /recipientGroup', { name: 'x' })).rejects.toThrow(
			/socket hang up|ECONNRESET/,
		);
		expect(emulator.state.recipientGroups.size).toBe(2);
		expect(emulator.requests[0]).toMatchObject({ status: 0, response: { success: true } });
		const survey = emulator.state.campaigns.find((campaign) => campaign.survey !== undefined);
		emulator.faults.add({ match: {}, action: 'dropAfter' });
		await expect(call(`GET /campaign/${survey?._id ?? ''}/surveyData`)).rejects.toThrow(
			/socket hang up|ECONNRESET/,
		);
	});

	test('a status after the operation was carried out', async () => {
		emulator.faults.add({
			match: { method: 'POST' },
			action: { status: 504, body: 'Gateway Timeout', after: true },
		});
		const answer = await call('POST /recipientGroup', { name: 'x' });
		expect([answer.status, answer.data]).toEqual([504, 'Gateway Timeout']);
		expect(emulator.state.recipientGroups.size).toBe(2);
		expect(emulator.requests[0]?.status).toBe(504);
	});

	test('HTML and broken JSON with 200', async () => {
		emulator.faults.add({ match: {}, action: 'html' });
		const page = await me();
		expect(page.status).toBe(200);
		expect(String(page.headers['content-type'])).toContain('text/html');
		expect(page.data).toContain('<html>');
		emulator.faults.add({ match: {}, action: 'brokenJson' });
		const broken = await me();
		expect(broken.status).toBe(200);
		expect(String(broken.headers['content-type'])).toContain('application/json');
		expect(() => {
			JSON.parse(String(broken.data));
		}).toThrow();
	});

	test('a delay lets the request through, and adds up with another fault', async () => {
		emulator.faults.add({ match: {}, action: { delayMs: 1 } });
		emulator.faults.add({ match: {}, action: { status: 500 } });
		expect((await me()).status).toBe(500);
		expect((await me()).status).toBe(200);
	});

	test('strike before the token is looked at', async () => {
		emulator.faults.add({ match: {}, action: { status: 401 } });
		expect((await me()).status).toBe(401);
		expect(emulator.requests[0]?.authorization.ok).toBe(false);
	});

	test('a refusal in words, for one group alone, changes nothing', async () => {
		const group = first(emulator.state.recipientGroups.values());
		const other = emulator.state.addRecipientGroup('Other');
		const message = 'The recipients of this group cannot be changed at the moment';
		emulator.faults.add({
			match: { path: `/int/v1/recipientGroup/${group._id}/recipients` },
			times: Number.POSITIVE_INFINITY,
			action: { refuse: message },
		});
		const members = [...group.members];
		const body = { recipientIds: members };
		const path = (id: string) => `/recipientGroup/${id}/recipients`;
		expect(await refused(`DELETE ${path(group._id)}`, body)).toBe(message);
		expect(await refused(`POST ${path(group._id)}`, body)).toBe(message);
		await ok(`POST ${path(other._id)}`, body);
		expect([...group.members]).toEqual(members);
		expect([...other.members]).toEqual(members);
	});

	test.each([301, 302, 303, 307, 308] as const)(
		'a redirect with %s leads elsewhere, path and query kept, and nothing is done',
		async (status) => {
			emulator.faults.add({
				match: {},
				action: { redirectTo: 'http://elsewhere.example:99', status },
			});
			const answer = await call('POST /recipientGroup?x=1', { name: 'x' }, { maxRedirects: 0 });
			expect([answer.status, answer.headers.location]).toEqual([
				status,
				'http://elsewhere.example:99/int/v1/recipientGroup?x=1',
			]);
			expect(emulator.state.recipientGroups.size).toBe(1);
		},
	);

	test('a redirect may have a place of its own, and may come after the operation', async () => {
		emulator.faults.add({
			match: {},
			action: { redirectTo: 'https://elsewhere.example/login?from=here', after: true },
		});
		const answer = await call('POST /recipientGroup', { name: 'x' }, { maxRedirects: 0 });
		expect([answer.status, answer.headers.location]).toEqual([
			302,
			'https://elsewhere.example/login?from=here',
		]);
		expect(emulator.state.recipientGroups.size).toBe(2);
	});

	test.each([
		['a write', 'POST', '/recipientGroup', { name: 'x' }],
		['a list', 'GET', '/recipientGroup', undefined],
	] as const)(
		'cutBody breaks the answer of %s off in its middle',
		async (_what, method, path, body) => {
			emulator.faults.add({ match: {}, action: 'cutBody' });
			const answer = await fetch(`${emulator.url}/int/v1${path}`, {
				method,
				headers: {
					Authorization: `Bearer ${emulator.accessKey}`,
					'Content-Type': 'application/json',
				},
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			expect(answer.status).toBe(200);
			await expect(answer.text()).rejects.toThrow('terminated');
			expect(emulator.state.recipientGroups.size).toBe(method === 'POST' ? 2 : 1);
			expect(emulator.requests).toMatchObject([{ fault: 'cutBody', response: { success: true } }]);
			await me();
		},
	);

	test.each([
		['stall', 1],
		['stallAfter', 2],
		['stallBody', 2],
	] as const)('%s gives no whole answer ever; groups then: %i', async (action, groups) => {
		emulator.faults.add({ match: {}, action });
		await expect(call('POST /recipientGroup', { name: 'x' }, { timeout: 300 })).rejects.toThrow(
			action === 'stallBody' ? 'aborted' : 'timeout of 300ms exceeded',
		);
		expect(emulator.state.recipientGroups.size).toBe(groups);
		expect(emulator.requests[0]?.fault).toBe(action);
	});

	test('can all be taken away', async () => {
		emulator.faults.add({ match: {}, action: 'drop' });
		emulator.faults.clear();
		expect((await me()).status).toBe(200);
	});
});

describe('an outage', () => {
	test('after some requests: connections are refused until it is back, with all it knew', async () => {
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

	test('breaks what is under way', async () => {
		emulator.onRequest(() => emulator.goDown());
		await expect(me()).rejects.toThrow(/socket hang up|ECONNRESET/);
		await expect(me()).rejects.toThrow('ECONNREFUSED');
		emulator.reset();
		await emulator.comeUp();
		expect((await me()).status).toBe(200);
	});

	test('needs an address as host, and can be stopped while down', async () => {
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

describe('hooks between requests', () => {
	test('something happens between two pages', async () => {
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
	test('holds what was sent and what came back', async () => {
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

	test('is bounded, its counts are not', () => {
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
		expect(recorder.count('GET', '/int/v1/me')).toBe(56_000);
	});

	test('counts by method and path, and by operation', async () => {
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
			byOperation: { 'profile.get': 2, 'campaign.get': 1, unknown: 1 },
			violations: 1,
		});
		emulator.clearRequests();
		expect(emulator.requestCount()).toBe(0);
		expect(emulator.requests).toEqual([]);
	});

	test('knows how many requests were under way at the same time', async () => {
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
		expect(emulator.summary.maxInFlightByOperation).toEqual({ 'profile.get': 5 });
		expect(emulator.summary.inFlight).toBe(0);
		emulator.clearRequests();
		for (let count = 0; count < 20; count += 1) await me();
		expect(emulator.maxInFlight).toBe(1);
	});
});
