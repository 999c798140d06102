import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isDataObject } from '../../shared/guards';
import { asNodeError, failedItem } from '../../shared/service/errors';
import { MultipartBody } from '../../shared/service/multipart';
import { callService } from '../../shared/service/transport';
import { refusalOf } from './preSend';

/** An empty object as text: n8n would send no body at all for it (httpRequest of n8n-core 1.122.48 and 2.41.1). */
function keepEmptyObject(options: DeclarativeRestApiSettings.ResultOptions['options']): void {
	const { body, headers } = options;
	// Form data has no keys of its own either.
	const isPlain = isDataObject(body) && Object.getPrototypeOf(body) === Object.prototype;
	if (!isPlain || Object.keys(body).length > 0) return;
	options.body = '{}';
	options.headers = { ...headers, 'Content-Type': 'application/json' };
}

/**
 * The one door of declarative operations to the service: the engine calls it in place of a plain request.
 *
 * @param requestData what the engine made of the operation's routing
 * @returns the items that the operation's `postReceive` made, paired with their input item
 */
export async function sendRequest(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	keepEmptyObject(requestData.options);
	const { method = 'GET', body } = requestData.options;
	const itemIndex = this.getItemIndex();
	try {
		const refusal = refusalOf(requestData.options);
		if (refusal !== undefined) throw asNodeError(this.getNode(), refusal);
		const items = await callService(
			this,
			method,
			async () => await this.makeRoutingRequest(requestData),
		);
		// n8n pairs items by itself only when one came in or as many went out as came in (n8n-core 2.41.1).
		for (const item of items) item.pairedItem = { item: itemIndex };
		return items;
	} catch (error) {
		return [failedItem(this, error, itemIndex)];
	} finally {
		if (body instanceof MultipartBody) body.close();
	}
}
