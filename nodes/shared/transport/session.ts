import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import {
	forgetAccessToken,
	getAccessToken,
	isHopeless,
	isTokenRefused,
	noteTokenWorked,
	type Settings,
} from './accessToken';
import { cancelSignalOf, type SentToken } from './requestContext';
import type { SendRequest } from './fullResponse';

/** How one use of a credential makes its own requests, and the token it used last. */
type Session = { send: SendRequest; settings?: Settings; token?: string };

// The engine hands one and the same credentials object to preAuthentication and authenticate of a request
// (n8n-core 1.122.48 and 2.41.1): what the first learns reaches the second through it.
const sessions = new WeakMap<ICredentialDataDecryptedObject, Session>();

/**
 * Notes how the credential's own requests are made. With credentials that were used before, something went wrong: the
 * service is asked whether the access token is to blame, which is forgotten then.
 *
 * @param send n8n's own `helpers.httpRequest`
 */
export async function openSession(
	credentials: ICredentialDataDecryptedObject,
	send: SendRequest,
): Promise<void> {
	const session: Session = { ...sessions.get(credentials), send };
	sessions.set(credentials, session);
	const { token, settings } = session;
	if (token !== undefined && (await isTokenRefused(credentials, token, send, settings))) {
		forgetAccessToken(credentials, token);
	}
}

/** How requests are made for these credentials; undefined before `openSession`. */
export function senderOf(credentials: ICredentialDataDecryptedObject): SendRequest | undefined {
	return sessions.get(credentials)?.send;
}

/**
 * The access key, or an access token that the service gives for client id and secret.
 *
 * @throws UserError when the key is empty, AccessError when the service gives no token
 */
export async function bearerOf(
	credentials: ICredentialDataDecryptedObject,
	settings: Settings,
): Promise<string> {
	if (credentials.authentication !== 'clientCredentials') {
		const accessKey = typeof credentials.accessKey === 'string' ? credentials.accessKey.trim() : '';
		if (accessKey === '') throw new UserError('The Access Key is empty. Check the credential.');
		// A header takes no others, and n8n would show the header in its error.
		if (!/^[\x21-\x7e]+$/.test(accessKey)) {
			throw new UserError(
				'The Access Key holds a blank, a line break or a character that no key has. Enter it again in the credential.',
			);
		}
		return accessKey;
	}
	const session = sessions.get(credentials);
	if (!session) throw new UserError('n8n gave no way to ask the service for an access token.');
	session.settings = settings;
	session.token = await getAccessToken(credentials, session.send, settings);
	return session.token;
}

/** What can be done about the access token of a request; undefined for an access key. */
export function sentToken(credentials: ICredentialDataDecryptedObject): SentToken | undefined {
	const { token, send, settings } = sessions.get(credentials) ?? {};
	if (token === undefined || send === undefined) return undefined;
	return {
		worked: () => noteTokenWorked(credentials, token),
		isRefused: async () => await isTokenRefused(credentials, token, send, settings),
		renew: () => forgetAccessToken(credentials, token),
		isWorthRenewing: () => !isHopeless(credentials),
		async renewAndTry() {
			forgetAccessToken(credentials, token);
			const renewed = await getAccessToken(credentials, send, settings);
			const refused = await isTokenRefused(credentials, renewed, send, settings);
			if (refused) forgetAccessToken(credentials, renewed);
			else noteTokenWorked(credentials, renewed);
			return !refused;
		},
	};
}

/** What of a request's settings holds for the credential's own requests; n8n's HTTP Request node has its own name for SSL. */
export function settingsOf(options: IHttpRequestOptions): Settings {
	const { proxy, skipSslCertificateValidation } = options;
	const abortSignal = cancelSignalOf(options);
	const settings: Settings = {};
	if (proxy) settings.proxy = proxy;
	if (abortSignal) settings.abortSignal = abortSignal;
	const ignoresSsl = 'rejectUnauthorized' in options && options.rejectUnauthorized === false;
	if (skipSslCertificateValidation === true || ignoresSsl) {
		settings.skipSslCertificateValidation = true;
	}
	return settings;
}
