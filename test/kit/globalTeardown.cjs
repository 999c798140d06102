const { rmSync } = require('node:fs');

/** jest's `globalTeardown`: removes the temporary folder of the run. */
module.exports = function globalTeardown() {
	rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
};
