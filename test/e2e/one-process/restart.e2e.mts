import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import type { WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { sharedSandbox } from './shared-sandbox.mts';

const everySecond: WorkflowJson = {
	name: 'Every second',
	nodes: [
		{
			id: '00000000-0000-4000-8000-000000000001',
			name: 'Every second',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			position: [0, 0],
			parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
		},
	],
	connections: {},
	settings: { executionOrder: 'v1' },
};

describe('an active workflow', () => {
	test('runs, and goes on after n8n was killed and started again', async () => {
		const sandbox = await sharedSandbox();
		const { rest } = sandbox;
		const id = await sandbox.saveWorkflow(everySecond);
		const runs = async () => (await rest.executions(id)).length;
		await rest.activate(id);
		await pWaitFor(async () => (await runs()) > 0, { interval: 200, timeout: 15_000 });

		await sandbox.kill();
		await assert.rejects(fetch(sandbox.editorUrl));
		await sandbox.restart();
		const before = await runs();
		await pWaitFor(async () => (await runs()) > before, { interval: 200, timeout: 15_000 });
		await rest.deactivate(id);
	});
});
