const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const PREFIX = join(tmpdir(), 'messaging-service-test-');

/**
 * Returns a folder for files that n8n-core writes. In jest, it is inside the folder of the whole run, and
 * globalTeardown.cjs removes that folder. Elsewhere, the process removes its folder when it exits.
 */
exports.temporaryFolder = () => {
	const { TEST_RUN_FOLDER } = process.env;
	if (TEST_RUN_FOLDER) return mkdtempSync(join(TEST_RUN_FOLDER, 'n8n-'));
	const folder = mkdtempSync(PREFIX);
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	return folder;
};

/** Creates the folder of a whole run. */
exports.runFolder = () => mkdtempSync(PREFIX);
