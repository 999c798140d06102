/** Runs a test helper in a separate process: `child.cjs <file>`. */
const { resolve } = require('node:path');

require('./setup.cjs');
require('tsx/cjs');

require(resolve(process.argv[2]));
