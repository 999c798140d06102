import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isDataObject, isRecord } from '../typeGuards';
import { settle } from '../concurrency';

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
	const outcome = await settle(
		async () =>
			await send({
				...options,
				disableFollowRedirect: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			}),
	);
	if ('result' in outcome) return outcome.result;
	const response = isRecord(outcome.error) ? outcome.error.response : undefined;
	if (!isRecord(response) || typeof response.status !== 'number') throw outcome.error;
	const { status, headers, data } = response;
	return {
		statusCode: status,
		headers: isDataObject(headers) ? headers : {},
		body: isDataObject(data) ? data : String(data ?? ''),
	};
}
