import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, nodeOf, webhookNode } from '../../../sandbox/n8n/workflow.mts';
import {
	askNode,
	checkSecondApprover,
	nextBroadcast,
	submit,
	untilWaiting,
} from '../support/broadcasts.mts';
import { activate, queueSandbox } from '../support/queue-sandbox.mts';

test('Send and Wait in queue mode: a worker sends, the main process accepts the response, a worker resumes', async () => {
	const sandbox = await queueSandbox();
	const { rest, workerOf } = sandbox;
	const afterwards = nodeOf('Afterwards', 'n8n-nodes-base.noOp', 1, {});
	const workflow = chain('Ask', [webhookNode('ask'), askNode(sandbox), afterwards]);
	const { id, post } = await activate(workflow, 'ask');
	const { broadcast, link } = await nextBroadcast(sandbox, post);
	await untilWaiting(sandbox, id);
	for (let opened = 0; opened < 10; opened++) assert.equal((await fetch(link)).status, 200);
	await untilWaiting(sandbox, id);

	assert.match(await submit(link, { decision: 'approve' }), /was recorded/);
	const execution = await rest.nextExecution(id, new Set());
	assert.equal(execution.status, 'success', execution.error);
	assert.equal(execution.items('Afterwards')[0]?.json.broadcastId, broadcast._id);
	assert.ok(await workerOf(execution.id));
});

test('Send and Wait in queue mode: a director who does not respond in time has not approved', async () => {
	const sandbox = await queueSandbox();
	const execution = await checkSecondApprover(sandbox, 'two-approvers');
	assert.ok(await sandbox.workerOf(execution.id));
});
