const { rmSync } = require('node:fs');

/** jest's `globalTeardown`: removes the folder of the run. */
module.exports = function globalTeardown() {
	rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
};
