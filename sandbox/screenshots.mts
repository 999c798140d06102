import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openEditor, type Editor } from './editor.mts';
import { exampleWorkflow, type Sandbox } from './harness.mts';
import { hrExample } from './hr-example.mts';
import { runInSandbox } from './main.mts';
import { repositoryRoot } from './paths.mts';
import { step } from './progress.mts';

const imagesFolder = join(repositoryRoot, 'docs', 'images');

type Picture = (editor: Editor, sandbox: Sandbox) => Promise<void>;

/** The README's pictures: file name to how to bring it on the screen. */
const pictures: Record<string, Picture> = {
	'credential-test': async ({ page, open }, { credential }) => {
		await open(`/home/credentials/${credential.id}`);
		await page.getByTestId('credentials-config-container-test-success').waitFor();
	},
	'hr-example-run': async (editor, sandbox) => {
		await openHrExecution(editor, sandbox);
	},
	'add-recipients': async (editor, sandbox) => {
		const nodes = await openHrExecution(editor, sandbox);
		await nodes.filter({ hasText: 'Add to group' }).dblclick();
		await editor.page.getByTestId('parameter-input-operation').waitFor();
	},
};

let hrExecution: Promise<string> | undefined;

/** Runs the HR example. Returns the path of what it did. */
async function runHrExample(sandbox: Sandbox): Promise<string> {
	const id = await sandbox.saveWorkflow(await exampleWorkflow(hrExample.file));
	const execution = await sandbox.rest.run(id, hrExample.trigger);
	return `/workflow/${id}/executions/${execution.id}`;
}

/** Opens the first run of the HR example, the one that adds people. Returns the nodes on the canvas. */
async function openHrExecution({ page, open }: Editor, sandbox: Sandbox): Promise<Locator> {
	hrExecution ??= runHrExample(sandbox);
	await open(await hrExecution);
	const nodes = page.getByTestId('canvas-node');
	await nodes.filter({ hasText: 'Totals' }).waitFor();
	return nodes;
}

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
