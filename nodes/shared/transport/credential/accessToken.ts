import { sleep, type ICredentialDataDecryptedObject, type IHttpRequestOptions } from 'n8n-workflow';

import { cached } from '../../cache';
import { fieldsIn, trimmed } from '../../values';
import { API_PREFIX, normalizeBaseUrl } from '../address';
import { AccessError, type RequestInfo } from '../errors/apiError';
import { noTokenError } from '../errors/responseErrors';
import { credentialRequest } from './credentialRequest';
import type { AccessToken, SendRequest } from '../sharedState';
import { cancelableWait } from '../retry';
import { cleanPastedText, secretsOf } from '../secrets';

/** The settings of a request that also apply when the credential itself sends a request, for example for a token. */
export type TlsAndProxy = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

/** A token, when it was requested and is replaced (milliseconds since the epoch), and whether the service accepted it. */
type Token = { value: string; requestedAt: number; renewAt: number; hasWorked?: boolean };

/**
 * The state of an OAuth client with certain settings. Other settings have a state of their own, because a request may fail
 * with some settings and succeed with others.
 */
type Client = {
	token?: Token;
	/** The token request in flight. */
	request?: Promise<Token>;
	/** Number of tokens refused in a row. */
	refusals: number;
};

/** A token is renewed this long before it expires, so that it does not expire during a request. */
const RENEW_BEFORE_EXPIRY_MS = 60_000;

/** A younger token has hardly expired. */
const YOUNG_MS = 60_000;

const TOKEN_PATH = `${API_PREFIX}/oauth/token`;

/** How many clients have their tokens in memory. */
const MOST_CLIENTS = 500;

/**
 * The wait before a refused token is renewed. It doubles with each further refusal. A service may keep only one token
 * per client (not documented: oauth.token in emulator/openapi.yaml). Without a wait, two processes would invalidate
 * each other's token forever.
 */
const FIRST_WAIT_MS = 500;

/**
 * How many refused tokens in a row are renewed. If the service refuses even the last new token, the client itself
 * counts as refused. Then no request is sent again, and token requests do not wait.
 */
export const MOST_RENEWALS = 4;

// Tokens are kept only in memory. If the credential kept them, n8n would write its token to the database for every
// request in flight (CredentialsHelper.preAuthentication of n8n-core 2.41.1 and n8n 1.123.81).
const clients = new Map<string, Client>();

/**
 * Returns the OAuth access token of a credential. If no valid token is cached, requests a new one, after a wait if the
 * service refused the last token (`FIRST_WAIT_MS`). Concurrent callers with the same settings share one request, because a
 * new token may end the validity of an older one (not documented: oauth.token in emulator/openapi.yaml).
 *
 * @param credentials decrypted `messagingServiceApi` data with `baseUrl`, `clientId`, `clientSecret`
 * @param send n8n's `helpers.httpRequest`
 * @param settings for the request of a new token. Other settings lead to another token
 * @param signal ends the wait when the execution is canceled. The request continues for other callers
 * @throws AccessError if the service issues no token (the message names the field to check), or if the execution is
 *   canceled
 */
export async function getAccessToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: TlsAndProxy = {},
	signal?: AbortSignal,
): Promise<AccessToken> {
	throwIfCanceled(signal);
	const { baseUrl, clientId, clientSecret } = credentials;
	const key = JSON.stringify([normalizeBaseUrl(baseUrl), clientId, clientSecret, settings]);
	const client = cached(clients, key, MOST_CLIENTS, (): Client => ({ refusals: 0 }));
	if (client.token && Date.now() < client.token.renewAt) return accessToken(client, client.token);
	// A token that expires normally ends a row of refusals.
	if (client.token) client.refusals = 0;
	const request =
		client.request ??
		renewToken(client, credentials, send, settings).finally(() => delete client.request);
	client.request = request;
	// Returns early when the execution is canceled.
	await cancelableWait(request, signal);
	throwIfCanceled(signal);
	return accessToken(client, await request);
}

function throwIfCanceled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new AccessError('The execution was canceled.', 'ERR_CANCELED');
}

/** Returns a token to send. Whoever sends it records the service's answer in it, because the answers decide about renewals. */
function accessToken(client: Client, token: Token): AccessToken {
	return {
		value: token.value,
		recordAcceptance() {
			token.hasWorked = true;
			if (client.token === token) client.refusals = 0;
		},
		recordRefusal(certainty) {
			// Another request has already replaced or dropped this token.
			if (client.token !== token) return true;
			// The response to an expired token is not documented (security in emulator/openapi.yaml). Other refusals must not
			// renew the token again and again.
			const mayHaveExpired = certainty === 'certain' || (certainty === 'likely' && token.hasWorked);
			const youngUntil = token.requestedAt + YOUNG_MS;
			if (!mayHaveExpired && Date.now() < youngUntil) {
				token.renewAt = Math.min(token.renewAt, youngUntil);
				return false;
			}
			delete client.token;
			client.refusals++;
			return client.refusals <= MOST_RENEWALS;
		},
	};
}

async function renewToken(
	client: Client,
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: TlsAndProxy,
): Promise<Token> {
	const { refusals } = client;
	if (refusals > 0 && refusals <= MOST_RENEWALS) {
		// Part of the wait is random, so that two processes do not keep renewing at the same time.
		await sleep(FIRST_WAIT_MS * 2 ** (refusals - 1) * (0.5 + Math.random() / 2));
	}
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	const clientId = cleanPastedText(credentials.clientId);
	const clientSecret = cleanPastedText(credentials.clientSecret);
	if (clientId === '') throw new AccessError('The Client ID is empty. Check the credential.');
	if (clientSecret === '') {
		throw new AccessError('The Client Secret is empty. Check the credential.');
	}
	const { proxy } = settings;
	const usedCredentials = [{ baseUrl, secrets: () => secretsOf(credentials) }];
	const request: RequestInfo = { method: 'POST', url: TOKEN_PATH, proxy, usedCredentials };
	const requestedAt = Date.now();
	const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	// The service expects "Bearer" before the encoded pair, not "Basic" (oauth.token in emulator/openapi.yaml).
	const response = await credentialRequest(request, send, `Bearer ${pair}`, {
		...settings,
		body: { grant_type: 'client_credentials' },
	});
	const { access_token: token, expires_in: lifetime } = fieldsIn(response.body);
	const value = trimmed(token);
	if (response.statusCode >= 300 || value === '') throw noTokenError(request, response);
	client.token = { value, requestedAt, renewAt: requestedAt + usableMs(lifetime) };
	return client.token;
}

/**
 * Returns how long to use a token: until a minute before it expires, but at least for half its lifetime. A token without
 * a lifetime is used once, so the result is 0.
 */
function usableMs(lifetimeSeconds: unknown): number {
	const lifetime = Number(lifetimeSeconds) * 1000;
	if (!Number.isFinite(lifetime)) return 0;
	return Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2);
}
