const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { BUILD } = require('./sharedEnvironment.cjs');

/**
 * jest's `runtime`. Runs a test file in the context of its worker, and loads the packages of node_modules there: once per
 * worker, not once per file. n8n-core alone takes more than a second. It overrides internals of jest-runtime 30.5.2.
 */
exports.default = class extends Runtime {
	constructor(config, ...others) {
		super(config, ...others);
		const { executor, cjsLoader } = this;
		executor.compile = (source, filename) =>
			compileFunction(source, executor.injectedModuleParameters, { filename });
		const load = cjsLoader.loadModule.bind(cjsLoader);
		cjsLoader.loadModule = (module, from, name, path, options, registry) => {
			const isShared = /[\\/]node_modules[\\/]/.test(path) || path.startsWith(BUILD);
			// A test that isolates modules wants copies of its own.
			const isIsolated = this.registries.isIsolated();
			if (options?.isInternalModule || isIsolated || !isShared)
				return load(module, from, name, path, options, registry);
			module.exports = require(path);
			module.loaded = true;
		};
	}
};
exports.__esModule = true;
