import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { branchingWorkflow } from '../../../local-n8n/examples/outcomeUnknown.mts';
import { webhookNode } from '../../../local-n8n/n8n/workflow.mts';
import { activate, queueN8n } from '../support/queue-n8n.mts';

describe('in a worker, an IF node finds the items with an unknown outcome', () => {
	for (const [onError, known] of [
		['continueRegularOutput', ['No', undefined]],
		['continueErrorOutput', ['No']],
	] as const) {
		test(`with On Error ${onError}`, async () => {
			const { emulator } = await queueN8n();
			const path = `unknown-${onError}`;
			const { run } = await activate(
				branchingWorkflow(path, emulator, onError, webhookNode(path)),
				path,
			);
			const execution = await run();
			assert.equal(execution.status, 'success', execution.error);
			const errorsAt = (node: string) => execution.items(node).map(({ json }) => json.error);
			const [unknown, ...others] = errorsAt('Check by hand');
			assert.match(String(unknown), /connection broke/);
			assert.deepEqual(others, []);
			assert.deepEqual(errorsAt('Known outcome'), known);
		});
	}
});
