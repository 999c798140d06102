import { readFileSync } from 'node:fs';

import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { inMemory } from '../kit/binary.mts';
import { testCredential } from '../kit/credentialTest.mts';
import { advanceClock, holdSleep, useFakeSleep } from '../kit/fakeSleep.mts';
import { loadOptions, locator, runNode, type RunOptions } from '../kit/engine.mts';
import { LAUNCH } from '../kit/questions.mts';
import { drip, useTestServer, type ReceivedRequest } from '../kit/testServer.mts';

/** Tests each row of the table "What happens after a failure" in docs/many-items.md. */

const service = useTestServer();
useFakeSleep();

const id = locator('={{ $json.id }}');
const READ: INodeParameters = {
	resource: 'campaign',
	operation: 'get',
	simplify: false,
	campaignId: id,
};
const CHANGE: INodeParameters = { resource: 'campaign', operation: 'close', campaignId: id };
const ONE = [{ json: { id: 'c1' } }];

let clients = 0;
const client = (): ICredentialDataDecryptedObject => ({
	...service.credential,
	authentication: 'clientCredentials',
	clientId: `client-${++clients}`,
	clientSecret: 'secret',
});

type Fail = (held: ReceivedRequest) => void;
/**
 * The result of one item: how often it was sent, its error, whether its outcome is unknown, and the number of token
 * requests.
 */
type Ended = { sent: number; error?: string; unknown?: true; tokens: number };

const isToken = ({ path }: { path: string }) => path.endsWith('/oauth/token');

/** Runs one item. The service fails the given number of times, then succeeds. */
async function ended(
	parameters: INodeParameters,
	fail: Fail,
	times: number,
	options: Partial<RunOptions> = {},
): Promise<Ended> {
	service.clear();
	let failed = 0;
	service.respondAll((held) => {
		if (isToken(held))
			held.send(200, { access_token: `t${service.requests.length}`, expires_in: 3600 });
		else if (failed++ < times) fail(held);
		else held.respond({ _id: 'c1' });
	});
	const { credential } = service;
	const { error } = await runNode({ credential, parameters, items: ONE, ...options });
	const tokens = service.requests.filter(isToken).length;
	return {
		sent: service.requests.length - tokens,
		tokens,
		...(error && { error: error.message }),
		...(error?.context.outcomeUnknown === true && { unknown: true }),
	};
}

/** Returns the results of a read and of a change. For each of them, the service fails the given number of times. */
const both = async (
	fail: Fail,
	times: number,
	options: () => Partial<RunOptions> = () => ({}),
) => ({
	read: await ended(READ, fail, times, options()),
	change: await ended(CHANGE, fail, times, options()),
});
const withOAuth = () => ({ credential: client() });
const status =
	(code: number, headers?: Record<string, string>): Fail =>
	({ refuse }) =>
		refuse('Not now', code, headers);
const says =
	(message: string): Fail =>
	({ refuse }) =>
		refuse(message);

/** Cancels a run as soon as its first request has arrived, then responds to this request. */
async function canceled(parameters: INodeParameters, items: RunOptions['items'] = ONE) {
	let cancel = () => {};
	const onStart = (stop: () => void) => (cancel = stop);
	const { credential } = service;
	const running = runNode({ credential, parameters, items, onStart });
	const held = await service.request(0);
	cancel();
	await service.settled();
	const { aborted } = held;
	held.respond({ _id: 'c1' });
	return { aborted, ...(await running) };
}

const SIX = 6;
const FOREVER = 1_000;

