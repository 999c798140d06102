/** Runs a test helper in a separate process: `child.cjs <file> [-v1]`. With -v1, it uses the packages of n8n 1.x. */
const Module = require('node:module');
const { resolve } = require('node:path');

require('./setup.cjs');
require('tsx/cjs');

const [file, line = ''] = process.argv.slice(2);
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
	const name = request.replace(/^n8n-(core|workflow)(?=\/|$)/, `$&${line}`);
	return resolveFilename.call(this, name, ...rest);
};

require(resolve(file));
