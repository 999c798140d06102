import assert from 'node:assert/strict';
import type { Emulator } from '../../../emulator/emulator.mts';
import type { Execution, WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { chain, nodeOf, serviceNode, webhookNode } from '../../../sandbox/n8n/workflow.mts';

export const errorSettings = ['continueRegularOutput', 'continueErrorOutput'] as const;

/**
 * Returns a workflow that closes three campaigns. For the first, the response is lost; the service refuses the second. An
 * IF node separates the item with an unknown outcome from the others (docs/many-items.md).
 */
export function branchingWorkflow(
	name: string,
	emulator: Emulator,
	onError: (typeof errorSettings)[number],
): WorkflowJson {
	const ids = ['Lost', 'Refused', 'Closed'].map(
		(campaign) => emulator.state.addCampaign({ name: campaign, description: 'D', status: '1' })._id,
	);
	emulator.faults.on(`PUT /campaign/${ids[0]}/close`, 'dropAfter');
	emulator.faults.on(`PUT /campaign/${ids[1]}/close`, { refuse: 'No' });
	const condition = {
		id: 'unknown',
		leftValue: '={{ $input.item.error.context.outcomeUnknown }}',
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const nodes = [
		webhookNode(name),
		nodeOf('Campaigns', 'n8n-nodes-base.set', 3.4, {
			assignments: {
				assignments: [{ id: 'ids', name: 'ids', type: 'array', value: JSON.stringify(ids) }],
			},
			options: {},
		}),
		nodeOf('One by one', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'ids', options: {} }),
		serviceNode(
			'Close',
			'campaign',
			'close',
			{ campaignId: { __rl: true, mode: 'id', value: '={{ $json.ids }}' } },
			{ onError },
		),
		nodeOf('Unknown?', 'n8n-nodes-base.if', 2.2, {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
				conditions: [condition],
				combinator: 'and',
			},
			looseTypeValidation: true,
			options: {},
		}),
		nodeOf('Check by hand', 'n8n-nodes-base.noOp', 1, {}),
		nodeOf('Known outcome', 'n8n-nodes-base.noOp', 1, {}),
	];
	const workflow = chain(name, nodes);
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	Object.assign(workflow.connections, {
		Close: { main: onError === 'continueErrorOutput' ? [[], to('Unknown?')] : [to('Unknown?')] },
		'Unknown?': { main: [to('Check by hand'), to('Known outcome')] },
		'Check by hand': { main: [] },
	});
	return workflow;
}

/** Checks that the IF node found the item with an unknown outcome, and that each error is still a text. */
export function checkBranches(execution: Execution, onError: (typeof errorSettings)[number]): void {
	assert.equal(execution.status, 'success', execution.error);
	const errorsAt = (node: string) => execution.items(node).map(({ json }) => json.error);
	const [unknown, ...others] = errorsAt('Check by hand');
	assert.match(String(unknown), /connection broke/);
	assert.deepEqual(others, []);
	assert.deepEqual(
		errorsAt('Known outcome'),
		onError === 'continueErrorOutput' ? ['No'] : ['No', undefined],
	);
}
