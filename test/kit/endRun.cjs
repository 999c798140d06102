const { rmSync } = require('node:fs');

/** jest's `globalTeardown`. */
module.exports = function endRun() {
	rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
};
