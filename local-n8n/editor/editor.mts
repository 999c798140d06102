import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { stateFolder } from '../machine/paths.mts';
import type { Login } from '../n8n/login.mts';
import type { WorkflowJson, WorkflowNode } from '../n8n/n8n-rest.mts';
import { chain } from '../n8n/workflow.mts';
import { startChromium } from './chromium.mts';

const screenshotsFolder = join(stateFolder, 'screenshots');

/** n8n's editor in a headless Chromium, logged in as the owner. */
export type Editor = Awaited<ReturnType<typeof openEditor>>;

/** Opens the editor and logs in through the login form. */
export async function openEditor({ editorUrl, login }: { editorUrl: string; login: Login }) {
	await mkdir(screenshotsFolder, { recursive: true });
	const browser = await startChromium();
	try {
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
		page.setDefaultTimeout(30_000);
		await page.goto(`${editorUrl}/signin`);
		await page.locator('input[type=email]').fill(login.email);
		await page.locator('input[type=password]').fill(login.password);
		await page.locator('input[type=password]').press('Enter');
		await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
		return {
			page,
			open: async (path: string) => void (await page.goto(`${editorUrl}${path}`)),
			/** Saves the screen as `.local-n8n/screenshots/<name>.png`. */
			screenshot: async (name: string) => {
				const path = join(screenshotsFolder, `${name}.png`);
				await page.screenshot({ path, animations: 'disabled' });
			},
			stop: async () => await browser.close(),
		};
	} catch (error) {
		await browser.close();
		throw error;
	}
}

/** Saves a workflow with only this node, and opens the node. Returns the part of the node's panel with the parameters. */
export async function openNode(
	{ open, page }: Editor,
	{ saveWorkflow }: { saveWorkflow: (workflow: WorkflowJson) => Promise<string> },
	node: WorkflowNode,
): Promise<Locator> {
	await open(`/workflow/${await saveWorkflow(chain(node.name, [node]))}`);
	await page.getByTestId('canvas-node').filter({ hasText: node.name }).dblclick();
	const parameters = page.getByTestId('node-parameters').first();
	await parameters.waitFor();
	return parameters;
}