const rows: Record<string, () => Promise<void>> = {
	'An item is invalid.': async () => {
		const items = [{ json: { id: 'c1' } }, { json: { id: '..' } }];
		const { read, change } = await both(status(500), 0, () => ({ items }));
		expect([read.sent, change.sent]).toEqual([0, 0]);
		expect(read.error).toBe('Campaign ".." is not an ID');
		expect(change.error).toBe(read.error);
	},
	'The service responds with 429 (too many requests).': async () => {
		const began = Date.now();
		const { read, change } = await both(status(429, { 'retry-after': '20' }), SIX);
		for (const one of [read, change]) expect(one).toEqual({ sent: 7, tokens: 0 });
		expect(Date.now() - began).toBeGreaterThanOrEqual(2 * SIX * 20_000);
		const credential = await usedClient();
		const limited: Fail = ({ refuse }) => refuse('Too many requests with this token', 429);
		expect(await ended(READ, limited, 1, { credential })).toEqual({ sent: 2, tokens: 0 });
	},
	'After 429, the next try would start more than five minutes after the first failed try.':
		async () => {
			const began = Date.now();
			const { read, change } = await both(status(429, { 'retry-after': '30' }), FOREVER);
			for (const one of [read, change]) {
				expect(one).toEqual({ sent: expect.any(Number), tokens: 0, error: 'Not now' });
				// The run gives up if the next wait would end more than five minutes after the first failure. Each wait may
				// last a few milliseconds longer.
				expect([10, 11]).toContain(one.sent);
			}
			expect(Date.now() - began).toBeLessThan(11 * 60_000);
			const long = await both(status(429, { 'retry-after': '301' }), FOREVER);
			expect([long.read.sent, long.change.sent]).toEqual([1, 1]);
		},
	'With OAuth: the service responds with 401.': async () => {
		const { read, change } = await both(status(401), 1, withOAuth);
		for (const one of [read, change]) expect(one).toEqual({ sent: 2, tokens: 2 });
		const always = await both(status(401), FOREVER, withOAuth);
		expect([always.read.sent, always.change.sent]).toEqual([5, 5]);
		expect(always.change.unknown).toBeUndefined();
	},
	'With OAuth: the whole message of the service is "token expired", "unauthorized", "access denied" or similar.':
		async () => {
			for (const message of TOKEN_REFUSALS) {
				const credential = await usedClient();
				const { read, change } = await both(says(message), 1, () => ({ credential }));
				expect([message, read.sent]).toEqual([message, 2]);
				expect(read.error).toBeUndefined();
				expect([message, change.sent]).toEqual([message, 2]);
			}
		},
	'With OAuth: the status is 403. Or the message says more than in the row above, such as `Access denied to group g1`.':
		async () => {
			const credential = await usedClient();
			const { read, change } = await both(status(403), 1, () => ({ credential }));
			expect(read).toEqual({ sent: 2, tokens: 1 });
			expect(change).toMatchObject({
				sent: 1,
				tokens: 0,
				error: expect.stringContaining('Not now'),
			});
			expect(await ended(CHANGE, status(403), 0, { credential })).toEqual({ sent: 1, tokens: 1 });
			const client = await usedClient();
			const always = await both(status(403), FOREVER, () => ({ credential: client }));
			expect(always.read.sent).toBe(2);
			for (const message of OTHER_REFUSALS) {
				const used = await usedClient();
				const ofMessage = await both(says(message), 1, () => ({ credential: used }));
				expect([message, ofMessage.read.sent]).toEqual([message, 2]);
				expect([message, ofMessage.change.sent, ofMessage.change.error]).toEqual([
					message,
					1,
					message,
				]);
			}
		},
	'With OAuth: either status 400 without a message, or a message that the node does not know, such as "jwt expired".':
		async () => {
			for (const fail of [says('jwt expired'), says('The moon is full'), status(400)]) {
				const credential = await usedClient();
				advanceClock(60_000);
				expect(await ended(READ, fail, 1, { credential })).toEqual({ sent: 2, tokens: 1 });
				advanceClock(60_000);
				expect(await ended(CHANGE, fail, 1, { credential })).toMatchObject({ sent: 1, tokens: 0 });
				expect(await ended(CHANGE, fail, 0, { credential })).toEqual({ sent: 1, tokens: 1 });
			}
		},
	'The service responds with 5xx (500 to 599), or the connection breaks.': async () => {
		const { read, change } = await both(status(502), FOREVER);
		expect(read).toEqual({ sent: 4, tokens: 0, error: 'Not now' });
		expect(change).toEqual({ sent: 1, tokens: 0, error: 'Not now', unknown: true });
		await expectUnclear(({ response }) => response.destroy(), 4);
	},
	'The response is not complete within *Timeout*.': async () => {
		const run = async (parameters: INodeParameters, options = {}) =>
			await ended({ ...parameters, requestOptions: { timeout: 400 } }, drip, FOREVER, options);
		expect(await run(READ)).toMatchObject({ sent: 4 });
		const error = 'The service did not respond in time';
		for (const change of [await run(CHANGE), await run(UPLOAD, { items: FILE })])
			expect(change).toMatchObject({ sent: 1, unknown: true, error });
	},
	'The response has an unexpected form (for example a web page), and its status is not 401, 403, 407, 429 or 5xx.':
		async () => {
			for (const code of [200, 400, 404, 405, 413, 422]) {
				const page = '<html>Sign in</html>';
				await expectUnclear(({ response }) => response.writeHead(code).end(page), 1);
			}
			const proxy: Fail = ({ response }) => response.writeHead(407).end('<html>Sign in</html>');
			const refused = await ended(CHANGE, proxy, FOREVER);
			expect(refused.sent).toBe(1);
			expect(refused.unknown).toBeUndefined();
		},
	'No row above applies, and the service responds with `success: false` or the text "Not Found".':
		async () => {
			for (const fail of [says('The moon is full'), status(400), status(422)]) {
				const { read, change } = await both(fail, FOREVER, withOAuth);
				expect([read.sent, change.sent]).toEqual([1, 1]);
				expect(read.unknown ?? change.unknown).toBeUndefined();
			}
		},
	'The execution is canceled.': async () => {
		expect(await canceled(READ)).toMatchObject({ aborted: true, status: 'canceled' });
		service.clear();
		const change = await canceled(CHANGE);
		expect(change).toMatchObject({ aborted: false, status: 'canceled' });
		expect(change.error?.description).toContain('1 of 1 items was done: item 0.');
	},
	'The execution is canceled during an upload.': async () => {
		const { aborted, status: ending, error } = await canceled(UPLOAD, FILE);
		expect([aborted, ending]).toEqual([true, 'canceled']);
		expect(error?.description).toContain('Perhaps done: item 0.');
	},
};

