import type { INodeExecutionData } from 'n8n-workflow';

import { apiRequest } from '../../shared/transport/apiRequest';
import { failure } from '../../shared/failure';
import type { Envelope } from '../../shared/transport/envelope';
import { MultipartBody } from '../../shared/transport/multipart';
import { idsIn } from '../../shared/transport/path';
import { settingsFrom } from '../../shared/transport/requestOptions';
import { isTooMany } from '../../shared/transport/retry';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import type { Operation } from '../operations/operation';
import { dataOrSuccess } from '../operations/output';
import { runOf, type Item } from './item';

/**
 * Sends what an operation asks of the service for one item.
 *
 * @returns the operation's output, each paired with the item
 * @throws NodeApiError; NodeOperationError for a proxy that is no address
 */
export async function sendItem(
	{ endpoint: [, path] = ['GET', ''], send, toItems = dataOrSuccess() }: Operation,
	item: Item,
	own: ApiRequest,
): Promise<INodeExecutionData[]> {
	try {
		const outputs = send
			? await send(item, own)
			: toItems(item, await request(item, own), idsIn(path, own.url));
		const pairedItem = { item: item.getItemIndex() };
		for (const output of outputs) output.pairedItem = pairedItem;
		return outputs;
	} finally {
		if (own.body instanceof MultipartBody) own.body.close();
	}
}

/**
 * Sends one request of an item with what Request Options say, waiting with all others of the run when the service asks
 * for it. Look-ups and the steps of an operation go the same way as its own request.
 *
 * @throws NodeApiError; NodeOperationError for a proxy that is no address
 */
export async function request(item: Item, options: ApiRequest): Promise<Envelope> {
	const settings = settingsFrom(
		item.getNodeParameter('requestOptions', {}),
		failure(item, item.getItemIndex()),
	);
	return await runOf(item).retryPolicy.run(
		async () => await apiRequest.call(item, { ...settings, ...options }),
		// Of a change that failed in any other way nobody knows whether it was carried out.
		(options.method ?? 'GET') === 'GET' ? {} : { isRetryable: isTooMany },
	);
}
