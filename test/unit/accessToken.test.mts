import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { getAccessToken, MOST_RENEWALS } from '../../nodes/shared/transport/accessToken.ts';

const waits: number[] = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => void waits.push(ms),
}));

beforeEach(() => void (waits.length = 0));
afterEach(() => void jest.restoreAllMocks());

/** A service that numbers its tokens. */
function tokens(lifetimeSeconds = 7_200) {
	let given = 0;
	const send = async (): Promise<IN8nHttpFullResponse> => ({
		statusCode: 200,
		headers: {},
		body: { access_token: `token-${++given}`, expires_in: lifetimeSeconds },
	});
	return { send, given: () => given };
}

const credentials = (clientId: string, baseUrl = 'https://messages.example.com') => ({
	baseUrl,
	clientId,
	clientSecret: 'a secret',
});

const token = async (own: ReturnType<typeof credentials>, { send } = tokens()) =>
	await getAccessToken(own, send);

test('the late refusal of an old token leaves the newer one alone, and is worth another try', async () => {
	const service = tokens();
	const own = credentials('late refusal');
	const old = await token(own, service);
	expect(old.refused('certain')).toBe(true);
	const newer = await token(own, service);
	expect(old.refused('certain')).toBe(true);
	expect((await token(own, service)).value).toBe(newer.value);
	expect(service.given()).toBe(2);
});

test('the token of one service is not used for another, with the same client', async () => {
	const service = tokens();
	const here = await token(credentials('two services'), service);
	const there = await token(credentials('two services', 'https://elsewhere.example.com'), service);
	expect(there.value).not.toBe(here.value);
});

test('the token of one secret is not used with another, which may be wrong', async () => {
	const service = tokens();
	const own = credentials('two secrets');
	const { value } = await token(own, service);
	expect((await token({ ...own, clientSecret: 'another' }, service)).value).not.toBe(value);
});

test('a possible refusal renews a token once, until a request succeeds or the new one expires', async () => {
	let time = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => time);
	const service = tokens();
	const own = credentials('possible refusal');
	// It was issued for this very request.
	expect((await token(own, service)).refused('possible')).toBe(false);
	const renews = async () => (await token(own, service)).refused('possible');
	expect(await renews()).toBe(true);
	expect([await renews(), await renews()]).toEqual([false, false]);
	(await token(own, service)).accepted();
	expect(await renews()).toBe(true);
	expect([await renews(), await renews()]).toEqual([false, false]);
	time += 7_200_000;
	expect([await renews(), await renews()]).toEqual([false, true]);
	expect(service.given()).toBe(4);
});

test('so many tokens refused in a row are of a client that is refused: nothing is tried again, nor waits', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(1);
	const service = tokens();
	const own = credentials('refused');
	const refused = async () => (await token(own, service)).refused('certain');
	for (let count = 0; count < MOST_RENEWALS; count++) expect(await refused()).toBe(true);
	expect([await refused(), await refused()]).toEqual([false, false]);
	expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
	const good = await token(own, service);
	good.accepted();
	expect(good.refused('certain')).toBe(true);
});

test('processes that take turns do not keep step: a wait is between half and all of its time', async () => {
	for (const [random, wait] of [
		[0, 250],
		[0.5, 375],
	] as const) {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const own = credentials(`random ${random}`);
		(await token(own)).refused('certain');
		await token(own);
		expect(waits.pop()).toBe(wait);
	}
});

test('many clients do not make one forget the request that it is waiting for', async () => {
	const { send, given } = tokens();
	const own = credentials('under way');
	let answer = () => {};
	const answered = new Promise<void>((resolve) => (answer = resolve));
	const slow = async () => {
		await answered;
		return await send();
	};
	const first = getAccessToken(own, slow);
	const others = tokens();
	for (let client = 0; client < 1_000; client++) {
		await token(credentials(`one of many ${client}`), others);
	}
	const second = getAccessToken(own, slow);
	answer();
	expect((await second).value).toBe((await first).value);
	expect(given()).toBe(1);
});

test('a cancelled execution waits no longer, and takes the token from nobody else who waits', async () => {
	const service = tokens();
	const own = credentials('cancelled');
	const controller = new AbortController();
	let answer = () => {};
	const answered = new Promise<void>((resolve) => (answer = resolve));
	const send = async () => {
		await answered;
		return await service.send();
	};
	const cancelled = getAccessToken(own, send, {}, controller.signal);
	const waiting = getAccessToken(own, send);
	controller.abort();
	await expect(cancelled).rejects.toThrow('The execution was cancelled');
	answer();
	expect((await waiting).value).toBe('token-1');
	await expect(getAccessToken(own, send, {}, controller.signal)).rejects.toThrow('cancelled');
	expect(service.given()).toBe(1);
});

test('a request with other settings is another one: these might make it fail', async () => {
	const own = credentials('settings');
	const proxy = { host: 'dead.example', port: 1 };
	const failing = async () =>
		await Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
	const through = getAccessToken(own, failing, { proxy });
	const direct = token(own);
	await expect(through).rejects.toThrow('The proxy at dead.example:1 could not be reached');
	expect((await direct).value).toBe('token-1');
});

test('a response that drips ends with its deadline, and the next caller begins anew', async () => {
	const own = credentials('dripping');
	const deadline = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
	const canceled = Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
	const dripping = async ({ abortSignal }: IHttpRequestOptions) =>
		await new Promise<never>((_, reject) => {
			abortSignal?.addEventListener?.('abort', () => reject(canceled));
		});
	const held = [getAccessToken(own, dripping), getAccessToken(own, dripping)];
	deadline.abort();
	for (const one of held) await expect(one).rejects.toThrow('did not respond in time');
	expect((await token(own)).value).toBe('token-1');
});

test('a token that lives shorter than a minute serves half of its life', async () => {
	const service = tokens(30);
	const own = credentials('short');
	const start = Date.now();
	const now = jest.spyOn(Date, 'now').mockReturnValue(start);
	await token(own, service);
	now.mockReturnValue(start + 14_000);
	await token(own, service);
	expect(service.given()).toBe(1);
	now.mockReturnValue(start + 15_000);
	await token(own, service);
	expect(service.given()).toBe(2);
});
