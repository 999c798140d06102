import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isDataObject, isRecord } from '../typeGuards';
import { settle } from '../concurrency';

/** Stands for what a request throws that its deadline ended. */
export const TIMEOUT = Object.assign(new Error('The deadline has passed'), { code: 'ETIMEDOUT' });

/** How long a request of the credential itself may take in all. */
const LONGEST_MS = 30_000;

/** n8n's own `helpers.httpRequest`. */
export type SendRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/**
 * Sends a request of the credential itself and gives the full response, whatever its status, redirects included.
 *
 * @throws what `send` throws when there is no response
 */
export async function fullResponse(
	send: SendRequest,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	// A timeout counts only the time in which nothing comes: a response that drips would never end.
	const deadline = AbortSignal.timeout(LONGEST_MS);
	const outcome = await settle(
		async () =>
			await send({
				...options,
				timeout: LONGEST_MS,
				abortSignal: deadline,
				disableFollowRedirect: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			}),
	);
	if ('result' in outcome) return outcome.result;
	if (deadline.aborted) throw TIMEOUT;
	const response = isRecord(outcome.error) ? outcome.error.response : undefined;
	if (!isRecord(response) || typeof response.status !== 'number') throw outcome.error;
	const { status, headers, data } = response;
	return {
		statusCode: status,
		headers: isDataObject(headers) ? headers : {},
		body: isDataObject(data) ? data : String(data ?? ''),
	};
}
