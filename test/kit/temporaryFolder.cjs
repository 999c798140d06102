const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const PREFIX = join(tmpdir(), 'messaging-service-test-');

/**
 * A folder for what n8n-core writes. In jest it lies in the one that the whole run removes at its end (globalTeardown.cjs), because a
 * test file has no end of its own; elsewhere the process removes it.
 */
exports.temporaryFolder = () => {
	const { TEST_RUN_FOLDER } = process.env;
	if (TEST_RUN_FOLDER) return mkdtempSync(join(TEST_RUN_FOLDER, 'n8n-'));
	const folder = mkdtempSync(PREFIX);
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	return folder;
};

/** The folder of a whole run. */
exports.runFolder = () => mkdtempSync(PREFIX);
