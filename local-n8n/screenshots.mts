import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openEditor, openNode, type Editor } from './editor/editor.mts';
import { buildFirstSurvey } from './editor/first-survey.mts';
import { approving } from './examples/approving.mts';
import { branchingWorkflow } from './examples/outcomeUnknown.mts';
import { pulseRounds } from './examples/tables.mts';
import { twoApprovers } from './examples/twoApprovers.mts';
import type { WorkflowJson } from './n8n/n8n-rest.mts';
import { manualStart, serviceNode } from './n8n/workflow.mts';
import { exampleFiles, exampleWorkflow, fillers, type LocalN8n } from './local-n8n.mts';
import { runLocalN8n } from './run.mts';
import { repositoryRoot } from './machine/paths.mts';
import { say, step } from './terminal/progress.mts';

const manual = 'When clicking Execute workflow';

const imagesFolder = join(repositoryRoot, 'docs', 'images');

const window = { width: 1280, height: 800 };

/** Opens a part of the editor and saves pictures of it. */
type Scene = (editor: Editor, localN8n: LocalN8n) => Promise<void>;

/** Makes the window so high that a part of it shows everything without scrolling. */
async function showAll({ page }: Editor, part: Locator): Promise<void> {
	const hidden = await part.evaluate((element) => element.scrollHeight - element.clientHeight);
	await page.setViewportSize({ ...window, height: window.height + hidden });
}

/** Saves the screen or a part of it as a picture for the documentation. */
async function save({ page }: Editor, name: string, part?: Locator): Promise<void> {
	await page.mouse.move(0, 0);
	for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click();
	await page.locator('.el-notification').first().waitFor({ state: 'hidden' });
	// Panels slide in after their content is loaded.
	await page.waitForLoadState('networkidle');
	const path = join(imagesFolder, `${name}.png`);
	await (part ?? page).screenshot({ path, animations: 'disabled' });
	say(`  docs/images/${name}.png`);
}

const surveyForm = serviceNode('Create survey', 'survey', 'create', {
	name: 'How are you?',
	campaignDescription: 'Two questions about your first month',
	questionsInput: 'builder',
	questions: {
		question: [
			{
				templateCode: 'radio',
				title: 'Did somebody show you around?',
				fork: true,
				questionId: 'tour',
				options: { option: [{ value: 'Yes' }, { value: 'No', branchQuestions: 'missed' }] },
			},
			{ templateCode: 'textarea', title: 'What did you miss?', branch: true, questionId: 'missed' },
		],
	},
});

/** Runs a workflow in the editor, and approves what it asks. */
async function runInEditor(
	{ open, page }: Editor,
	{ saveWorkflow, emulator }: LocalN8n,
	workflow: WorkflowJson,
	which: 'all' | 'first' = 'all',
): Promise<void> {
	await open(`/workflow/${await saveWorkflow(workflow)}`);
	await page.getByTestId('execute-workflow-button').click();
	const success = page.getByText('Workflow executed successfully').waitFor({ timeout: 150_000 });
	await approving(emulator, success, which);
}

/** Shows the output of the open node in this view of n8n. Returns the panel with the output. */
async function showOutput({ page }: Editor, view: 'Schema' | 'Table'): Promise<Locator> {
	const output = page.getByTestId('output-panel').or(page.getByTestId('ndv-output-panel'));
	await output.getByText(view, { exact: true }).click();
	return output.first();
}

