import type {
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INodeExecutionData,
	INodePropertyRouting,
	PreSendAction,
} from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isDataObject } from '../../shared/typeGuards';
import type { Envelope } from '../../shared/transport/envelope';
import { buildPath, checkedId, idsIn, pathParameters } from '../../shared/transport/path';
import type { Item, ItemContext } from '../runner/itemContext';
import { resolveId } from '../runner/resolveId';
import { request, sendBy, type Send } from '../runner/itemRequest';

/** Shapes the output from an answer of the service. `ids` are those in the path, by parameter. */
export type ToItems = (
	sender: ItemContext,
	envelope: Envelope,
	ids: Record<string, string>,
) => INodeExecutionData[];

type EndpointExtras = {
	/** A JSON body that is always the same. */
	body?: IDataObject;
	/** Checks and additions to the request, before the fields' own ones. */
	preSend?: PreSendAction[];
	/** Gives the output where it is not just the answer's `data`. */
	toItems?: ToItems;
	/** Further parameters to name in the output of an operation whose answer holds no data. */
	alsoNames?: string[];
	/** Stands in for the one request where an operation needs several. */
	send?: Send;
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
	{
		body,
		preSend = [],
		alsoNames = [],
		toItems = dataAsItem(alsoNames),
		send,
	}: EndpointExtras = {},
): INodePropertyRouting {
	return {
		request: body ? { method, url: path, body } : { method, url: path },
		send: { paginate: true, preSend: [fillPath(path), ...preSend] },
		...sendBy(
			send ??
				(async (sender, options) =>
					toItems(sender, await request(sender, options), idsIn(path, options.url))),
		),
	};
}

/** Reads a node's settings before anything is sent, so that what cannot be meant fails then. */
export function validateBeforeSend(read: (item: Item) => unknown): PreSendAction {
	return async function (this: Item, options: IHttpRequestOptions) {
		read(this);
		return options;
	};
}

/** Sends the id that a locator holds in the JSON body, where the service wants it there and not in the path. */
export function idInBody(parameter: string): PreSendAction {
	return async function (this: ItemContext, options: IHttpRequestOptions) {
		const fail = failure(this, this.getItemIndex());
		const id = checkedId(parameter, await resolveId(this, parameter), fail);
		options.body = { ...(isDataObject(options.body) ? options.body : {}), [parameter]: id };
		return options;
	};
}

/** Puts the ids of an item into the path of its request. */
export function fillPath(path: string) {
	const parameters = pathParameters(path);
	return async function (
		this: ItemContext,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const ids: Record<string, unknown> = {};
		for (const parameter of parameters) ids[parameter] = await resolveId(this, parameter);
		const fail = failure(this, this.getItemIndex());
		options.url = buildPath(path, (parameter) => ids[parameter], fail);
		// n8n's own engine starts every request with an empty body; an operation without fields sends none at all.
		if (isDataObject(options.body) && Object.keys(options.body).length === 0) delete options.body;
		return options;
	};
}

/** One item with the answer's `data`; without data, `success` and the ids that were worked on. */
function dataAsItem(alsoNames: string[]): ToItems {
	return (sender, envelope, ids) => {
		const others: IDataObject = {};
		for (const parameter of alsoNames) {
			others[parameter] = toJsonValue(
				ids[parameter] ?? sender.getNodeParameter(parameter, '', { extractValue: true }),
			);
		}
		return itemOf(envelope, { ...ids, ...others });
	};
}

/** The same for an operation that sends its requests itself. `path` is the declared one, `url` what was made of it. */
export function dataOrIds(envelope: Envelope, path: string, url: string): INodeExecutionData[] {
	return itemOf(envelope, idsIn(path, url));
}

function itemOf({ data }: Envelope, ids: IDataObject): INodeExecutionData[] {
	if (isDataObject(data)) return [{ json: data }];
	const json: IDataObject = { success: true, ...ids };
	if (data !== undefined && data !== null) json.data = toJsonValue(data);
	return [{ json }];
}

/** The answer's `data` behind the ids in the path, which it lacks itself. */
export const dataWithIds: ToItems = (_sender, { data }, ids) => [
	{ json: { ...ids, ...(isDataObject(data) ? data : {}) } },
];

/** What a deletion gives: that it is done, the ids, and what the service says of the record. */
export const deleted: ToItems = (_sender, { data }, ids) => [
	{ json: { ...ids, ...(isDataObject(data) ? data : {}), deleted: true } },
];

function toJsonValue(value: unknown): IDataObject[string] {
	if (isDataObject(value)) return value;
	if (Array.isArray(value)) return value;
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? value
		: undefined;
}
