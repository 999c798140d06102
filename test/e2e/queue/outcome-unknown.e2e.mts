import { describe, test } from 'node:test';
import { branchingWorkflow } from '../../../sandbox/examples/outcomeUnknown.mts';
import { webhookNode } from '../../../sandbox/n8n/workflow.mts';
import { checkBranches, errorSettings } from '../support/outcomeUnknown.mts';
import { activate, queueSandbox } from './queue-sandbox.mts';

describe('in a worker, an IF node finds the items with an unknown outcome', () => {
	for (const onError of errorSettings) {
		test(`with On Error ${onError}`, async () => {
			const { emulator } = await queueSandbox();
			const path = `unknown-${onError}`;
			const { run } = await activate(
				branchingWorkflow(path, emulator, onError, webhookNode(path)),
				path,
			);
			checkBranches(await run(), onError);
		});
	}
});
