import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

/** Replaces the error of a request whose deadline has passed. */
export const TIMEOUT = Object.assign(new Error('The deadline has passed'), { code: 'ETIMEDOUT' });

/** Total time limit for a request that the credential itself sends, for example for a token. */
const LONGEST_MS = 30_000;

/** n8n's `helpers.httpRequest`. */
export type SendRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/**
 * Sends a request of the credential itself, for example for a token. Returns the full response, whatever its status. Does
 * not follow redirects.
 *
 * @throws `TIMEOUT` after the time limit, or the error of `send` if there is no response
 */
export async function fullResponse(
	send: SendRequest,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	// The option `timeout` counts only idle time, so a slowly arriving response could take forever.
	const deadline = AbortSignal.timeout(LONGEST_MS);
	try {
		return await send({
			...options,
			timeout: LONGEST_MS,
			abortSignal: deadline,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	} catch (error) {
		throw deadline.aborted ? TIMEOUT : error;
	}
}
