import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSecondApprover } from '../support/broadcasts.mts';
import { queueN8n } from '../support/queue-n8n.mts';

test('Send and Wait in queue mode: a director who does not respond in time has not approved', async () => {
	const localN8n = await queueN8n();
	const execution = await checkSecondApprover(localN8n, 'two-approvers');
	assert.ok(await localN8n.workerOf(execution.id));
});
