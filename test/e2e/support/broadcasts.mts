import assert from 'node:assert/strict';
import pWaitFor from 'p-wait-for';
import { twoApprovers } from '../../../local-n8n/examples/twoApprovers.mts';
import { serviceNode, webhookNode } from '../../../local-n8n/n8n/workflow.mts';
import type { Execution, WorkflowNode } from '../../../local-n8n/n8n/n8n-rest.mts';
import type { LocalN8n } from '../../../local-n8n/local-n8n.mts';
import { activateWebhook } from './webhook.mts';

/** Returns a Send and Wait node that asks a person known to the service. */
export function askNode(
	{ emulator }: LocalN8n,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	const [approver] = emulator.state.people.values();
	return serviceNode('Ask', 'broadcast', 'sendAndWait', {
		title: 'Send the newsletter?',
		message: '12,000 people get it tomorrow.\n<b>Send it?</b>',
		recipientsFrom: 'emails',
		recipientEmails: approver?.email ?? '',
		...parameters,
	});
}

/** Calls `start` and waits for the broadcast that it sends. Returns the broadcast and the link in it. */
export async function nextBroadcast({ emulator }: LocalN8n, start: () => unknown) {
	const { broadcasts } = emulator.state;
	const known = new Set([...broadcasts.values()]);
	await start();
	const broadcast = await pWaitFor(
		() => {
			const found = [...broadcasts.values()].find((one) => !known.has(one));
			return found ? pWaitFor.resolveWith(found) : false;
		},
		{ interval: 50, timeout: 30_000 },
	);
	return { broadcast, link: String(broadcast.actionLink) };
}

/** Waits until the last execution of a workflow has the status `waiting`. */
export async function untilWaiting({ rest }: LocalN8n, workflowId: string): Promise<void> {
	await pWaitFor(
		async () => (await rest.executionStatuses(workflowId)).at(-1)?.status === 'waiting',
		{ interval: 100, timeout: 30_000 },
	);
}

/** Submits a form to a link. Returns the page that n8n responds with. */
export async function submit(link: string, form: Record<string, string>): Promise<string> {
	const response = await fetch(link, { method: 'POST', body: new URLSearchParams(form) });
	return await response.text();
}

/**
 * Lets a manager approve. Then lets the time of the director end. Fails if the workflow takes the approval of the manager for
 * one of the director.
 */
export async function checkSecondApprover(
	localN8n: LocalN8n,
	path: string,
	onError?: string,
): Promise<Execution> {
	const [approver] = localN8n.emulator.state.people.values();
	const start = webhookNode(path);
	const workflow = twoApprovers(start, approver?.email ?? '', 0.02, onError);
	const id = await localN8n.saveWorkflow({ ...workflow, name: path });
	const manager = await nextBroadcast(localN8n, await activateWebhook(localN8n, id, path));
	await untilWaiting(localN8n, id);
	const director = await nextBroadcast(
		localN8n,
		async () => await submit(manager.link, { decision: 'approve' }),
	);
	const execution = await localN8n.rest.nextExecution(id, new Set());
	assert.equal(execution.status, 'success', execution.error);
	assert.deepEqual([execution.ran('Send it'), execution.ran('Do not send it')], [false, true]);
	const [{ json } = { json: {} }, ...others] = execution.items('Do not send it');
	assert.deepEqual([json.broadcastId, json.data, others], [director.broadcast._id, undefined, []]);
	return execution;
}
