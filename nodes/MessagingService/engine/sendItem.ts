import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { clearListCache } from '../../shared/lists/lists';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { isRateLimited, isTransient, withRetries } from '../../shared/transport/retry';
import { mayChange, type ItemRequest, type Operation } from './declaration';
import { requestSettings, type Item } from './item';
import { nameMissingRecord } from './missingRecord';
import { dataOrSuccess } from './output';

/**
 * Sends the requests of an item, and then closes the file of an upload.
 *
 * @returns the operation's output, paired with the item
 * @throws NodeApiError, and the errors of the operation's own `send`
 */
export async function sendItem(
	{ fields, send, toItems = dataOrSuccess }: Operation,
	item: Item,
	{ request, ids }: ItemRequest,
): Promise<INodeExecutionData[]> {
	try {
		const outputs = send
			? await send(item, request, ids)
			: toItems(item, await callApi(item, request), ids, request);
		const pairedItem = { item: item.getItemIndex() };
		for (const output of outputs) output.pairedItem = pairedItem;
		return outputs;
	} catch (error) {
		throw nameMissingRecord(error, fields, ids, request.body);
	} finally {
		if (request.body instanceof MultipartBody) request.body.close();
	}
}

/**
 * Drops the editor's cached lists after an operation that may have changed something in a test in the editor. The change must
 * show in the lists of the next node.
 */
export function clearListsAfterChange(
	context: Pick<IExecuteSingleFunctions, 'getMode'>,
	operation: Operation,
): void {
	if (mayChange(operation) && context.getMode() === 'manual') clearListCache();
}

/**
 * Sends one request of an item with its Request Options. When the service asks for a pause, all requests of the run wait.
 *
 * @throws NodeApiError; NodeOperationError for invalid Request Options
 */
export async function callApi(item: Item, request: ApiRequest): Promise<Envelope> {
	const settings = requestSettings(item);
	const isRead = (request.method ?? 'GET') === 'GET';
	return await withRetries(
		async () => await apiRequest.call(item.context, { ...settings, ...request }),
		{
			pause: item.run.pause,
			// A change is repeated only after "too many requests". After any other transient failure, it may have been carried out.
			isRetryable: isRead ? isTransient : isRateLimited,
			signal: item.getExecutionCancelSignal(),
			log: (text) => item.logger.info(text),
		},
	);
}
