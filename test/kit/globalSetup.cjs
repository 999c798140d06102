const chooseSeed = require('./seed.cjs');
const { runFolder } = require('./temporaryFolder.cjs');

/** Jest's `globalSetup`, shared by all test files of a run. */
module.exports = function globalSetup() {
	chooseSeed();
	process.env.TEST_RUN_FOLDER = runFolder();
};
