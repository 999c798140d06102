import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import {
	getAccessToken,
	MOST_RENEWALS,
} from '../../nodes/shared/transport/credential/accessToken.ts';

const waits: number[] = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => void waits.push(ms),
}));

beforeEach(() => void (waits.length = 0));
afterEach(() => void jest.restoreAllMocks());

/** Returns a service that numbers its tokens. A call of `hold` delays its responses until a call of `release`. */
function tokens(lifetimeSeconds: number | string | null = 7_200) {
	let issued = 0;
	let release = () => {};
	let held = Promise.resolve();
	const send = async (): Promise<IN8nHttpFullResponse> => {
		await held;
		const body = { access_token: `token-${++issued}`, expires_in: lifetimeSeconds };
		return { statusCode: 200, headers: {}, body };
	};
	const hold = () => {
		held = new Promise((resolve) => (release = resolve));
	};
	return { send, issued: () => issued, hold, release: () => release() };
}

const credentials = (clientId: string) => ({
	baseUrl: 'https://messages.example.com',
	clientId,
	clientSecret: 'a secret',
});

const token = async (own: ReturnType<typeof credentials>, { send } = tokens()) =>
	await getAccessToken(own, send);

test('after a late refusal of an old token, keeps the newer token and allows a retry', async () => {
	const service = tokens();
	const own = credentials('late refusal');
	const old = await token(own, service);
	expect(old.recordRefusal('certain')).toBe(true);
	const newer = await token(own, service);
	expect(old.recordRefusal('certain')).toBe(true);
	expect((await token(own, service)).value).toBe(newer.value);
	expect(service.issued()).toBe(2);
});

test('ignores a late success of a token that was refused', async () => {
	const own = credentials('late success');
	const old = await token(own);
	old.recordRefusal('certain');
	old.recordAcceptance();
	await token(own);
	expect(waits).toHaveLength(1);
});

test.each([
	['service', { baseUrl: 'https://elsewhere.example.com' }],
	['secret', { clientSecret: 'another' }],
])('does not use a token for another %s', async (what, other) => {
	const service = tokens();
	const own = credentials(`another ${what}`);
	const { value } = await token(own, service);
	expect((await token({ ...own, ...other }, service)).value).not.toBe(value);
});

test('a refusal that may have another reason renews a token only when it is a minute old', async () => {
	const issued = Date.now();
	const now = jest.spyOn(Date, 'now').mockReturnValue(issued);
	const old = await token(credentials('another reason'));
	now.mockReturnValue(issued + 59_999);
	expect(old.recordRefusal('possible')).toBe(false);
	now.mockReturnValue(issued + 60_000);
	expect(old.recordRefusal('possible')).toBe(true);
});

test('stops retrying and waiting when all tokens of a client are refused', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(1);
	const service = tokens();
	const own = credentials('refused');
	const refused = async () => (await token(own, service)).recordRefusal('certain');
	for (let count = 0; count < MOST_RENEWALS; count++) expect(await refused()).toBe(true);
	expect([await refused(), await refused()]).toEqual([false, false]);
	expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
	const good = await token(own, service);
	good.recordAcceptance();
	expect(good.recordRefusal('certain')).toBe(true);
});

test('varies waits so that processes do not retry in step', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const own = credentials('random');
	(await token(own)).recordRefusal('certain');
	await token(own);
	expect(waits).toEqual([375]);
});

test('keeps the tokens of the 500 clients that were used last', async () => {
	const service = tokens();
	const value = async (client: number) =>
		(await token(credentials(`many ${client}`), service)).value;
	const first = await value(0);
	const second = await value(1);
	for (let client = 2; client < 500; client++) await value(client);
	expect(await value(0)).toBe(first);
	await value(500);
	expect(await value(0)).toBe(first);
	expect(await value(1)).not.toBe(second);
});

test.each([null, 'soon', Infinity, 0, -1])(
	'uses a token only once if its lifetime is %j',
	async (lifetime) => {
		const service = tokens(lifetime);
		const own = credentials(`lifetime ${lifetime}`);
		await token(own, service);
		await token(own, service);
		expect(service.issued()).toBe(2);
	},
);

test('stops waiting in a canceled execution, while other executions still get the token', async () => {
	const { send, issued, hold, release } = tokens();
	const own = credentials('canceled');
	const controller = new AbortController();
	hold();
	const canceled = getAccessToken(own, send, {}, controller.signal);
	const waiting = getAccessToken(own, send);
	controller.abort();
	await expect(canceled).rejects.toThrow('The execution was canceled');
	release();
	expect((await waiting).value).toBe('token-1');
	await expect(getAccessToken(own, send, {}, controller.signal)).rejects.toThrow('canceled');
	expect(issued()).toBe(1);
});

test('sends separate token requests for different request settings, so that a broken proxy affects only its users', async () => {
	const own = credentials('settings');
	const proxy = { host: 'dead.example', port: 1 };
	const failing = async () =>
		await Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
	const through = getAccessToken(own, failing, { proxy });
	const direct = token(own);
	await expect(through).rejects.toThrow('The proxy at dead.example:1 could not be reached');
	expect((await direct).value).toBe('token-1');
});

test('gives up a slow token request at its deadline, and sends a new request for the next caller', async () => {
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

test.each([
	['after half of its lifetime, if that is short', 30, 15],
	['a minute before it expires', 3_600, 3_540],
])('renews a token %s', async (when, lifetime, renewal) => {
	const service = tokens(lifetime);
	const own = credentials(when);
	const start = Date.now();
	const now = jest.spyOn(Date, 'now');
	for (const [seconds, issued] of [
		[0, 1],
		[renewal - 1, 1],
		[renewal, 2],
	] as const) {
		now.mockReturnValue(start + seconds * 1_000);
		await token(own, service);
		expect(service.issued()).toBe(issued);
	}
});
