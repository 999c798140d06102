import pWaitFor from 'p-wait-for';
import { serviceNode } from '../../../sandbox/n8n/workflow.mts';
import type { WorkflowNode } from '../../../sandbox/n8n/n8n-rest.mts';
import type { Sandbox } from '../../../sandbox/sandbox.mts';

/** Returns a Send and Wait node that asks a person known to the service. */
export function askNode(
	{ emulator }: Sandbox,
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
export async function nextBroadcast({ emulator }: Sandbox, start: () => unknown) {
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
export async function untilWaiting({ rest }: Sandbox, workflowId: string): Promise<void> {
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
