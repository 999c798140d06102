import { describe, test } from 'node:test';
import { assertNothingTwice, onErrors, tenCampaigns } from '../support/ten-campaigns.mts';
import { nodeOf } from '../support/workflow.mts';
import { sharedSandbox } from './shared-sandbox.mts';

describe('ten live campaigns under Retry On Fail, of which one is refused', () => {
	for (const onError of onErrors) {
		test(`go out once each: ${onError}`, async () => {
			const { emulator, runWorkflow } = await sharedSandbox();
			const name = `Ten ${onError}`;
			const start = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {});
			const execution = await runWorkflow(tenCampaigns(name, start, emulator, onError), 'Start');
			assertNothingTwice(name, emulator, execution, onError);
		});
	}
});
