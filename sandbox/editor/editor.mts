import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from './chromium.mts';
import { stateFolder } from '../machine/paths.mts';
import type { Login } from '../n8n/login.mts';

const screenshotsFolder = join(stateFolder, 'screenshots');

/** n8n's editor in a headless Chromium, logged in as the owner. */
export interface Editor {
	page: Page;
	/** Opens a page of n8n by its path. */
	open: (path: string) => Promise<void>;
	/** Saves what is on the screen as `.sandbox/screenshots/<name>.png`. */
	screenshot: (name: string) => Promise<string>;
	close: () => Promise<void>;
}

/** Opens the editor of the n8n at that address and logs in through its own form. */
export async function openEditor({
	editorUrl,
	login,
}: {
	editorUrl: string;
	login: Login;
}): Promise<Editor> {
	await mkdir(screenshotsFolder, { recursive: true });
	const browser: Browser = await startChromium();
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
			open: async (path) => {
				await page.goto(`${editorUrl}${path}`);
			},
			screenshot: async (name) => {
				const path = join(screenshotsFolder, `${name}.png`);
				await page.screenshot({ path, animations: 'disabled' });
				return path;
			},
			close: async () => await browser.close(),
		};
	} catch (error) {
		await browser.close();
		throw error;
	}
}
