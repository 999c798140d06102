import { chain, nodeOf, serviceNode } from '../n8n/workflow.mts';
import type { WorkflowJson, WorkflowNode } from '../n8n/n8n-rest.mts';

/** Returns an If node whose first output is for items that were approved. */
function approved(name: string): WorkflowNode {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const leftValue = '={{ $json.data?.approved === true }}';
	return nodeOf(name, 'n8n-nodes-base.if', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [{ id: name, leftValue, rightValue: '', operator }],
			combinator: 'and',
		},
		options: {},
	});
}

/**
 * Returns a workflow that asks a manager and then a director. The director has `minutes` to respond.
 *
 * @param approver the address of a person whom the service knows
 */
export function twoApprovers(
	start: WorkflowNode,
	approver: string,
	minutes: number,
	onError: string | undefined = undefined,
): WorkflowJson {
	const ask = (name: string, options: object = {}) =>
		serviceNode(
			name,
			'broadcast',
			'sendAndWait',
			{
				title: 'Send the newsletter?',
				message: '12,000 people get it tomorrow.',
				recipientsFrom: 'emails',
				recipientEmails: approver,
				approvalOptions: { values: { approvalType: 'double' } },
				options,
			},
			onError === undefined ? {} : { onError },
		);
	const values = {
		limitType: 'afterTimeInterval',
		resumeAmount: minutes,
		resumeUnit: 'minutes',
	};
	const noOp = (name: string) => nodeOf(name, 'n8n-nodes-base.noOp', 1, {});
	const steps = [
		start,
		ask('Ask manager'),
		approved('Manager approved?'),
		ask('Ask director', { limitWaitTime: { values } }),
		approved('Director approved?'),
		noOp('Send it'),
	].map((node, index) => ({ ...node, position: [index * 200, 0] }));
	const workflow = chain('Two approvers', steps);
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const stop = 'Do not send it';
	workflow.connections['Manager approved?'] = { main: [to('Ask director'), to(stop)] };
	workflow.connections['Director approved?'] = { main: [to('Send it'), to(stop)] };
	return { ...workflow, nodes: [...steps, { ...noOp(stop), position: [800, 220] }] };
}
