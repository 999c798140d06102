import { chromium, selectors, type Browser } from 'playwright-core';
import { systemProgram } from '../machine/apt-packages.mts';

/**
 * Starts a headless Chromium: the program in CHROMIUM_PATH or on the PATH. If Chromium is not installed, tries to install Chromium.
 */
export async function startChromium(): Promise<Browser> {
	const executablePath = await systemProgram({
		title: 'Chromium',
		names: ['chromium', 'chromium-browser', 'google-chrome'],
		variable: 'CHROMIUM_PATH',
		aptPackage: 'chromium',
	});
	// n8n's editor marks its elements with this attribute.
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		headless: true,
		args: [
			// Chromium's sandbox does not work for root, and CI machines run as root.
			...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
			'--disable-gpu',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--no-first-run',
		],
	});
}
