const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const PREFIX = join(tmpdir(), 'messaging-service-test-');

/**
 * Returns a folder for files that n8n-core writes. In jest, this folder is inside the folder of the whole run, which
 * globalTeardown.cjs removes. In any other process, the folder is removed when the process exits.
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
