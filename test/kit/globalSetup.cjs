const { randomInt } = require('node:crypto');
const { runFolder } = require('./temporaryFolder.cjs');

/**
 * jest's `globalSetup`: creates the temporary folder of the run, and chooses one seed for all its property tests. The number in
 * PROPERTY_SEED, by default a fixed one. `random`, as in the nightly run, is printed, so that anyone can repeat the run.
 */
module.exports = function globalSetup() {
	process.env.TEST_RUN_FOLDER = runFolder();
	process.env.PROPERTY_SEED ??= '20260131';
	if (process.env.PROPERTY_SEED !== 'random') return;
	process.env.PROPERTY_SEED = String(randomInt(2 ** 31));
	console.log(`Property tests with PROPERTY_SEED=${process.env.PROPERTY_SEED}`);
};
