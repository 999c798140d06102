const chooseSeed = require('./seed.cjs');
const { runFolder } = require('./temporaryFolder.cjs');

/** jest's `globalSetup`: chooses the seed and creates the temporary folder of the run. */
module.exports = function globalSetup() {
	chooseSeed();
	process.env.TEST_RUN_FOLDER = runFolder();
};
