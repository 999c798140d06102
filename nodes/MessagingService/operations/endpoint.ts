import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
	INodePropertyRouting,
	PostReceiveAction,
	PreSendAction,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { buildPath, checkedId, pathParameters } from '../../shared/service/path';
import { isDataObject } from '../../shared/guards';
import { openEnvelope } from '../../shared/service/envelope';
import { checkedLater } from './preSend';
import { sendRequest } from './send';

type EndpointExtras = {
	/** A JSON body that is always the same. */
	body?: IDataObject;
	/** Checks and additions to the request, before the fields' own ones. */
	preSend?: PreSendAction[];
	/** Shapes the output; gets one item with the answer's `data`. */
	postReceive?: PostReceiveAction[];
	/** Further parameters to name in the output of an operation whose answer holds no data. */
	alsoNames?: string[];
};

/**
 * The routing of one operation, written as in the service's documentation.
 *
 * @param path path with the ids as `:parameterName`, for example `/int/v1/campaign/:campaignId/close`; each is taken
 * from the parameter of that name, checked and encoded
 */
export function endpoint(
	method: IHttpRequestMethods,
	path: string,
	{ body, preSend = [], postReceive = [], alsoNames = [] }: EndpointExtras = {},
): INodePropertyRouting {
	const ids = pathParameters(path);
	return {
		request: body ? { method, url: path, body } : { method, url: path },
		send: { paginate: true, preSend: [fillPath(path), ...preSend].map(checkedLater) },
		operations: { pagination: sendRequest },
		output: { postReceive: [dataAsItem([...ids, ...alsoNames]), ...postReceive] },
	};
}

/** Sends the id that a locator holds in the JSON body, where the service wants it there and not in the path. */
export function idInBody(parameter: string): PreSendAction {
	return async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
		const id = checkedId(
			parameter,
			this.getNodeParameter(parameter, undefined, { extractValue: true }),
			(message) =>
				new NodeOperationError(this.getNode(), message, { itemIndex: this.getItemIndex() }),
		);
		request.body = { ...(isDataObject(request.body) ? request.body : {}), [parameter]: id };
		return request;
	};
}

function fillPath(path: string) {
	return async function (
		this: IExecuteSingleFunctions,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		request.url = buildPath(
			path,
			(parameter) => this.getNodeParameter(parameter, undefined, { extractValue: true }),
			(message) =>
				new NodeOperationError(this.getNode(), message, { itemIndex: this.getItemIndex() }),
		);
		// Following a redirect turns a POST into a GET: "create" would quietly become "list" (axios in n8n-core 2.41.1).
		if (request.method !== 'GET') request.disableFollowRedirect = true;
		// The engine starts every request with an empty body; an operation without fields sends none at all.
		if (isDataObject(request.body) && Object.keys(request.body).length === 0) delete request.body;
		return request;
	};
}

/** One item with the answer's `data`; without data, `success` and the ids that were worked on. */
function dataAsItem(parameters: string[]) {
	return async function (
		this: IExecuteSingleFunctions,
		_items: INodeExecutionData[],
		response: IN8nHttpFullResponse,
	): Promise<INodeExecutionData[]> {
		const { data } = openEnvelope(this.getNode(), response.body);
		if (isDataObject(data)) return [{ json: data }];
		const json: IDataObject = { success: true };
		for (const parameter of parameters) {
			json[parameter] = toJsonValue(
				this.getNodeParameter(parameter, undefined, { extractValue: true }),
			);
		}
		if (data !== undefined) json.data = toJsonValue(data);
		return [{ json }];
	};
}

function toJsonValue(value: unknown): IDataObject[string] {
	if (isDataObject(value)) return value;
	if (Array.isArray(value)) return value;
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? value
		: undefined;
}
