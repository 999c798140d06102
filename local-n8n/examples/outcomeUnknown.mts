import type { Emulator } from '../../emulator/emulator.mts';
import type { WorkflowJson, WorkflowNode } from '../n8n/n8n-rest.mts';
import { chain, ifNode, locatorById, nodeOf, noOp, serviceNode, to } from '../n8n/workflow.mts';

export type ErrorSetting = 'continueRegularOutput' | 'continueErrorOutput';

/**
 * Returns a workflow that closes three campaigns. The response to the first close is lost, and the service refuses the
 * second close. An IF node separates the item with an unknown outcome from the others (docs/many-items.md).
 */
export function branchingWorkflow(
	name: string,
	emulator: Emulator,
	onError: ErrorSetting,
	start: WorkflowNode,
): WorkflowJson {
	const ids = ['Lost', 'Refused', 'Closed'].map(
		(campaign) => emulator.state.addCampaign({ name: campaign, description: 'D', status: '1' })._id,
	);
	emulator.faults.on(`PUT /campaign/${ids[0]}/close`, 'dropAfter');
	emulator.faults.on(`PUT /campaign/${ids[1]}/close`, { refuse: 'No' });
	const nodes = [
		start,
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
			{ campaignId: locatorById('={{ $json.ids }}') },
			{ onError },
		),
		ifNode('Unknown?', '={{ $input.item.error.context.outcomeUnknown }}'),
		noOp('Check by hand'),
		noOp('Known outcome'),
	];
	const last = nodes.length - 2;
	for (const [index, node] of nodes.entries()) {
		node.position = [240 * Math.min(index, last), index < last ? 0 : 180 * (index - last) - 90];
	}
	const workflow = chain(name, nodes);
	Object.assign(workflow.connections, {
		Close: { main: onError === 'continueErrorOutput' ? [[], to('Unknown?')] : [to('Unknown?')] },
		'Unknown?': { main: [to('Check by hand'), to('Known outcome')] },
		'Check by hand': { main: [] },
	});
	return workflow;
}
