import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import type { Resource } from '../operations/operation';
import { errorForAgent, isTool } from './agentRouting';
import { runItems } from './runItems';

/**
 * Returns the functions with which n8n runs the operations: our runner, or the operation's own function. For a tool of AI
 * Agent 2 or of the MCP Server Trigger, n8n uses the routing instead (n8n-core 1.122.48 and 2.41.1).
 */
export function customOperationsOf(
	resources: Resource[],
): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(
				operations.map((operation) => [
					operation.value,
					async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
						const node = this.getNode();
						// In n8n 2, Send and Wait can ask people to approve an agent's tool calls; its type then ends in HitlTool.
						if (operation.notAsTool && isTool(node) && !node.type.endsWith('HitlTool')) {
							return [[errorForAgent(failure(this)(...operation.notAsTool), 0)]];
						}
						if (operation.execute) return await operation.execute.call(this);
						return [await runItems(this, operation)];
					},
				]),
			),
		]),
	);
}
