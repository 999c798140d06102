import { chain, ifNode, noOp, serviceNode, to } from '../n8n/workflow.mts';
import type { WorkflowJson, WorkflowNode } from '../n8n/n8n-rest.mts';

const APPROVED = '={{ $json.data?.approved === true }}';

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
	const steps = [
		start,
		ask('Ask manager'),
		ifNode('Manager approved?', APPROVED),
		ask('Ask director', { limitWaitTime: { values } }),
		ifNode('Director approved?', APPROVED),
		noOp('Send it'),
	].map((node, index) => ({ ...node, position: [index * 200, 0] }));
	const workflow = chain('Two approvers', steps);
	const stop = 'Do not send it';
	workflow.connections['Manager approved?'] = { main: [to('Ask director'), to(stop)] };
	workflow.connections['Director approved?'] = { main: [to('Send it'), to(stop)] };
	return { ...workflow, nodes: [...steps, { ...noOp(stop), position: [800, 220] }] };
}
