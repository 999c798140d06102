/**
 * Runs a test file's helper in a process of its own: `child.cjs <file> [-v1]`, the latter with the packages of n8n 1.x in
 * place of those of 2.x, as jest.config.cjs does it.
 */
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
