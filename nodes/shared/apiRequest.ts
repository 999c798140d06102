import { adviceFor } from './advice';
import type { Envelope } from './transport/envelope';
import { sendRequest, type ApiContext, type ApiRequest } from './transport/sendRequest';

/**
 * Sends one request to the service, as `sendRequest` does, and says of each known message what to do about it.
 *
 * @throws NodeApiError, with the service's own message when it gave one
 */
export async function apiRequest(this: ApiContext, request: ApiRequest): Promise<Envelope> {
	return await sendRequest.call(this, request, adviceFor);
}
