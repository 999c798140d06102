import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, noOp, webhookNode } from '../../../local-n8n/n8n/workflow.mts';
import { askNode, nextBroadcast, submit, untilWaiting } from '../support/broadcasts.mts';
import { activate, queueN8n } from '../support/queue-n8n.mts';

test('Send and Wait in queue mode: a worker sends, the main process accepts the response, a worker resumes', async () => {
	const localN8n = await queueN8n();
	const { rest, workerOf } = localN8n;
	const workflow = chain('Ask', [webhookNode('ask'), askNode(localN8n), noOp('Afterwards')]);
	const { id, post } = await activate(workflow, 'ask');
	const { broadcast, link } = await nextBroadcast(localN8n, post);
	await untilWaiting(localN8n, id);
	for (let opened = 0; opened < 10; opened++) assert.equal((await fetch(link)).status, 200);
	await untilWaiting(localN8n, id);

	assert.match(await submit(link, { decision: 'approve' }), /was recorded/);
	const execution = await rest.nextExecution(id, new Set());
	assert.equal(execution.status, 'success', execution.error);
	assert.equal(execution.items('Afterwards')[0]?.json.broadcastId, broadcast._id);
	assert.ok(await workerOf(execution.id));
});
