import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openEditor } from '../../../local-n8n/editor/editor.mts';
import { exampleFiles, exampleWorkflow, fillers } from '../../../local-n8n/local-n8n.mts';
import { approving } from '../../../local-n8n/examples/approving.mts';
import { line } from '../settings.mts';
import { closedSurvey, runExample } from './run-example.mts';
import { sharedByAllTests } from '../support/shared.mts';
import { sharedN8n } from './shared-n8n.mts';

const noSteps = /\.(stickyNote|manualTrigger|scheduleTrigger|errorTrigger|webhook|lmChatOpenAi)$/;

/** Nodes that are not required to run, because they need a refusal, a dry run or somebody to remove. */
const sometimes = [
	'Not everything was done',
	'Return to draft',
	'Ask the approver',
	'Approved?',
	'Failure text',
	'Declined?',
	'Ask what to change',
	'Back to the author',
	'Close question',
	'No records',
	'Nobody was removed',
	'Sync: add only',
	'Somebody must look',
	'Tell somebody',
	...['Requests to add', 'Add', 'Refused request', 'One by one', 'Add one person', 'Not added'],
	...['Requests to remove', 'Remove'],
];

const TEAM = {
	templateCode: 'dropdown' as const,
	title: 'Which team are you in?',
	options: ['Sales'],
};

const files = await exampleFiles();

describe('each example, opened in the editor', () => {
	const sharedEditor = sharedByAllTests(async () => await openEditor(await sharedN8n()));

	for (const file of files) {
		test(`${file} succeeds with one click, and explains what to look at`, async () => {
			const { rest, saveWorkflow, emulator } = await sharedN8n();
			const { open, page, screenshot } = await sharedEditor();
			const filler = fillers[file];
			if (filler) await runExample(filler.file, filler);
			// The trigger's sample has the newest surveys, and other tests add surveys.
			if (file === 'pulse-results.json') await closedSurvey('Pulse now', [TEAM], [['Sales']]);
			const workflow = await exampleWorkflow(file);
			// Runs a copy, because other tests also run the example.
			const id = await saveWorkflow({ ...workflow, name: `${workflow.name} (click)` });

			await open(`/workflow/${id}`);
			await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();
			await page.getByTestId('execute-workflow-button').click();
			const execution = await approving(emulator, rest.nextExecution(id, new Set()));
			assert.equal(execution.status, 'success', execution.error);

			const steps = workflow.nodes.filter(({ type }) => !noSteps.test(type));
			const missed = steps.filter((step) => !execution.ran(step.name)).map((step) => step.name);
			assert.deepEqual(
				missed.filter((step) => !sometimes.includes(step)),
				[],
			);
			const isGreen = page.getByTestId('canvas-node-status-success');
			const pinned = Object.keys(workflow.pinData ?? {});
			const shown = steps.filter(({ name }) => !missed.includes(name) && !pinned.includes(name));
			for (const step of shown) {
				const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${step.name}"]`);
				await node.filter({ has: isGreen }).waitFor();
			}
			assert.equal(await page.getByTestId('canvas-node-status-error').count(), 0);
			await screenshot(`${file.replace('.json', '')}-n8n-${line}`);
		});
	}
});
