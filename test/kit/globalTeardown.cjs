const { rmSync } = require('node:fs');

/** jest's `globalTeardown`. */
module.exports = function globalTeardown() {
	rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
};
