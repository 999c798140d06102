import type { INodeExecutionData, INodePropertyRouting } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { asNodeError } from '../../shared/transport/errors/apiError';
import type { Operation } from '../operations/operation';
import type { Item } from './item';
import { buildRequest, sendingFields, sendItem } from './itemRequest';
import { errorForAgent, isTool } from './runItems';

/**
 * Translates an operation to n8n's routing language. For a tool of AI Agent 2 or of the MCP Server Trigger, n8n uses this
 * routing instead of our runner (n8n-core 1.122.48 and 2.41.1). All the work is done in `pagination`, because no other part
 * of a routing can send requests itself.
 */
export function routingOf(operation: Operation): INodePropertyRouting {
	const { endpoint: [method, url] = [] } = operation;
	return {
		request: { method, url },
		send: { paginate: true },
		operations: {
			async pagination(this: Item): Promise<INodeExecutionData[]> {
				const node = this.getNode();
				try {
					if (operation.notAsTool) throw failure(this)(...operation.notAsTool);
					const fields = sendingFields(operation, node);
					return await sendItem(operation, this, await buildRequest(operation, fields, this));
				} catch (error) {
					if (!isTool(node)) throw asNodeError(node, error);
					return [errorForAgent(error, this.getItemIndex())];
				}
			},
		},
	};
}
