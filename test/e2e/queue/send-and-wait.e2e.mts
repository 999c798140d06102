import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { chain, nodeOf, serviceNode, webhookNode } from '../support/workflow.mts';
import { queueSandbox, switchOn } from './queue-sandbox.mts';

describe('send and wait in queue mode', () => {
	test('a worker sends, main takes the response, a worker goes on', async () => {
		const { emulator, rest, saveWorkflow, workerOf } = await queueSandbox();
		const [approver] = emulator.state.people.values();
		const ask = serviceNode('Ask', 'broadcast', 'sendAndWait', {
			title: 'Send it?',
			message: 'Tomorrow',
			recipientsFrom: 'emails',
			recipientEmails: approver?.email ?? '',
		});
		const afterwards = nodeOf('Afterwards', 'n8n-nodes-base.noOp', 1, {});
		const known = new Set([...emulator.state.broadcasts.values()]);
		const workflow = chain('Ask', [webhookNode('ask'), ask, afterwards]);
		const { id, post } = await switchOn(await saveWorkflow(workflow), 'ask');
		await post();
		const waits = async () => (await rest.executionStatuses(id)).at(-1)?.status === 'waiting';
		await pWaitFor(waits, { interval: 100, timeout: 30_000 });
		const asked = [...emulator.state.broadcasts.values()].find((one) => !known.has(one));
		const link = String(asked?.actionLink);
		for (let opened = 0; opened < 10; opened++) assert.equal((await fetch(link)).status, 200);
		assert.ok(await waits());

		const body = new URLSearchParams({ decision: 'approve' });
		assert.match(await (await fetch(link, { method: 'POST', body })).text(), /was recorded/);
		const execution = await rest.nextExecution(id, new Set());
		assert.equal(execution.status, 'success', execution.error);
		const [item] = execution.items('Afterwards');
		assert.equal(item?.json.broadcastId, asked?._id);
		assert.ok(await workerOf(execution.id));
	});
});