/** The scenes for the pictures of the README and of the pages in `docs`. */
const scenes: Record<string, Scene> = {
	'the credential, tested': async (editor, { credential }) => {
		await editor.open(`/home/credentials/${credential.id}`);
		await editor.page.getByTestId('credentials-config-container-test-success').waitFor();
		await save(editor, 'credential-test');
	},
	'the branch for unknown outcomes': async (editor, localN8n) => {
		const { emulator } = localN8n;
		const onError = 'continueErrorOutput';
		const workflow = branchingWorkflow('Unknown outcomes', emulator, onError, manualStart);
		await runInEditor(editor, localN8n, workflow);
		await save(editor, 'outcome-unknown');
	},
	'two approvers': async (editor, localN8n) => {
		const [approver] = localN8n.emulator.state.people.values();
		const workflow = twoApprovers(manualStart, approver?.email ?? '', 0.02);
		await runInEditor(editor, localN8n, workflow, 'first');
		await save(editor, 'two-approvers');
	},
	'the form of a survey': async (editor, localN8n) => {
		const parameters = await openNode(editor, localN8n, surveyForm);
		await parameters.getByText('Question ID').last().waitFor();
		await showAll(editor, parameters);
		await save(editor, 'survey-builder', parameters);
	},
	'the page of survey results': async (editor, localN8n) => {
		const workflow = await exampleWorkflow('survey-results-by-team.json');
		const execution = await localN8n.runWorkflow(workflow, 'Survey closed');
		await editor.page.setViewportSize({ width: 900, height: 825 });
		await editor.page.setContent(String(execution.items('Page')[0]?.json.html));
		await save(editor, 'survey-results-page');
	},
	'the page of the pulse trend': async (editor, localN8n) => {
		await localN8n.dataTables.insert('Pulse results', pulseRounds());
		const execution = await localN8n.runWorkflow(await exampleWorkflow('pulse-trend.json'), manual);
		await localN8n.dataTables.clear('Pulse results');
		await editor.page.setViewportSize({ width: 900, height: 630 });
		await editor.page.setContent(String(execution.items('Page')[0]?.json.html));
		await save(editor, 'pulse-trend-page');
	},
	'the first survey': async (editor, localN8n) => {
		const { page } = editor;
		// Narrow parts of the window are readable on a phone.
		const parts = { find: 'node-creator', fill: 'node-parameters' };
		await buildFirstSurvey(editor, localN8n, async (moment) => {
			const part =
				moment === 'sent'
					? await showOutput(editor, 'Schema')
					: page.getByTestId(parts[moment]).first();
			if (moment === 'fill') await showAll(editor, part);
			await save(editor, `first-survey-${moment}`, part);
			if (moment === 'fill') {
				await page.emulateMedia({ colorScheme: 'dark' });
				await save(editor, 'launch-dark', part);
				await page.emulateMedia({ colorScheme: 'light' });
				await page.setViewportSize(window);
			}
		});
	},
};

/**
 * The examples that also have a picture of a node's panel: the node, the view of its output, and the name of the picture.
 */
const nodesOfExamples: Record<string, { node: string; view: 'Schema' | 'Table'; picture: string }> =
	{
		'nightly-group-sync.json': { node: 'Sync the group', view: 'Table', picture: 'sync' },
		'survey-submission-alert.json': { node: 'New submission', view: 'Schema', picture: 'trigger' },
	};

const recipesFolder = join(repositoryRoot, 'docs', 'recipes');
const recipes = (await readdir(recipesFolder)).map((file) =>
	readFileSync(join(recipesFolder, file), 'utf8'),
);

for (const file of await exampleFiles()) {
	const name = file.replace(/\.json$/, '');
	if (!recipes.join().includes(`images/${name}.png`)) continue;
	scenes[`the example ${name}`] = async (editor, localN8n) => {
		const filler = fillers[file];
		if (filler) {
			const workflow = await exampleWorkflow(filler.file);
			await localN8n.runWorkflow(workflow, filler.trigger ?? manual);
		}
		await runInEditor(editor, localN8n, await exampleWorkflow(file));
		await save(editor, name);
		const inner = nodesOfExamples[file];
		if (inner === undefined) return;
		await editor.page.getByTestId('canvas-node').filter({ hasText: inner.node }).first().dblclick();
		await editor.page.getByTestId('node-parameters').first().waitFor();
		await showOutput(editor, inner.view);
		await save(editor, inner.picture, editor.page.getByTestId('ndv'));
	};
}

await runLocalN8n(
	{ name: 'pictures-2', fresh: true },
	async (localN8n) => {
		const editor = await openEditor(localN8n);
		localN8n.cleanups.add(editor.stop);
		await mkdir(imagesFolder, { recursive: true });
		const words = process.argv.slice(2);
		for (const [name, scene] of Object.entries(scenes)) {
			if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
			await step(`Showing ${name}`, async () => {
				await editor.page.setViewportSize(window);
				await scene(editor, localN8n);
			});
		}
	},
	{ keepRunning: false, command: 'npm run screenshots' },
);
