/** Runs a helper of a test in a separate process: `child.cjs <file>`. */
const { resolve } = require('node:path');

require('./setup.cjs');
require('tsx/cjs');

require(resolve(process.argv[2]));
