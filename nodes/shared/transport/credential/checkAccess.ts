import { UserError } from 'n8n-workflow';

import { LONGEST_MESSAGE, truncate } from '../../truncate';
import { fieldsIn } from '../../values';
import type { TlsAndProxy } from './accessToken';
import { API_PREFIX } from '../address';
import type { RequestInfo } from '../errors/apiError';
import { explainStatus, explainUnexpected } from '../errors/responseErrors';
import { credentialRequest } from './credentialRequest';
import { isTransientStatus } from '../retry';
import type { SendRequest, UsedCredential } from '../sharedState';

/** Every valid key or token may request this path (profile.get in emulator/openapi.yaml). */
const PROFILE_PATH = `${API_PREFIX}/me`;

/**
 * Reads the profile of the key's owner, to check the credential.
 *
 * @param usedCredential its Base URL, and the texts to hide in an error
 * @param bearer access key or token
 * @param send n8n's `helpers.httpRequest`
 * @param settings TLS and proxy of the request
 * @throws UserError if the service does not return the profile, with the service's message and what to check
 */
export async function checkAccess(
	usedCredential: UsedCredential,
	bearer: string,
	send: SendRequest,
	settings: TlsAndProxy,
): Promise<void> {
	const { proxy } = settings;
	const usedCredentials = [usedCredential];
	const request: RequestInfo = { method: 'GET', url: PROFILE_PATH, proxy, usedCredentials };
	const response = await credentialRequest(request, send, `Bearer ${bearer}`, settings);
	const { statusCode, body } = response;
	const { success } = fieldsIn(body);
	if (success === true && statusCode < 300) return;
	// Every valid key may read the profile. So any refusal means an invalid key, and is explained like HTTP 401.
	const isRefused = success === false && !isTransientStatus(statusCode);
	const status = isRefused ? 401 : statusCode;
	const { message, advice } =
		status < 300
			? explainUnexpected(request, body)
			: explainStatus(request, { ...response, statusCode: status });
	throw new UserError(`${truncate(message, LONGEST_MESSAGE)}. ${advice}`);
}
