import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { chromium, selectors, type Browser } from 'playwright-core';
import { say, step } from './progress.mts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

const howTo =
	'Chromium was not found. Install it (Debian: apt-get install chromium) or say where it is: CHROMIUM_PATH=/path/to/chromium';

async function onPath(): Promise<string | undefined> {
	const found = await execa('which', names, { reject: false });
	return found.stdout.split('\n').find((line) => line !== '');
}

async function findChromium(): Promise<string | undefined> {
	const given = process.env.CHROMIUM_PATH;
	if (given) {
		if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names no file: ${given}`);
		return given;
	}
	return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : await onPath();
}

/** Only where we may and know how to: as root on Debian and its relatives. */
async function installChromium(): Promise<void> {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(howTo);
	await step('Installing Chromium', async () => {
		const env = { DEBIAN_FRONTEND: 'noninteractive' };
		await execa('apt-get', ['update', '-qq'], { env, all: true });
		await execa('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
			env,
			all: true,
		});
	});
}

/** Starts a headless Chromium: the one of CHROMIUM_PATH, of this machine, or a freshly installed one. */
export async function startChromium(): Promise<Browser> {
	let executablePath = await findChromium();
	if (!executablePath) {
		await installChromium().catch((error: unknown) => {
			say(String(error));
			throw new Error(howTo, { cause: error });
		});
		executablePath = await findChromium();
	}
	if (!executablePath) throw new Error(howTo);
	// How n8n's editor marks its parts for tests.
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
