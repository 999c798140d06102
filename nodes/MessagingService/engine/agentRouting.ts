import type {
	IDataObject,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { failure, messageOf, type Fail } from '../../shared/failure';
import { asNodeError } from '../../shared/transport/errors/apiError';
import { truncate } from '../../shared/truncate';
import type { Resource } from './declaration';
import { itemOf } from './item';
import { requestBuilder } from './request';
import { clearListsAfterChange, sendItem } from './sendItem';

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
export function errorForAgent(error: unknown, itemIndex: number): INodeExecutionData {
	const json: IDataObject = { error: messageOf(error) };
	// The description of an error says what to do.
	if (error instanceof Error && 'description' in error && typeof error.description === 'string') {
		json.advice = error.description;
	}
	return { json, pairedItem: { item: itemIndex } };
}

/**
 * Returns the routing for the two cases in which n8n does not call `customOperations` (n8n-core 1.122.48 and 2.41.1):
 *
 * - The node is a tool of AI Agent 2 or of the MCP Server Trigger. The routing runs the operation.
 * - The operation does not exist. The routing fails, because n8n itself would send a request to the Base URL.
 *
 * The code is in `pagination`, because no other part of a routing can send requests.
 */
export function routingOf(resources: Record<string, Resource>): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecuteSingleFunctions): Promise<INodeExecutionData[]> {
				const node = this.getNode();
				const item = itemOf(this);
				try {
					const fail = failure(item);
					const { resource, operation: name } = node.parameters;
					const operations = entryNamed(resources, resource, fail, 'Resource');
					const operation = entryNamed(operations, name, fail, 'Operation');
					if (operation.notAsTool) throw fail(...operation.notAsTool);
					const request = await requestBuilder(operation)(node)(item);
					const outputs = await sendItem(operation, item, request).finally(() =>
						clearListsAfterChange(this, operation),
					);
					const [completed = outputs] = operation.finish?.([outputs], item.run.warn) ?? [];
					if (completed instanceof Error) throw completed;
					return completed;
				} catch (error) {
					if (!isTool(node)) throw asNodeError(node, error);
					return [errorForAgent(error, this.getItemIndex())];
				}
			},
		},
	};
}

/** Returns the entry with the given name. @throws if there is none. The error suggests a name that differs only in case */
function entryNamed<Entry>(
	entries: Record<string, Entry>,
	given: unknown,
	fail: Fail,
	label: string,
): Entry {
	const name = String(given ?? '');
	const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
	if (entry !== undefined) return entry;
	const names = Object.keys(entries);
	const nearest = names.find((known) => known.toLowerCase() === name.trim().toLowerCase());
	throw fail(
		`${label} is "${truncate(name, 100)}", which does not exist`,
		`${nearest ? `Did you mean "${nearest}"? ` : ''}Choose one of: ${names.join(', ')}. An expression does not work here: for several operations, use a Switch node and a node for each. Nothing was sent.`,
	);
}
