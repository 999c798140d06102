import type { WorkflowJson, WorkflowNode } from '../../../sandbox/n8n/n8n-rest.mts';
import { packageName } from '../../../sandbox/machine/paths.mts';

export const credentialType = 'messagingServiceApi';

/** A node of n8n's own or of our package; the name is also what it says in the workflow. */
export function nodeOf(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return { name, type, typeVersion, parameters, position: [0, 0], id: name, ...more };
}

/** A node of ours; the sandbox puts its credential in. */
export function serviceNode(
	name: string,
	resource: string,
	operation: string,
	parameters: Record<string, unknown> = {},
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return nodeOf(
		name,
		`${packageName}.messagingService`,
		1,
		{ resource, operation, ...parameters },
		{ credentials: { [credentialType]: { id: '', name: '' } }, ...more },
	);
}

/** A webhook that answers at once and starts the workflow. */
export function webhookNode(path: string, name = 'Webhook'): WorkflowNode {
	return nodeOf(
		name,
		'n8n-nodes-base.webhook',
		2,
		{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		{ webhookId: path },
	);
}

/** A resource locator that holds an id. */
export function byId(value: string): Record<string, unknown> {
	return { __rl: true, mode: 'id', value };
}

/** A workflow whose nodes follow one another. */
export function chain(name: string, nodes: WorkflowNode[]): WorkflowJson {
	const connections = nodes.slice(0, -1).map((node, index) => {
		const next = { node: nodes[index + 1]?.name, type: 'main', index: 0 };
		return [node.name, { main: [[next]] }] as const;
	});
	return {
		name,
		nodes,
		connections: Object.fromEntries(connections),
		settings: { executionOrder: 'v1' },
	};
}

/** The poll times of every 10 s: n8n takes no shorter interval than a minute, but several of them. */
export const everyTenSeconds = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

export const surveySubmissions = chain('Survey submissions', [
	nodeOf(
		'Trigger',
		`${packageName}.messagingServiceTrigger`,
		1,
		{ pollTimes: everyTenSeconds, events: ['surveySubmitted'], watch: 'all', filters: {} },
		{ credentials: { [credentialType]: { id: '', name: '' } } },
	),
]);
