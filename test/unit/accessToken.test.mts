import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import {
	forgetAccessToken,
	getAccessToken,
	isHopeless,
	noteTokenWorked,
} from '../../nodes/shared/transport/accessToken.ts';
import { settingsOf } from '../../nodes/shared/transport/session.ts';
import { only } from '../kit/typed.mts';

const HALF_AN_HOUR = 1_800_000;

afterEach(() => void jest.restoreAllMocks());

test('a token request waits 30 seconds at most, and takes proxy and SSL settings of the request it is for', async () => {
	const asked: IHttpRequestOptions[] = [];
	const { send } = tokens();
	const { proxy, skipSslCertificateValidation, ...rest } = settingsOf({
		url: '/int/v1/me',
		proxy: { host: 'proxy.example.com', port: 3128 },
		skipSslCertificateValidation: true,
	});
	expect(rest).toEqual({});
	await getAccessToken(
		credentials('settings'),
		async (options) => {
			asked.push(options);
			return await send();
		},
		{ proxy, skipSslCertificateValidation },
	);
	expect(asked).toMatchObject([
		{
			timeout: 30_000,
			proxy: { host: 'proxy.example.com', port: 3128 },
			skipSslCertificateValidation: true,
			disableFollowRedirect: true,
		},
	]);
});

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

test('the late refusal of an old token leaves the newer one alone', async () => {
	const { send, given } = tokens();
	const own = credentials('late refusal');
	const start = Date.now();
	const now = jest.spyOn(Date, 'now').mockReturnValue(start);
	const old = await getAccessToken(own, send);
	// Lost late: nobody else wants the token, so there is no waiting.
	now.mockReturnValue(start + HALF_AN_HOUR);
	forgetAccessToken(own, old);
	const newer = await getAccessToken(own, send);
	forgetAccessToken(own, old);
	expect(await getAccessToken(own, send)).toBe(newer);
	expect(given()).toBe(2);
});

test('the token of one service is not used for another, with the same client', async () => {
	const { send } = tokens();
	const here = await getAccessToken(credentials('two services'), send);
	const there = await getAccessToken(
		credentials('two services', 'https://elsewhere.example.com'),
		send,
	);
	expect(there).not.toBe(here);
});

test('the token of one secret is not used with another, which may be wrong', async () => {
	const { send } = tokens();
	const own = credentials('two secrets');
	const first = await getAccessToken(own, send);
	expect(await getAccessToken({ ...own, clientSecret: 'another' }, send)).not.toBe(first);
});

test('n8n’s HTTP Request node ignores SSL issues under a name of its own, and so does its token request', () => {
	const settingsWith = (rejectUnauthorized: boolean) =>
		settingsOf(
			only<IHttpRequestOptions & { rejectUnauthorized: boolean }>({ url: '/', rejectUnauthorized }),
		);
	expect(settingsWith(false)).toEqual({ skipSslCertificateValidation: true });
	expect(settingsWith(true)).toEqual({});
});

test('only tokens in a row that never worked make a client hopeless', async () => {
	const { send } = tokens();
	const own = credentials('hope');
	let time = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => time);
	const lost = async (worked: boolean) => {
		const token = await getAccessToken(own, send);
		if (worked) noteTokenWorked(own, token);
		// Lost late, so that nothing waits.
		time += HALF_AN_HOUR;
		forgetAccessToken(own, token);
	};
	for (const worked of [false, false, false, true, false]) await lost(worked);
	expect(isHopeless(own)).toBe(false);
	for (const worked of [false, false, false]) await lost(worked);
	expect(isHopeless(own)).toBe(true);
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
		await getAccessToken(credentials(`one of many ${client}`), others.send);
	}
	const second = getAccessToken(own, slow);
	answer();
	expect(await second).toBe(await first);
	expect(given()).toBe(1);
});

test('a cancelled execution takes the token from nobody else who waits for it', async () => {
	const { send } = tokens();
	const own = credentials('cancelled');
	const controller = new AbortController();
	let asked = 0;
	const sendUnlessFirst = async () => {
		if (++asked > 1) return await send();
		return await new Promise<never>((_, reject) =>
			controller.signal.addEventListener('abort', () => reject(new Error('canceled'))),
		);
	};
	const cancelled = getAccessToken(own, sendUnlessFirst, { abortSignal: controller.signal });
	const waiting = getAccessToken(own, sendUnlessFirst);
	controller.abort();
	await expect(cancelled).rejects.toThrow('The execution was cancelled');
	expect(await waiting).toBe('token-1');
});

test('a token that lives shorter than a minute serves half of its life', async () => {
	const { send, given } = tokens(30);
	const own = credentials('short');
	const start = Date.now();
	const now = jest.spyOn(Date, 'now').mockReturnValue(start);
	await getAccessToken(own, send);
	now.mockReturnValue(start + 14_000);
	await getAccessToken(own, send);
	expect(given()).toBe(1);
	now.mockReturnValue(start + 15_000);
	await getAccessToken(own, send);
	expect(given()).toBe(2);
});
