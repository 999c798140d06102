import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { isRecord } from '../typeGuards';
import { trimmed } from '../values';
import { API_PREFIX, checkRedirect, normaliseBaseUrl } from './address';
import { accessError, tokenRefusal } from './errors/accessErrors';
import { AccessError } from './errors/apiError';
import { fullResponse, type SendRequest } from './fullResponse';
import type { AccessToken } from './requestContext';
import { abortable } from './retry';
import { secretsOf } from './secrets';

/** What of a request's own settings holds for the requests that its credential needs. */
export type Settings = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

type Token = { value: string; renewAt: number };

/** All that is known of one client of the service. */
type Client = {
	token?: Token;
	/** Token requests in flight, by their settings: with other settings (proxy, SSL) they might fail. */
	requests: Map<string, Promise<Token>>;
	/** How many tokens in a row were refused, none being accepted in between. */
	refused: number;
};

/** A token is renewed this long before it expires, so that none expires on its way to the service. */
const RENEW_BEFORE_EXPIRY_MS = 60_000;

/** Above this many clients those without a request under way are forgotten; it bounds the memory of the process. */
const MOST_CLIENTS = 500;

/**
 * The wait before a refused token is renewed, doubled with each one refused in a row. A service may keep one token a
 * client (not shown: oauth.token in emulator/openapi.yaml): two processes would take it from each other at once, for
 * ever. Waiting leaves it to the other for so long.
 */
const FIRST_WAIT_MS = 500;

/** After so many tokens in a row it is the client that is refused: a request is not sent again, and nothing waits. */
export const MOST_RENEWALS = 4;

// Tokens live in the memory of the process: n8n would otherwise write the credential to its database for every
// request in flight (seen in n8n-core 2.41.1 and n8n 1.123.81, CredentialsHelper.preAuthentication).
const clients = new Map<string, Client>();

/**
 * Gives the OAuth access token for a credential, asking the service only when there is none that is still good.
 * However many callers ask at once with the same settings, one request goes out (oauth.token in emulator/openapi.yaml).
 *
 * @param credentials decrypted `messagingServiceApi` data with `baseUrl`, `clientId`, `clientSecret`
 * @param send how a request is made, n8n's own `helpers.httpRequest`
 * @param signal ends the waiting when the execution is cancelled; the request goes on for whoever else waits for it
 * @throws AccessError that names the field to check when the service gives no token, or when the execution is cancelled
 */
export async function getAccessToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: Settings = {},
	signal?: AbortSignal,
): Promise<AccessToken> {
	throwIfCancelled(signal);
	const client = clientOf(credentials);
	if (client.token && Date.now() >= client.token.renewAt) {
		// It lived as long as the service said: nobody took it away.
		delete client.token;
		client.refused = 0;
	}
	if (client.token) return usedToken(client, client.token.value, false);
	const key = JSON.stringify(settings);
	const request =
		client.requests.get(key) ??
		renewedToken(client, credentials, send, settings).finally(() => client.requests.delete(key));
	client.requests.set(key, request);
	await abortable(signal, request);
	throwIfCancelled(signal);
	return usedToken(client, (await request).value, true);
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new AccessError('The execution was cancelled.', 'ERR_CANCELED');
}

/** @param isNew whether it was issued for this very request, so that it cannot have expired */
function usedToken(client: Client, value: string, isNew: boolean): AccessToken {
	const isCurrent = () => client.token?.value === value;
	return {
		value,
		accepted() {
			if (isCurrent()) client.refused = 0;
		},
		refused(refusal) {
			// Another request has renewed it already.
			if (!isCurrent()) return true;
			// What an expired token gets is not shown (security in emulator/openapi.yaml), so a possible refusal renews it
			// once; not again before a request has succeeded or the new token has expired.
			if (refusal === 'possible' && (isNew || client.refused > 0)) return false;
			delete client.token;
			client.refused++;
			return client.refused <= MOST_RENEWALS;
		},
	};
}

function clientOf(credentials: ICredentialDataDecryptedObject): Client {
	const { clientId, clientSecret } = credentials;
	const key = JSON.stringify([normaliseBaseUrl(credentials.baseUrl), clientId, clientSecret]);
	let client = clients.get(key);
	if (!client) {
		client = { requests: new Map(), refused: 0 };
		if (clients.size >= MOST_CLIENTS) forgetIdleClients();
		clients.set(key, client);
	}
	return client;
}

function forgetIdleClients(): void {
	for (const [key, { requests }] of clients) if (requests.size === 0) clients.delete(key);
}

async function renewedToken(
	client: Client,
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: Settings,
): Promise<Token> {
	try {
		const { refused } = client;
		if (refused > 0 && refused <= MOST_RENEWALS) {
			// Between half and all of the time, so that two processes do not keep step.
			await sleep(FIRST_WAIT_MS * 2 ** (refused - 1) * (0.5 + Math.random() / 2));
		}
		client.token = await requestToken(credentials, send, settings);
		return client.token;
	} catch (error) {
		throw accessError(error, credentials, settings.proxy);
	}
}

async function requestToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: Settings,
): Promise<Token> {
	const baseURL = normaliseBaseUrl(credentials.baseUrl);
	const [clientId, clientSecret] = [
		trimmed(credentials.clientId),
		trimmed(credentials.clientSecret),
	];
	if (clientId === '') throw new AccessError('The Client ID is empty. Check the credential.');
	if (clientSecret === '') {
		throw new AccessError('The Client Secret is empty. Check the credential.');
	}
	const path = `${API_PREFIX}/oauth/token`;
	const askedAt = Date.now();
	const response: IN8nHttpFullResponse = await fullResponse(send, {
		...settings,
		method: 'POST',
		baseURL,
		url: path,
		headers: {
			// The service wants "Bearer" before the encoded pair, not "Basic" (oauth.token in emulator/openapi.yaml).
			Authorization: `Bearer ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
			Accept: 'application/json',
		},
		body: { grant_type: 'client_credentials' },
		json: true,
	});
	checkRedirect(baseURL, path, response);
	const { access_token: value, expires_in: lifetime } = isRecord(response.body)
		? response.body
		: {};
	if (response.statusCode >= 300 || typeof value !== 'string' || value === '') {
		throw tokenRefusal(response, secretsOf(credentials));
	}
	return { value, renewAt: askedAt + renewAfterMs(lifetime) };
}

/** Long tokens are renewed a minute early, short ones after half their life; one without a lifetime serves once. */
function renewAfterMs(lifetimeSeconds: unknown): number {
	const lifetime = Number(lifetimeSeconds) * 1000;
	if (!Number.isFinite(lifetime) || lifetime <= 0) return 0;
	return Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2);
}
