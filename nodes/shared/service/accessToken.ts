import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { API_PREFIX, normaliseBaseUrl } from './baseUrl';

type SendRequest = (options: IHttpRequestOptions) => Promise<unknown>;

type Token = { value: string; obtainedAt: number; renewAt: number };

/** A token is renewed this long before it runs out, so that none expires on its way to the service. */
const RENEW_BEFORE_EXPIRY_MS = 60_000;

/** Below this many tokens nothing is cleared; it bounds the memory of a process that sees many credentials. */
const MOST_CREDENTIALS = 500;

// Tokens live in the memory of the process: n8n would otherwise write the credential to its database for every
// request in flight (seen in n8n-core 2.41.1 and n8n 1.123.81, CredentialsHelper.preAuthentication).
const tokens = new Map<string, Token>();
const pending = new Map<string, Promise<Token>>();

/**
 * Gives the OAuth access token for a credential, asking the service only when there is none that is still good.
 * However many callers ask at once, one request goes out (oauth.token in emulator/openapi.yaml).
 *
 * @param credentials decrypted `messagingServiceApi` data with `baseUrl`, `clientId`, `clientSecret`
 * @param send how a request is made, n8n's own `helpers.httpRequest`
 * @throws UserError that names the field to check when the service gives no token
 */
export async function getAccessToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
): Promise<string> {
	const key = tokenKey(credentials);
	const known = tokens.get(key);
	if (known && Date.now() < known.renewAt) return known.value;

	let request = pending.get(key);
	if (!request) {
		request = requestToken(credentials, send).finally(() => pending.delete(key));
		pending.set(key, request);
	}
	const token = await request;
	if (tokens.size >= MOST_CREDENTIALS) tokens.clear();
	tokens.set(key, token);
	return token.value;
}

/**
 * Forgets a token that the service refused. A newer token, fetched meanwhile by another request, stays.
 *
 * @param refused the refused token; nothing happens when it is not the current one
 */
export function forgetAccessToken(
	credentials: ICredentialDataDecryptedObject,
	refused: string | undefined,
): void {
	const key = tokenKey(credentials);
	if (refused !== undefined && tokens.get(key)?.value === refused) tokens.delete(key);
}

/**
 * Makes sure that the next request does not use the token that a request sent at `sentAt` was refused with.
 *
 * @param sentAt milliseconds since the epoch; a token obtained later is kept
 */
export function renewRefusedToken(
	credentials: ICredentialDataDecryptedObject,
	sentAt: number,
): void {
	const key = tokenKey(credentials);
	const token = tokens.get(key);
	// A token from the future is an old one too: the clock was put back.
	const isOlder = token && (token.obtainedAt < sentAt || token.obtainedAt > Date.now());
	if (isOlder) tokens.delete(key);
}

/** The token in memory for a credential, without asking the service. */
export function currentAccessToken(
	credentials: ICredentialDataDecryptedObject,
): string | undefined {
	return tokens.get(tokenKey(credentials))?.value;
}

function tokenKey({ baseUrl, clientId, clientSecret }: ICredentialDataDecryptedObject): string {
	return JSON.stringify([normaliseBaseUrl(baseUrl), clientId, clientSecret]);
}

async function requestToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
): Promise<Token> {
	const baseURL = normaliseBaseUrl(credentials.baseUrl);
	const clientId = textOf(credentials.clientId);
	const clientSecret = textOf(credentials.clientSecret);
	if (clientId === '') throw new UserError('The Client ID is empty. Check the credential.');
	if (clientSecret === '') throw new UserError('The Client Secret is empty. Check the credential.');

	const askedAt = Date.now();
	let answer: unknown;
	try {
		answer = await send({
			method: 'POST',
			baseURL,
			url: `${API_PREFIX}/oauth/token`,
			headers: {
				// The service wants "Bearer" before the encoded pair, not "Basic" (oauth.token in emulator/openapi.yaml).
				Authorization: `Bearer ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
				Accept: 'application/json',
			},
			body: { grant_type: 'client_credentials' },
			json: true,
		});
	} catch (error) {
		throw tokenRefused(error);
	}
	const { access_token: value, expires_in: lifetime, message } = asRecord(answer);
	if (typeof value !== 'string' || value === '') {
		throw refusal(textOf(message) || 'its answer holds no access token');
	}
	return { value, obtainedAt: Date.now(), renewAt: askedAt + renewAfterMs(lifetime) };
}

/** Long tokens are renewed a minute early, short ones after half their life; one without a lifetime serves once. */
function renewAfterMs(lifetimeSeconds: unknown): number {
	const lifetime = Number(lifetimeSeconds) * 1000;
	if (!Number.isFinite(lifetime) || lifetime <= 0) return 0;
	return Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2);
}

function tokenRefused(error: unknown): UserError {
	const { response, code, message } = asRecord(error);
	const { status, data } = asRecord(response);
	if (typeof status === 'number') {
		const said = textOf(asRecord(data).message) || textOf(asRecord(data).error_description);
		return refusal(said || `HTTP ${status}`);
	}
	const { host } = asRecord(asRecord(error).request);
	return new UserError(
		`The service could not be reached for an access token (${textOf(code) || textOf(message) || textOf(host) || 'no answer'}). Check the Base URL in the credential.`,
	);
}

function refusal(reason: string): UserError {
	return new UserError(
		`The service gave no access token: ${reason}. Check the Client ID and the Client Secret in the credential, and that OAuth is switched on for your account.`,
	);
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}
