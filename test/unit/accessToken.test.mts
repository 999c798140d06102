import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { forgetAccessToken, getAccessToken } from '../../nodes/shared/service/accessToken.ts';
import { settingsOf } from '../../nodes/shared/service/session.ts';

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
function tokens() {
	let given = 0;
	const send = async (): Promise<IN8nHttpFullResponse> => ({
		statusCode: 200,
		headers: {},
		body: { access_token: `token-${++given}`, expires_in: 7_200 },
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
