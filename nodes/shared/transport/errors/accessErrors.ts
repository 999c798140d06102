import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { isRecord } from '../../values';
import { normalizeBaseUrl } from '../address';
import { LONGEST_MESSAGE, truncate } from '../../truncate';
import { foreignText, secretsOf } from '../secrets';
import {
	AccessError,
	checkBaseUrl,
	checkProxy,
	isWebPage,
	otherServer,
	PROXY_REFUSED,
	type Asker,
} from './apiError';
import { explainConnectionFailure } from './connectionErrors';
import { retryAfterMs } from './responseErrors';

/**
 * Returns the error for a failed request that the credential itself sends, for example for a token. The message states what
 * to check.
 */
export function accessError(
	thrown: unknown,
	credentials: ICredentialDataDecryptedObject,
	asker: Asker,
): AccessError {
	if (thrown instanceof AccessError) return thrown;
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	const { message, advice, httpCode } = explainConnectionFailure(thrown, baseUrl, asker);
	return new AccessError(foreignText(`${message}. ${advice}`, secretsOf(credentials)), httpCode);
}

/** Returns the error for a token request whose response contains no token (oauth.token in emulator/openapi.yaml). */
export function tokenRefusal(
	{ statusCode, headers, body }: IN8nHttpFullResponse,
	secrets: string[],
	proxy: Asker['proxy'],
	baseUrl?: string,
): AccessError {
	const { message, error_description: description } = isRecord(body) ? body : {};
	const serviceMessage = truncate(foreignText(message || description, secrets), LONGEST_MESSAGE);
	if (statusCode === 407) return new AccessError(`${PROXY_REFUSED}. ${checkProxy(proxy)}`, '407');
	if (statusCode === 429 || statusCode >= 500) {
		return new AccessError(
			`The service returned no access token (HTTP ${statusCode}${serviceMessage && `: ${serviceMessage}`}). Try again later. If the error persists, check the Base URL in the credential and whether the service is running.`,
			String(statusCode),
			retryAfterMs(headers),
		);
	}
	if (statusCode < 400 && serviceMessage === '') {
		return new AccessError(
			`The response of the service contains no access token. ${checkBaseUrl(baseUrl)}`,
			'none',
		);
	}
	if (statusCode === 404 || isWebPage(body)) {
		const message = `${otherServer(statusCode)}. ${checkBaseUrl(baseUrl)}`;
		return new AccessError(message, String(statusCode));
	}
	return new AccessError(
		`The service returned no access token: ${serviceMessage || `HTTP ${statusCode}`}. Check the Client ID and the Client Secret in the credential, and that OAuth is enabled for your account.`,
		'401',
	);
}
