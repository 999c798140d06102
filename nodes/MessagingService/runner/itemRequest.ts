import type {
	DeclarativeRestApiSettings,
	IDataObject,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { apiRequest } from '../../shared/apiRequest';
import { failure } from '../../shared/failure';
import type { Envelope } from '../../shared/transport/envelope';
import { isDataObject } from '../../shared/typeGuards';
import { MultipartBody } from '../../shared/transport/multipart';
import { settingsFrom } from '../../shared/transport/requestOptions';
import { isTooMany } from '../../shared/transport/retry';
import type { ApiRequest } from '../../shared/transport/sendRequest';
import { asNodeError } from '../../shared/transport/errors';
import { runOf, type ItemContext } from './itemContext';
import { errorForAgent, isTool, deferredError } from './agentTool';

/** Sends what the fields of an operation have put together for one item, and gives the operation's output for it. */
export type Send = (sender: ItemContext, request: ApiRequest) => Promise<INodeExecutionData[]>;

/**
 * The one door of all operations to the service. n8n knows it as pagination, the only part of a routing that may send
 * requests itself: so our runner and n8n's own engine, which runs the node as a tool of an AI agent, go through it alike.
 */
export function sendBy(send: Send): Pick<INodePropertyRouting, 'operations'> {
	return {
		operations: {
			async pagination(this: ItemContext, { options }): Promise<INodeExecutionData[]> {
				const items = await answerFor(this, options, send).catch((error: unknown) => {
					// In a workflow our runner decides what becomes of an error.
					if (this.run || !isTool(this.getNode())) throw asNodeError(this.getNode(), error);
					return [errorForAgent(error)];
				});
				const pairedItem = { item: this.getItemIndex() };
				for (const item of items) item.pairedItem = pairedItem;
				return items;
			},
		},
	};
}

/** Output items, with room for the pairing: added to each of 100,000 later, it would cost as much as the item itself. */
export function toItems(records: IDataObject[]): INodeExecutionData[] {
	return records.map((json) => ({ json, pairedItem: undefined }));
}

async function answerFor(
	sender: ItemContext,
	options: DeclarativeRestApiSettings.HttpRequestOptions,
	send: Send,
): Promise<INodeExecutionData[]> {
	const refusal = deferredError(options);
	if (refusal !== undefined) throw asNodeError(sender.getNode(), refusal);
	const made = requestOf(options);
	try {
		return await send(sender, made);
	} finally {
		if (made.body instanceof MultipartBody) made.body.close();
	}
}

/**
 * Sends one request of an item with what Request Options say, waiting with all others of the run when the service asks
 * for it.
 *
 * @throws NodeApiError; NodeOperationError for a proxy that is no address
 */
export async function request(sender: ItemContext, options: ApiRequest): Promise<Envelope> {
	// Here, so that look-ups and the steps of an operation have the same way to the service as its own request.
	const settings = settingsFrom(
		sender.getNodeParameter('requestOptions', {}),
		failure(sender, sender.getItemIndex()),
	);
	return await runOf(sender).retryPolicy.run(
		async () => await apiRequest.call(sender, { ...settings, ...options }),
		// Of a change that failed in any other way nobody knows whether it was carried out.
		(options.method ?? 'GET') === 'GET' ? {} : { isRetryable: isTooMany },
	);
}

function requestOf({
	method = 'GET',
	url = '',
	qs,
	body,
	timeout,
}: DeclarativeRestApiSettings.HttpRequestOptions): ApiRequest {
	const made: ApiRequest = { method, url };
	if (timeout !== undefined) made.timeout = timeout;
	if (isDataObject(qs) && Object.keys(qs).length > 0) made.qs = qs;
	if (body instanceof MultipartBody || isDataObject(body)) made.body = body;
	return made;
}
