import type { IHttpRequestOptions } from 'n8n-workflow';

import { isRecord } from '../typeGuards';
import { API_PREFIX } from './baseUrl';
import { followOnHost } from './redirect';
import { fullResponse, type SendRequest } from './fullResponse';

/** Whose key or token this is, as far as the service says it. */
export type ProfileResponse = {
	/** Whether the service said that it refuses the caller. */
	refused: boolean;
	/** Whether it is the service that answered, and took the caller. */
	granted: boolean;
	statusCode: number;
	/** The service's own words. */
	message?: string;
};

/** The request that any good key or token may make. */
const PROFILE_PATH = `${API_PREFIX}/me`;

const TIMEOUT_MS = 30_000;

/**
 * Asks the service who the caller is (profile.get in emulator/openapi.yaml).
 *
 * @param bearer access key or token
 * @param send how a request is made, n8n's own `helpers.httpRequest`
 * @param settings further settings of the request
 * @throws RedirectError, or what `send` throws when there is no answer
 */
export async function fetchProfile(
	baseUrl: string,
	bearer: string,
	send: SendRequest,
	settings: Partial<IHttpRequestOptions> = {},
): Promise<ProfileResponse> {
	const request: IHttpRequestOptions = {
		timeout: TIMEOUT_MS,
		...settings,
		method: 'GET',
		url: PROFILE_PATH,
		headers: { Accept: 'application/json', Authorization: `Bearer ${bearer}` },
		json: true,
	};
	const first = await fullResponse(send, { ...request, baseURL: baseUrl });
	const { statusCode, body } = await followOnHost(
		baseUrl,
		PROFILE_PATH,
		first,
		async (address) => await fullResponse(send, { ...request, url: address }),
	);
	const { success, message } = isRecord(body) ? body : {};
	const answer: ProfileResponse = {
		refused: statusCode === 401 || statusCode === 403 || (success === false && statusCode < 500),
		granted: statusCode < 300 && success === true,
		statusCode,
	};
	if (typeof message === 'string' && message.trim() !== '') answer.message = message.trim();
	return answer;
}
