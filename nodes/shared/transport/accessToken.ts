import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep, UserError } from 'n8n-workflow';

import { isRecord } from '../typeGuards';
import { API_PREFIX, normaliseBaseUrl } from './baseUrl';
import { fetchProfile } from './profile';
import { checkRedirect, RedirectError } from './redirect';
import { retryAfterMs } from './retryAfter';
import { secretsOf, shownText } from './secrets';
import { fullResponse, type SendRequest } from './fullResponse';

/** What of a request's own settings holds for the requests that its credential needs. */
export type Settings = Pick<
	IHttpRequestOptions,
	'proxy' | 'skipSslCertificateValidation' | 'abortSignal'
>;

/** Why there is no access: said in full by the message, with the field to check. Nothing was sent but this question. */
export class AccessError extends UserError {
	constructor(
		message: string,
		/** HTTP status of the answer, or the code of the failed connection. */
		readonly httpCode?: string,
		/** How long the service asked to wait, in milliseconds. */
		readonly retryAfterMs?: number,
	) {
		super(message);
	}
}

type Signal = Settings['abortSignal'];

type Token = { value: string; obtainedAt: number; renewAt: number; worked: boolean };

/** All that is known of one client of the service. */
type Client = {
	token?: Token;
	request?: { token: Promise<Token>; signal?: Signal };
	/** The answers being waited for: is this token refused? */
	questions: Map<string, Promise<boolean>>;
	/** How many tokens in a row were refused long before they ran out. */
	lostEarly: number;
	/** How many tokens in a row were refused before any request with them succeeded. */
	neverWorked: number;
};

/** A token is renewed this long before it runs out, so that none expires on its way to the service. */
const RENEW_BEFORE_EXPIRY_MS = 60_000;

/** Above this many clients those without a request under way are forgotten; it bounds the memory of the process. */
const MOST_CLIENTS = 500;

const TOKEN_TIMEOUT_MS = 30_000;

/** A token that is refused within this time was not worn out: another process may have taken its place. */
const EARLY_MS = 60_000;

/**
 * The wait before a token that was lost early is renewed, doubled with each one lost in a row. A service may keep one
 * token a client (not shown: oauth.token in emulator/openapi.yaml): two processes would take it from each other at
 * once, for ever. Waiting leaves it to the other for so long.
 */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;

/** After so many tokens that never worked it is the client that is refused: no more waiting. */
const HOPELESS = 4;

// Tokens live in the memory of the process: n8n would otherwise write the credential to its database for every
// request in flight (seen in n8n-core 2.41.1 and n8n 1.123.81, CredentialsHelper.preAuthentication).
const clients = new Map<string, Client>();

/**
 * Gives the OAuth access token for a credential, asking the service only when there is none that is still good.
 * However many callers ask at once, one request goes out (oauth.token in emulator/openapi.yaml).
 *
 * @param credentials decrypted `messagingServiceApi` data with `baseUrl`, `clientId`, `clientSecret`
 * @param send how a request is made, n8n's own `helpers.httpRequest`
 * @throws AccessError that names the field to check when the service gives no token, or when the execution is cancelled
 */
export async function getAccessToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: Settings = {},
): Promise<string> {
	const client = clientOf(credentials);
	for (;;) {
		if (client.token) {
			if (Date.now() < client.token.renewAt) return client.token.value;
			// It lived as long as the service said: nobody took it away.
			client.lostEarly = 0;
		}
		const isMine = client.request === undefined;
		const request = client.request ?? {
			signal: settings.abortSignal,
			token: newToken(client, credentials, send, settings).finally(() => delete client.request),
		};
		client.request = request;
		const { token, signal } = request;
		try {
			return (await unlessCancelled(token, settings.abortSignal)).value;
		} catch (error) {
			// Another execution asked, and was cancelled: that is no answer for this one.
			if (isMine || signal?.aborted !== true || settings.abortSignal?.aborted === true) {
				throw asAccessError(error, credentials);
			}
		}
	}
}

/**
 * Forgets a token that the service refused. A newer token, fetched meanwhile by another request, stays.
 *
 * @param refused the refused token; nothing happens when it is not the current one
 */
export function forgetAccessToken(
	credentials: ICredentialDataDecryptedObject,
	refused: string,
): void {
	const client = clientOf(credentials);
	const { token } = client;
	if (token?.value !== refused) return;
	delete client.token;
	client.lostEarly = Date.now() - token.obtainedAt < EARLY_MS ? client.lostEarly + 1 : 0;
	client.neverWorked = token.worked ? 0 : client.neverWorked + 1;
}

/** Notes that the service took a token. */
export function noteTokenWorked(credentials: ICredentialDataDecryptedObject, value: string): void {
	const { token } = clientOf(credentials);
	if (token?.value === value) token.worked = true;
}

/** Whether so many tokens in a row never worked that one more is not worth waiting for. */
export function isHopeless(credentials: ICredentialDataDecryptedObject): boolean {
	return clientOf(credentials).neverWorked >= HOPELESS;
}

/**
 * Whether the service refuses a token for everything, the profile of its owner included. An answer that says nothing,
 * or none at all, is no refusal. Asked once for all who want to know at the same time.
 */
export async function isTokenRefused(
	credentials: ICredentialDataDecryptedObject,
	token: string,
	send: SendRequest,
	settings: Settings = {},
): Promise<boolean> {
	const { questions } = clientOf(credentials);
	let question = questions.get(token);
	if (!question) {
		question = fetchProfile(normaliseBaseUrl(credentials.baseUrl), token, send, settings)
			.then(({ refused }) => refused)
			.catch(() => false)
			.finally(() => questions.delete(token));
		questions.set(token, question);
	}
	return await question;
}

