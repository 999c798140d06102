import { UserError, type IHttpRequestOptions } from 'n8n-workflow';

import { LONGEST_MESSAGE, truncate } from '../truncate';
import { fieldsIn } from '../values';
import { API_PREFIX } from './address';
import type { SentRequest } from './errors/apiError';
import { explainStatus, explainUnexpected } from './errors/responseErrors';
import { fullResponse } from './fullResponse';
import type { SendRequest, UsedCredential } from './requestContext';

/** The path that every valid key or token may request (profile.get in emulator/openapi.yaml). */
const PROFILE_PATH = `${API_PREFIX}/me`;

/**
 * Reads the caller's profile to check the credential.
 *
 * @param bearer access key or token
 * @param send n8n's `helpers.httpRequest`
 * @param settings further settings of the request
 * @throws UserError with the service's message and the credential field to check
 */
export async function checkAccess(
	usedCredential: UsedCredential,
	bearer: string,
	send: SendRequest,
	settings: Partial<IHttpRequestOptions>,
): Promise<void> {
	const about: SentRequest = {
		request: { method: 'GET', url: PROFILE_PATH, proxy: settings.proxy },
		sent: [usedCredential],
	};
	const response = await fullResponse(about, send, `Bearer ${bearer}`, settings);
	const { statusCode, body } = response;
	const { success } = fieldsIn(body);
	if (success === true && statusCode < 300) return;
	const isRefused = success === false && statusCode < 500;
	const { message, advice } =
		statusCode < 300 && !isRefused
			? explainUnexpected(about, body)
			: explainStatus(about, { ...response, statusCode: isRefused ? 401 : statusCode });
	throw new UserError(`${truncate(message, LONGEST_MESSAGE)}. ${advice}`);
}
