import type { Locator } from 'playwright-core';
import type { WorkflowJson, WorkflowNode } from '../n8n/n8n-rest.mts';
import { packageName } from '../machine/paths.mts';
import type { Editor } from './editor.mts';

/** A node of ours on its own, as it lies in a workflow that a builder is making. */
export function loneNode(
	name: string,
	parameters: Record<string, unknown>,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return {
		id: '00000000-0000-4000-8000-000000000001',
		name,
		type: `${packageName}.messagingService`,
		typeVersion: 1,
		position: [220, 0],
		credentials: { messagingServiceApi: { id: '', name: '' } },
		parameters,
		...more,
	};
}

/** Saves workflows; the sandbox implements it. */
interface Workflows {
	saveWorkflow: (workflow: WorkflowJson) => Promise<string>;
}

/** Opens one node of a workflow that holds nothing else. Gives the part of its panel that holds the parameters. */
export async function openLoneNode(
	{ open, page }: Editor,
	{ saveWorkflow }: Workflows,
	node: WorkflowNode,
): Promise<Locator> {
	const workflow = { name: node.name, nodes: [node], connections: {}, settings: {} };
	await open(`/workflow/${await saveWorkflow(workflow)}`);
	await page.getByTestId('canvas-node').filter({ hasText: node.name }).dblclick();
	const parameters = page.getByTestId('node-parameters').first();
	await parameters.waitFor();
	return parameters;
}
