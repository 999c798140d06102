import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { RequestInfo } from '../errors/apiError';
import { toAccessError } from '../errors/connectionErrors';
import type { SendRequest } from '../sharedState';

/** Thrown for a request that got no complete response before its time limit. */
export const TIMEOUT = Object.assign(new Error('The deadline has passed'), {
	code: 'ETIMEDOUT',
});

/** How every request is sent: no redirect is followed, and a response is returned with any status. */
export const HTTP_OPTIONS = {
	json: true,
	disableFollowRedirect: true,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
};

/** Total time limit for a request that the credential itself sends, for example for a token. */
const LONGEST_MS = 30_000;

/**
 * Sends a request of the credential itself, for example for a token. Returns the response with any status. Does not
 * follow redirects.
 *
 * @param request its `url` is a path under the Base URL of the used credential
 * @param send n8n's `helpers.httpRequest`
 * @param authorization the value of the Authorization header
 * @param options TLS, proxy and body. They cannot replace the options that this function sets
 * @throws AccessError if there is no complete response before the time limit
 */
export async function credentialRequest(
	request: RequestInfo,
	send: SendRequest,
	authorization: string,
	options: Partial<IHttpRequestOptions>,
): Promise<IN8nHttpFullResponse> {
	const { method, url, usedCredentials } = request;
	// The option `timeout` counts only idle time, so a slowly arriving response could take forever.
	const deadline = AbortSignal.timeout(LONGEST_MS);
	try {
		return await send({
			...options,
			method,
			url,
			baseURL: usedCredentials[0]?.baseUrl,
			...HTTP_OPTIONS,
			headers: { Accept: 'application/json', Authorization: authorization },
			timeout: LONGEST_MS,
			abortSignal: deadline,
		});
	} catch (error) {
		throw toAccessError(request, deadline.aborted ? TIMEOUT : error);
	}
}
