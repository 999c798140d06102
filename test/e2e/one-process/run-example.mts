import assert from 'node:assert/strict';
import { z } from 'zod';

import type { Emulator } from '../../../emulator/emulator.mts';
import { approving } from '../../../local-n8n/examples/approving.mts';
import type { WorkflowJson } from '../../../local-n8n/n8n/n8n-rest.mts';
import { exampleWorkflow } from '../../../local-n8n/local-n8n.mts';
import { sharedN8n } from './shared-n8n.mts';

const manual = 'When clicking Execute workflow';

export interface RunExampleOptions {
	trigger?: string;
	change?: (workflow: WorkflowJson) => void;
}

/**
 * Runs an example, optionally after a change to its workflow, and gives every approval that the example asks for. The run
 * may fail.
 */
export async function tryExample(
	file: string,
	{ trigger = manual, change = () => undefined }: RunExampleOptions = {},
) {
	const localN8n = await sharedN8n();
	const { emulator, runWorkflow } = localN8n;
	const workflow = await exampleWorkflow(file);
	change(workflow);
	const execution = await approving(emulator, runWorkflow(workflow, trigger));
	const output = (node: string) => execution.items(node).map(({ json }) => json);
	return { ...localN8n, state: emulator.state, execution, output };
}

/** Like `tryExample`, but fails if the run fails. */
export async function runExample(file: string, options: RunExampleOptions = {}) {
	const run = await tryExample(file, options);
	assert.equal(run.execution.error, undefined);
	return run;
}

/**
 * Adds a closed survey of 60 people. The first of these people gave the answers in `responses`. Returns the trigger's
 * event for the closed survey.
 */
export async function closedSurvey(
	name: string,
	questions: Parameters<Emulator['state']['addSurvey']>[0]['questions'],
	responses: Array<Array<string | number>>,
) {
	const { emulator } = await sharedN8n();
	const people = [...emulator.state.people.values()].slice(0, 60).map(({ _id }) => _id);
	const survey = emulator.state.addSurvey({
		...{ name, description: 'A round', questions, recipients: new Set(people), status: '1' },
	});
	for (const [index, answers] of responses.entries())
		emulator.submitResponse(survey._id, { userId: people[index], answers });
	survey.status = '3';
	return { event: 'surveyClosed', campaignId: survey._id, campaignName: name };
}

/** Sets the pinned output of nodes. */
export function pin(workflow: WorkflowJson, pinned: Record<string, object[]>): void {
	const items = Object.entries(pinned).map(([node, records]) => [
		node,
		records.map((json) => ({ json })),
	]);
	workflow.pinData = { ...Object(workflow.pinData), ...Object.fromEntries(items) };
}

/** Returns the parameters of a node. The caller may change them. */
export function parametersOf(workflow: WorkflowJson, name: string): Record<string, unknown> {
	const node = workflow.nodes.find((one) => one.name === name);
	assert.ok(node, name);
	return node.parameters;
}

const assignments = z.object({
	assignments: z.object({
		assignments: z.array(z.object({ name: z.string(), value: z.unknown() }).passthrough()),
	}),
});

/** Changes the values that a Set node sets, by name. */
export function setValues(
	workflow: WorkflowJson,
	node: string,
	values: Record<string, unknown>,
): void {
	const parameters = parametersOf(workflow, node);
	const parsed = assignments.parse(parameters);
	const all = parsed.assignments.assignments;
	for (const [name, value] of Object.entries(values)) {
		const assignment = all.find((one) => one.name === name);
		assert.ok(assignment, name);
		assignment.value = value;
	}
	Object.assign(parameters, parsed);
}
