import type { INodeTypeDescription } from 'n8n-workflow';

import { row } from './parameters.mts';
import { resourcesOf } from './reference.mts';

/** What is read of an example workflow. */
export type Workflow = {
	name: string;
	nodes: Array<{ name: string; type: string; parameters: Record<string, unknown> }>;
};

const OURS = 'n8n-nodes-messaging-service.';

/** An example as Markdown: what its notes on the canvas say, then its nodes. */
export function workflowSteps({ nodes }: Workflow, node: INodeTypeDescription): string {
	const notes = nodes
		.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
		.map(({ parameters }) => String(parameters.content).trim());
	const steps = nodes
		.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
		.map((step) => row([step.name, nodeInWords(step, node)]));
	return [...notes, ['| node | what it is |', '|---|---|', ...steps].join('\n')].join('\n\n');
}

function nodeInWords(
	{ type, parameters }: Workflow['nodes'][number],
	description: INodeTypeDescription,
): string {
	if (!type.startsWith(OURS)) return `n8n's own: ${type.replace('n8n-nodes-base.', '')}`;
	if (type !== `${OURS}${description.name}`) return 'Messaging Service Trigger';
	const resource = resourcesOf(description).find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(({ value }) => value === parameters.operation);
	return `Messaging Service, ${resource?.name ?? ''}: ${operation?.name ?? ''}`;
}
