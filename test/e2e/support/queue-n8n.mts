import assert from 'node:assert/strict';
import type { Execution, WorkflowJson } from '../../../local-n8n/n8n/n8n-rest.mts';
import { startQueueN8n } from '../../../local-n8n/queue-mode.mts';
import { folder, line } from '../settings.mts';
import { sharedByAllTests } from './shared.mts';
import { activateWebhook } from './webhook.mts';

/** Returns the main process, two workers and an emulator, shared by all tests in the folder. */
export const queueN8n = sharedByAllTests(
	async () => await startQueueN8n({ line, name: `${folder}-${line}`, fresh: true }),
);

/** Saves and activates a workflow with a webhook on this path. */
export async function activate(workflow: WorkflowJson, path: string) {
	const localN8n = await queueN8n();
	const { rest, workerOf } = localN8n;
	const id = await localN8n.saveWorkflow(workflow);
	const post = await activateWebhook(localN8n, id, path);
	return {
		id,
		post,
		/** Calls the webhook and waits until the execution ends. Fails if no worker ran the execution. */
		run: async (): Promise<Execution> => {
			const known = new Set((await rest.executionStatuses(id)).map((execution) => execution.id));
			await post();
			const execution = await rest.nextExecution(id, known);
			assert.ok(await workerOf(execution.id), 'no worker ran the execution');
			return execution;
		},
	};
}
