import type {
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
	PreSendAction,
} from 'n8n-workflow';

import { messageOf } from '../../shared/failure';

/** Whether a node is used as a tool: n8n gives it a type of its own then (n8n 1.123.81 and 2.41.1). */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * What an agent gets of a call that failed. Thrown, the error would not reach it: AI Agent 2 gives the model an empty text,
 * and AI Agent 3 of n8n 1 ends the workflow.
 */
export function errorForAgent(error: unknown): INodeExecutionData {
	const advice =
		error instanceof Error && 'description' in error && typeof error.description === 'string'
			? { advice: error.description }
			: {};
	return { json: { error: messageOf(error), ...advice } };
}

/** Where a tool's request holds what a check before sending threw, until its answer is due. */
const REFUSAL = Symbol('refusal');

/** What a check before sending threw, with nothing sent; undefined when the request may go out. */
export function deferredError(options: object): unknown {
	return REFUSAL in options ? options[REFUSAL] : undefined;
}

/** A property for n8n's own engine, with its checks made ready for agents; our runner reads the field itself. */
export function forTools(property: INodeProperties): INodeProperties {
	const ready = property.routing ? { ...property, routing: refusable(property.routing) } : property;
	if (property.type !== 'collection') return ready;
	const options = property.options?.map((option) => ('type' in option ? forTools(option) : option));
	return options ? { ...ready, options } : ready;
}

/** A routing whose checks leave their error in the request of a tool, for `sendBy` to tell the agent. */
export function refusable(routing: INodePropertyRouting): INodePropertyRouting {
	const { send } = routing;
	if (!send?.preSend) return routing;
	return { ...routing, send: { ...send, preSend: send.preSend.map(leavesRefusal) } };
}

function leavesRefusal(hook: PreSendAction): PreSendAction {
	return async function (options): Promise<IHttpRequestOptions> {
		if (!isTool(this.getNode())) return await hook.call(this, options);
		if (deferredError(options) !== undefined) return options;
		try {
			return await hook.call(this, options);
		} catch (error) {
			return Object.assign(options, { [REFUSAL]: error });
		}
	};
}