function clientOf(credentials: ICredentialDataDecryptedObject): Client {
	const { clientId, clientSecret } = credentials;
	const key = JSON.stringify([normaliseBaseUrl(credentials.baseUrl), clientId, clientSecret]);
	let client = clients.get(key);
	if (!client) {
		client = { questions: new Map(), lostEarly: 0, neverWorked: 0 };
		if (clients.size >= MOST_CLIENTS) forgetIdleClients();
		clients.set(key, client);
	}
	return client;
}

function forgetIdleClients(): void {
	for (const [key, { request, questions }] of clients) {
		if (!request && questions.size === 0) clients.delete(key);
	}
}

async function newToken(
	client: Client,
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: Settings,
): Promise<Token> {
	const wait = isHopeless(credentials) ? 0 : waitAfter(client.lostEarly);
	if (wait > 0) await unlessCancelled(sleep(wait), settings.abortSignal);
	client.token = await requestToken(credentials, send, settings);
	return client.token;
}

/** Between half and all of the time, so that two processes do not keep step. */
function waitAfter(lostEarly: number): number {
	if (lostEarly === 0) return 0;
	const longest = Math.min(FIRST_WAIT_MS * 2 ** (lostEarly - 1), LONGEST_WAIT_MS);
	return longest * (0.5 + Math.random() / 2);
}

async function requestToken(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
	settings: Settings,
): Promise<Token> {
	const baseURL = normaliseBaseUrl(credentials.baseUrl);
	const clientId = textOf(credentials.clientId);
	const clientSecret = textOf(credentials.clientSecret);
	if (clientId === '') throw new AccessError('The Client ID is empty. Check the credential.');
	if (clientSecret === '') {
		throw new AccessError('The Client Secret is empty. Check the credential.');
	}

	const path = `${API_PREFIX}/oauth/token`;
	const askedAt = Date.now();
	const answer = await fullResponse(send, {
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
		timeout: TOKEN_TIMEOUT_MS,
	});
	checkRedirect(baseURL, path, answer);
	const { access_token: value, expires_in: lifetime } = recordOf(answer.body);
	if (answer.statusCode >= 300 || typeof value !== 'string' || value === '') {
		throw refusal(answer, secretsOf(credentials));
	}
	return {
		value,
		obtainedAt: Date.now(),
		renewAt: askedAt + renewAfterMs(lifetime),
		worked: false,
	};
}

/** Long tokens are renewed a minute early, short ones after half their life; one without a lifetime serves once. */
function renewAfterMs(lifetimeSeconds: unknown): number {
	const lifetime = Number(lifetimeSeconds) * 1000;
	if (!Number.isFinite(lifetime) || lifetime <= 0) return 0;
	return Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2);
}

/** What the answer to a token request means that holds no token. */
function refusal(
	{ statusCode, headers, body }: IN8nHttpFullResponse,
	secrets: string[],
): AccessError {
	const { message, error_description: description } = recordOf(body);
	const said = textOf(message) || textOf(description);
	const wait = retryAfterMs(headers);
	const reason = said ? shownText(said, secrets) : undefined;
	if (statusCode === 429 || statusCode >= 500) {
		return new AccessError(
			`The service gave no access token (HTTP ${statusCode}${reason ? `: ${reason}` : ''}). Try again later; if it stays like this, check the Base URL in the credential and whether the service is running.`,
			String(statusCode),
			wait,
		);
	}
	if (statusCode < 400 && !reason) {
		return new AccessError(
			'The service gave no access token: its answer holds none. Check the Base URL in the credential: it is the address of the messaging service itself, not of its website or of a sign-in page.',
			'none',
		);
	}
	return new AccessError(
		`The service gave no access token: ${reason ?? `HTTP ${statusCode}`}. Check the Client ID and the Client Secret in the credential, and that OAuth is switched on for your account.`,
		'401',
	);
}

/** Whatever a token request threw, in words that say what to check. */
function asAccessError(error: unknown, credentials: ICredentialDataDecryptedObject): AccessError {
	if (error instanceof AccessError) return error;
	if (error instanceof RedirectError) {
		return new AccessError(`${error.message}. ${error.advice}`, error.httpCode);
	}
	const { code, message } = recordOf(error);
	if (code === 'ERR_CANCELED') return cancelled();
	const why = shownText(textOf(code) || textOf(message) || 'no answer', secretsOf(credentials));
	return new AccessError(
		`The service at ${normaliseBaseUrl(credentials.baseUrl)} could not be reached for an access token (${why}). Check the Base URL in the credential, and whether the service is running.`,
		textOf(code) || undefined,
	);
}

function cancelled(): AccessError {
	return new AccessError('The execution was cancelled.', 'ERR_CANCELED');
}

async function unlessCancelled<Result>(work: Promise<Result>, signal: Signal): Promise<Result> {
	if (!signal) return await work;
	let stop = (): void => undefined;
	const cancellation = new Promise<never>((_, reject) => {
		stop = () => reject(cancelled());
		if (signal.aborted) stop();
		else signal.addEventListener?.('abort', stop, { once: true });
	});
	try {
		return await Promise.race([work, cancellation]);
	} finally {
		signal.removeEventListener?.('abort', stop);
		// Whoever is cancelled does not wait for it any more; a failure must not end the process.
		work.catch(() => undefined);
	}
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

function recordOf(value: unknown): Record<string, unknown> | IDataObject {
	return isRecord(value) ? value : {};
}
