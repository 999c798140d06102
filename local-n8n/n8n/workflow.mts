import { packageName } from '../machine/paths.mts';
import type { WorkflowJson, WorkflowNode } from './n8n-rest.mts';

const credentialType = 'messagingServiceApi';

/** A placeholder, which `saveWorkflow` of the local n8n replaces with the credential for the emulator. */
const credentials = { [credentialType]: { id: '', name: '' } };

/** Returns a node of n8n or of this package. Its name is also its ID. */
export function nodeOf(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return { name, type, typeVersion, parameters, position: [0, 0], id: name, ...more };
}

/** Returns a node with an operation of this package. */
export function serviceNode(
	name: string,
	resource: string,
	operation: string,
	parameters: Record<string, unknown> = {},
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	const type = `${packageName}.messagingService`;
	return nodeOf(name, type, 1, { resource, operation, ...parameters }, { credentials, ...more });
}

/** Returns an If node whose first output is for the items for which an expression is true. */
export function ifNode(name: string, leftValue: string): WorkflowNode {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	return nodeOf(name, 'n8n-nodes-base.if', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			conditions: [{ id: name, leftValue, rightValue: '', operator }],
			combinator: 'and',
		},
		looseTypeValidation: true,
		options: {},
	});
}

export const noOp = (name: string): WorkflowNode => nodeOf(name, 'n8n-nodes-base.noOp', 1, {});

/** Returns the connection of an output to a node. */
export const to = (node: string, type = 'main') => [{ node, type, index: 0 }];

/** Polls every 10 s: six schedules poll once a minute each, because n8n accepts no interval below one minute. */
const everyTenSeconds = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** Returns the trigger of this package. It polls every 10 s. */
export function triggerNode(name: string, parameters: Record<string, unknown>): WorkflowNode {
	const type = `${packageName}.messagingServiceTrigger`;
	return nodeOf(name, type, 1, { pollTimes: everyTenSeconds, ...parameters }, { credentials });
}

export const manualStart = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {});

/** Returns a webhook that responds immediately and starts the workflow. */
export function webhookNode(path: string, name = 'Webhook'): WorkflowNode {
	return nodeOf(
		name,
		'n8n-nodes-base.webhook',
		2,
		{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		{ webhookId: path },
	);
}

/** Returns a resource locator with an ID. */
export function locatorById(value: string): Record<string, unknown> {
	return { __rl: true, mode: 'id', value };
}

/** Returns a workflow that runs its nodes one after the other. */
export function chain(name: string, nodes: WorkflowNode[]): WorkflowJson {
	const connections = nodes.slice(0, -1).map((node, index) => {
		return [node.name, { main: [to(nodes[index + 1]?.name ?? '')] }] as const;
	});
	return {
		name,
		nodes,
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1' },
	};
}
