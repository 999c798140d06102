import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isDataObject } from '../../shared/typeGuards';
import { MultipartBody } from '../../shared/transport/multipart';
import { buildPath, pathParameters } from '../../shared/transport/path';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import type { Operation } from '../operations/operation';
import type { Item } from './item';
import { resolveId } from './resolveId';

/** A field that sends something. `entries` are those of a collection. */
type SendingField = Pick<INodeProperties, 'name' | 'type' | 'routing'> & {
	entries: Array<{ name: string; routing: INodePropertyRouting }>;
};

/** The fields that the node's parameters show on the screen and that send something; read once a node run. */
export function sendingFields({ fields }: Operation, node: INode): SendingField[] {
	return fields
		.filter((field) => NodeHelpers.displayParameter(node.parameters, field, node, null))
		.map(({ name, type, routing, options = [] }) => ({
			name,
			type,
			routing,
			entries: (type === 'collection' ? options : []).flatMap((entry) =>
				'type' in entry && entry.routing ? [{ name: entry.name, routing: entry.routing }] : [],
			),
		}))
		.filter(({ routing, entries }) => routing !== undefined || entries.length > 0);
}

/**
 * The request that an item's parameters make, checked and converted the way n8n's own engine does it (RoutingNode of
 * n8n-core 1.122.48 and 2.41.1). Sends nothing but the look-ups of names.
 *
 * @throws what a check throws
 */
export async function buildRequest(
	operation: Operation,
	fields: SendingField[],
	item: Item,
): Promise<ApiRequest> {
	const qs: IDataObject = {};
	const body: IDataObject = { ...operation.body };
	const preSend = [...(operation.preSend ?? [])];
	const enter = ({ send = {} }: INodePropertyRouting, value: unknown): void => {
		const { type, property, preSend: hooks = [] } = send;
		if (property !== undefined) setAt(type === 'query' ? qs : body, property.split('.'), value);
		preSend.push(...hooks);
	};
	for (const { name, type, routing, entries } of fields) {
		const extractValue = type === 'resourceLocator';
		const value: unknown = item.getNodeParameter(name, '', { extractValue });
		if (routing) enter(routing, value);
		if (entries.length === 0 || !isDataObject(value)) continue;
		for (const entry of entries) {
			if (Object.hasOwn(value, entry.name)) enter(entry.routing, value[entry.name]);
		}
	}
	let options: IHttpRequestOptions = { url: '', qs, body };
	for (const hook of preSend) options = await hook.call(item, options);
	return await toApiRequest(operation, item, options);
}

/** The request with the IDs in its path, and without a query or body that nothing was put into. */
export async function toApiRequest(
	operation: Operation,
	item: Item,
	{ qs, body, timeout }: Pick<Partial<IHttpRequestOptions>, 'qs' | 'body' | 'timeout'>,
): Promise<ApiRequest> {
	const [method, path] = operation.endpoint ?? ['GET', ''];
	const ids: Record<string, unknown> = {};
	for (const parameter of pathParameters(path)) ids[parameter] = await resolveId(item, parameter);
	const fail = failure(item, item.getItemIndex());
	const request: ApiRequest = { method, url: buildPath(path, (parameter) => ids[parameter], fail) };
	if (timeout !== undefined) request.timeout = timeout;
	if (isDataObject(qs) && Object.keys(qs).length > 0) request.qs = qs;
	const isEmpty = isDataObject(body) && Object.keys(body).length === 0;
	if (body instanceof MultipartBody) request.body = body;
	else if (isDataObject(body) && (!isEmpty || operation.body)) request.body = body;
	return request;
}

function setAt(target: IDataObject, [key = '', ...rest]: string[], value: unknown): void {
	if (rest.length === 0) {
		Object.assign(target, { [key]: value });
		return;
	}
	const inner = target[key];
	const nested: IDataObject = isDataObject(inner) ? inner : {};
	target[key] = nested;
	setAt(nested, rest, value);
}
