import type {
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { failure, messageOf } from '../../shared/failure';
import { asNodeError } from '../../shared/transport/errors/apiError';
import type { Operation } from './declaration';
import { itemOf } from './item';
import { buildRequest, sendingFields, sendItem } from './request';

/**
 * Whether an AI agent uses the node as a tool. n8n then adds "Tool" to the end of the node's type (n8n 1.123.81 and
 * 2.41.1).
 */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * Returns the output that tells an agent why its call failed. A thrown error would not reach the agent. AI Agent 2
 * would pass the model an empty text, and AI Agent 3 of n8n 1 would end the workflow.
 */
export function errorForAgent(error: unknown, item: number): INodeExecutionData {
	const advice =
		error instanceof Error && 'description' in error && typeof error.description === 'string'
			? { advice: error.description }
			: {};
	return { json: { error: messageOf(error), ...advice }, pairedItem: { item } };
}

/**
 * Translates an operation to n8n's routing language. For a tool of AI Agent 2 or of the MCP Server Trigger, n8n uses this
 * routing instead of our runner (n8n-core 1.122.48 and 2.41.1). All the work is done in `pagination`, the only part of a
 * routing whose code can send requests.
 */
export function routingOf(operation: Operation): INodePropertyRouting {
	const { endpoint: [method, url] = [] } = operation;
	return {
		request: { method, url },
		send: { paginate: true },
		operations: {
			async pagination(this: IExecuteSingleFunctions): Promise<INodeExecutionData[]> {
				const node = this.getNode();
				const item = itemOf(this);
				try {
					if (operation.notAsTool) throw failure(item)(...operation.notAsTool);
					const fields = sendingFields(operation, node);
					return await sendItem(operation, item, await buildRequest(operation, fields, item));
				} catch (error) {
					if (!isTool(node)) throw asNodeError(node, error);
					return [errorForAgent(error, this.getItemIndex())];
				}
			},
		},
	};
}
