import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { clearLists } from '../../shared/lists/lists';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { isTooMany, isTransient, withRetries } from '../../shared/transport/retry';
import type { ItemRequest, Operation } from './declaration';
import { requestSettings, type Item } from './item';
import { nameMissingRecord } from './missingRecord';
import { dataOrSuccess } from './output';

/**
 * Sends the requests of an item.
 *
 * @returns the operation's output, paired with the item
 * @throws NodeApiError
 */
export async function sendItem(
	{ fields, send, toItems = dataOrSuccess }: Operation,
	item: Item,
	{ request: apiOptions, ids }: ItemRequest,
): Promise<INodeExecutionData[]> {
	try {
		const outputs = send
			? await send(item, apiOptions, ids)
			: toItems(item, await callApi(item, apiOptions), ids, apiOptions);
		const pairedItem = { item: item.getItemIndex() };
		for (const output of outputs) output.pairedItem = pairedItem;
		return outputs;
	} catch (error) {
		throw nameMissingRecord(error, fields, ids, apiOptions.body);
	} finally {
		if (apiOptions.body instanceof MultipartBody) apiOptions.body.close();
	}
}

/** A record that a node creates during a test in the editor must appear in the next node's lists. */
export function clearListsAfterChange(
	context: Pick<IExecuteSingleFunctions, 'getMode'>,
	{ endpoint: [method] = ['POST', ''] }: Operation,
): void {
	if (method !== 'GET' && context.getMode() === 'manual') clearLists();
}

/**
 * Sends one request of an item with its Request Options. When the service asks for a pause, all requests of the run wait.
 *
 * @throws NodeApiError; NodeOperationError for invalid Request Options
 */
export async function callApi(item: Item, apiOptions: ApiRequest): Promise<Envelope> {
	const settings = requestSettings(item);
	const isRead = (apiOptions.method ?? 'GET') === 'GET';
	return await withRetries(
		async () => await apiRequest.call(item.context, { ...settings, ...apiOptions }),
		{
			pause: item.run.pause,
			// A change is repeated only after "too many requests". After any other transient failure, it may have been carried out.
			isRetryable: isRead ? isTransient : isTooMany,
			signal: item.getExecutionCancelSignal(),
			log: (text) => item.logger.info(text),
		},
	);
}
