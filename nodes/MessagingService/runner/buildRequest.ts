import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeProperties,
	INodePropertyRouting,
	PreSendAction,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { isDataObject } from '../../shared/typeGuards';
import type { ItemContext } from './itemContext';
import type { Operation } from '../operations/operation';

/** A field that sends something. `entries` are those of a collection. */
type SendingField = {
	name: string;
	isLocator: boolean;
	routing?: INodePropertyRouting;
	entries: Array<{ name: string; routing: INodePropertyRouting }>;
};

/** What an operation's declaration says about its requests, read once a node run. */
export type Declaration = {
	routing: INodePropertyRouting;
	fields: SendingField[];
};

/**
 * Reads an operation's declaration the way n8n's own engine does (RoutingNode of n8n-core 1.122.48 and 2.41.1): the
 * fields that the node's parameters show on the screen, each with its routing.
 */
export function declarationOf({ routing = {}, fields }: Operation, node: INode): Declaration {
	return {
		routing,
		fields: fields
			.filter((field) => NodeHelpers.displayParameter(node.parameters, field, node, null))
			.map(sendingField)
			.filter(({ routing: own, entries }) => own !== undefined || entries.length > 0),
	};
}

/** The request that an item's parameters make, checked and converted; nothing is sent. @throws what a hook throws */
export async function requestFor(
	{ routing, fields }: Declaration,
	sender: ItemContext,
): Promise<DeclarativeRestApiSettings.ResultOptions> {
	const { request = {}, send } = routing;
	const qs: IDataObject = {};
	const body: IDataObject = { ...(isDataObject(request.body) ? request.body : {}) };
	const preSend: PreSendAction[] = [...(send?.preSend ?? [])];
	const enter = (own: INodePropertyRouting, value: unknown): void => {
		const { type, property, preSend: hooks = [] } = own.send ?? {};
		if (property !== undefined) setAt(type === 'query' ? qs : body, property.split('.'), value);
		preSend.push(...hooks);
	};
	for (const { name, isLocator, routing: own, entries } of fields) {
		const value: unknown = sender.getNodeParameter(name, '', { extractValue: isLocator });
		if (own) enter(own, value);
		if (!isDataObject(value)) continue;
		for (const entry of entries) {
			if (Object.hasOwn(value, entry.name)) enter(entry.routing, value[entry.name]);
		}
	}
	const { method = 'GET', url = '' } = request;
	let options: IHttpRequestOptions = { method, url, qs, body };
	for (const hook of preSend) options = await hook.call(sender, options);
	return { options, preSend: [], postReceive: [] };
}

function sendingField({ name, type, routing, options = [] }: INodeProperties): SendingField {
	const entries: SendingField['entries'] = [];
	if (type === 'collection') {
		for (const entry of options) {
			if ('type' in entry && entry.routing) {
				entries.push({ name: entry.name, routing: entry.routing });
			}
		}
	}
	return { name, isLocator: type === 'resourceLocator', routing, entries };
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
