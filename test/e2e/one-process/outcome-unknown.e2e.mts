import { describe, test } from 'node:test';
import { branchingWorkflow } from '../../../sandbox/examples/outcomeUnknown.mts';
import { webhookNode } from '../../../sandbox/n8n/workflow.mts';
import { checkBranches, errorSettings } from '../support/outcomeUnknown.mts';
import { activateWebhook } from '../support/webhook.mts';
import { sharedSandbox } from './shared-sandbox.mts';

describe('an IF node finds the items with an unknown outcome', () => {
	for (const onError of errorSettings) {
		test(`with On Error ${onError}`, async () => {
			const sandbox = await sharedSandbox();
			const path = `unknown-${onError}`;
			const id = await sandbox.saveWorkflow(
				branchingWorkflow(path, sandbox.emulator, onError, webhookNode(path)),
			);
			await (
				await activateWebhook(sandbox, id, path)
			)();
			checkBranches(await sandbox.rest.nextExecution(id, new Set()), onError);
		});
	}
});
