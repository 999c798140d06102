const chooseSeed = require('./seed.cjs');
const { runFolder } = require('./temporaryFolder.cjs');

/** jest's `globalSetup`: what all test files of a run share. */
module.exports = function globalSetup() {
	chooseSeed();
	process.env.TEST_RUN_FOLDER = runFolder();
};