/** Messages that can only mean that the service refused the token. */
const TOKEN_REFUSALS = [
	'Invalid token',
	'expired access token.',
	'Token expired',
	'Access token has expired!',
	'token is invalid',
	'Missing token',
	'Unauthorized',
	'Not authorized.',
	'Authentication required',
	'Access denied',
	'Authentication failed. Please log in again.',
];

/** Messages that mention access, although the service may have carried out the change. */
const OTHER_REFUSALS = [
	'Sent, but 3 people have no push token',
	'Unauthorized recipient a@x.io was skipped',
	'Access denied to recipient group g1',
	'Token',
	'You are not authorized to send campaigns',
	'Invalid token in template: name',
];

const FILE = [{ json: { id: 'c1' }, binary: { data: inMemory(Buffer.from('content')) } }];
const UPLOAD: INodeParameters = { resource: 'campaignFile', operation: 'upload', campaignId: id };

/** Returns a client whose token has been accepted once, as in a workflow that runs for a while. */
async function usedClient(): Promise<ICredentialDataDecryptedObject> {
	const credential = client();
	await ended(READ, status(500), 0, { credential });
	return credential;
}

/** Expects that a read is sent this often, and a change once, with an unknown outcome, even with Retry On Fail. */
async function expectUnclear(fail: Fail, sent: number) {
	expect(await ended(READ, fail, FOREVER)).toMatchObject({ sent });
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const change = await ended(CHANGE, fail, FOREVER, { settings });
	expect(change).toMatchObject({ sent: 1, unknown: true });
}

const [, table = ''] = readFileSync('docs/many-items.md', 'utf8').split(
	'## What happens after a failure',
);

test('the table in the documentation has exactly these rows', () => {
	const documented = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, what]) => what);
	expect(documented).toEqual(['event', ...Object.keys(rows)]);
});

test.each(Object.entries(rows))('%s', async (_what, check) => await check());

test('429 in a list of records in the editor: repeats for up to 15 seconds', async () => {
	service.respondAll(status(429, { 'retry-after': '4' }));
	const began = Date.now();
	await expect(loadOptions('getRecipientGroups', service.credential)).rejects.toThrow('Not now');
	expect(service.requests).toHaveLength(4);
	expect(Date.now() - began).toBeLessThan(15_000);
});

test('429 in the test of the credential: fails at once', async () => {
	service.respondAll(status(429));
	const message = 'Not now. The service did not carry out this request. Wait a little.';
	await expect(testCredential(service.credential)).rejects.toThrow(message);
	expect(service.requests).toHaveLength(1);
});

test('a change that waits for its next try is not sent after a cancellation', async () => {
	let cancel = () => {};
	const onStart = (stop: () => void) => (cancel = stop);
	const { credential } = service;
	const running = runNode({ credential, parameters: CHANGE, items: ONE, onStart });
	const first = await service.request(0);
	const endPause = holdSleep();
	first.refuse('Not now', 429, { 'retry-after': '30' });
	await service.settled();
	service.respondAll();
	cancel();
	endPause(30_000);
	expect((await running).status).toBe('canceled');
	expect(service.requests).toHaveLength(1);
});

test('a pause delays all requests of a run, also in operations that send several requests per item', async () => {
	const running = runNode({
		credential: service.credential,
		parameters: { ...LAUNCH, name: '={{ $json.id }}' },
		items: ['c1', 'c2'].map((name) => ({ json: { id: name } })),
	});
	const [first, second] = [await service.request(0), await service.request(1)];
	const endPause = holdSleep();
	first.refuse('Not now', 429, { 'retry-after': '30' });
	await service.settled();
	second.respond({ _id: 'd2' });
	await service.settled();
	// The next request of the second item also waits.
	expect(service.requests).toHaveLength(2);
	service.respondAll(({ respond }) => respond({ _id: 'd1' }));
	endPause(30_000);
	expect((await running).error).toBeUndefined();
	expect(service.requests.map(({ method }) => method).sort()).toEqual([
		...['POST', 'POST', 'POST', 'PUT', 'PUT'],
	]);
});
