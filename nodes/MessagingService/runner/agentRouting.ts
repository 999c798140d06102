import type {
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
	PreSendAction,
} from 'n8n-workflow';

import { messageOf } from '../../shared/failure';
import { asNodeError } from '../../shared/transport/errors/apiError';
import type { Operation } from '../operations/operation';
import { toApiRequest } from './buildRequest';
import type { Item } from './item';
import { sendItem } from './request';

/** Whether a node is used as a tool: n8n gives it a type of its own then (n8n 1.123.81 and 2.41.1). */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * What an agent receives when a call fails. Thrown, the error would not reach it: AI Agent 2 gives the model an empty
 * text,
 * and AI Agent 3 of n8n 1 ends the workflow.
 */
export function errorForAgent(error: unknown, item: number): INodeExecutionData {
	const advice =
		error instanceof Error && 'description' in error && typeof error.description === 'string'
			? { advice: error.description }
			: {};
	return { json: { error: messageOf(error), ...advice }, pairedItem: { item } };
}

/**
 * An operation in n8n's own routing language: n8n runs a tool of an AI agent by it, without our runner (n8n-core 1.122.48
 * and 2.41.1). Pagination is the only part of a routing that may send requests itself.
 */
export function routingOf(operation: Operation): INodePropertyRouting {
	const { endpoint: [method, url] = [], body, preSend = [] } = operation;
	return {
		request: { method, url, body },
		send: { paginate: true, preSend: preSend.map(leavesError) },
		operations: {
			async pagination(this: Item, { options }): Promise<INodeExecutionData[]> {
				try {
					if (ERROR in options) throw options[ERROR];
					return await sendItem(operation, this, await toApiRequest(operation, this, options));
				} catch (error) {
					if (!isTool(this.getNode())) throw asNodeError(this.getNode(), error);
					return [errorForAgent(error, this.getItemIndex())];
				}
			},
		},
	};
}

/** A field for n8n's own engine, with its checks made ready for agents; our runner reads the field itself. */
export function forAgents(field: INodeProperties): INodeProperties {
	const { routing, type, options } = field;
	const ready = { ...field };
	if (routing?.send?.preSend) {
		const preSend = routing.send.preSend.map(leavesError);
		ready.routing = { ...routing, send: { ...routing.send, preSend } };
	}
	if (type === 'collection') {
		ready.options = options?.map((option) => ('type' in option ? forAgents(option) : option));
	}
	return ready;
}

/** Where a tool's request holds what a check before sending threw, until the agent can be told. */
const ERROR = Symbol('error');

function leavesError(hook: PreSendAction): PreSendAction {
	return async function (options): Promise<IHttpRequestOptions> {
		if (ERROR in options) return options;
		try {
			return await hook.call(this, options);
		} catch (error) {
			if (!isTool(this.getNode())) throw asNodeError(this.getNode(), error);
			return Object.assign(options, { [ERROR]: error });
		}
	};
}
