import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor, type Editor } from './editor/editor.mts';
import { exampleWorkflow, type Sandbox } from './sandbox.mts';
import { runInSandbox } from './run-in-sandbox.mts';
import type { WorkflowNode } from './n8n/n8n-rest.mts';
import { repositoryRoot } from './machine/paths.mts';
import { step } from './terminal/progress.mts';

const imagesFolder = join(repositoryRoot, 'docs', 'images');

type Picture = (editor: Editor, sandbox: Sandbox) => Promise<void>;

/** A node on its own, as it lies in a workflow that a builder is making. */
const surveyNode: WorkflowNode = {
	id: '00000000-0000-4000-8000-000000000001',
	name: 'Create a survey',
	type: 'n8n-nodes-messaging-service.messagingService',
	typeVersion: 1,
	position: [220, 0],
	credentials: { messagingServiceApi: { id: '', name: '' } },
	parameters: {
		resource: 'survey',
		operation: 'create',
		name: 'How are you?',
		description: 'Three questions about your first month',
		questionsInput: 'builder',
		questions: {
			question: [
				{ templateCode: 'rating', title: 'How do you feel?', zeroLabel: 'Bad', tenLabel: 'Great' },
				{
					templateCode: 'radio',
					title: 'Did somebody show you around?',
					fork: true,
					questionId: 'tour',
					options: {
						option: [{ value: 'Yes' }, { value: 'No', branchQuestions: 'missed' }],
					},
				},
				{
					templateCode: 'textarea',
					title: 'What did you miss?',
					branch: true,
					questionId: 'missed',
				},
			],
		},
	},
};

/** Opens one node of a new workflow. */
const showNode =
	(node: WorkflowNode): Picture =>
	async ({ page, open }, sandbox) => {
		const workflow = { name: node.name, nodes: [node], connections: {}, settings: {} };
		await open(`/workflow/${await sandbox.saveWorkflow(workflow)}`);
		await page.getByTestId('canvas-node').filter({ hasText: node.name }).dblclick();
		await page.getByTestId('ndv').or(page.getByTestId('node-parameters')).first().waitFor();
	};

/** Opens an example on the canvas, and then one of its nodes. */
const showExample =
	(file: string, nodeName?: string): Picture =>
	async ({ page, open }, sandbox) => {
		await open(`/workflow/${await sandbox.saveWorkflow(await exampleWorkflow(file))}`);
		const nodes = page.getByTestId('canvas-node');
		await nodes.first().waitFor();
		if (nodeName === undefined) return;
		await nodes.filter({ hasText: nodeName }).first().dblclick();
		await page.getByTestId('node-parameters').first().waitFor();
	};

/** The README's pictures: file name to how to bring it on the screen. */
const pictures: Record<string, Picture> = {
	'credential-test': async ({ page, open }, { credential }) => {
		await open(`/home/credentials/${credential.id}`);
		await page.getByTestId('credentials-config-container-test-success').waitFor();
	},
	'nightly-group-sync': showExample('nightly-group-sync.json'),
	sync: showExample('nightly-group-sync.json', 'Sync the group'),
	trigger: showExample('survey-submission-alert.json', 'New submission'),
	'survey-builder': showNode(surveyNode),
};

await runInSandbox(
	{ name: 'pictures-2', fresh: true },
	async (sandbox) => {
		const editor = await openEditor(sandbox);
		sandbox.closers.add(editor.close);
		await mkdir(imagesFolder, { recursive: true });
		for (const [name, bringUp] of Object.entries(pictures)) {
			await step(`Taking docs/images/${name}.png`, async () => {
				await bringUp(editor, sandbox);
				// Panels slide in after their content is there.
				await editor.page.waitForLoadState('networkidle');
				await copyFile(await editor.screenshot(name), join(imagesFolder, `${name}.png`));
			});
		}
	},
	{ keepRunning: false },
);
