import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { SentRequest } from './errors/apiError';
import { accessError } from './errors/connectionErrors';
import type { SendRequest } from './requestContext';

/** Replaces the error of a request whose deadline has passed. */
export const TIMEOUT = Object.assign(new Error('The deadline has passed'), { code: 'ETIMEDOUT' });

/** Total time limit for a request that the credential itself sends, for example for a token. */
const LONGEST_MS = 30_000;

/**
 * Sends a request of the credential itself, for example for a token. Returns the full response, whatever its status. Does
 * not follow redirects.
 *
 * @param authorization the header's value
 * @throws AccessError if there is no response, or none before the time limit
 */
export async function fullResponse(
	about: SentRequest,
	send: SendRequest,
	authorization: string,
	options: Partial<IHttpRequestOptions>,
): Promise<IN8nHttpFullResponse> {
	const { method, url } = about.request;
	// The option `timeout` counts only idle time, so a slowly arriving response could take forever.
	const deadline = AbortSignal.timeout(LONGEST_MS);
	try {
		return await send({
			...options,
			...{ method, url, baseURL: about.sent[0]?.baseUrl, json: true },
			headers: { Accept: 'application/json', Authorization: authorization },
			timeout: LONGEST_MS,
			abortSignal: deadline,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	} catch (error) {
		throw accessError(about, deadline.aborted ? TIMEOUT : error);
	}
}
