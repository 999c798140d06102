const Module = require('node:module');
const { join } = require('node:path');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const Environment = require('./environment.cjs');

/** The built package. */
const BUILD = join(__dirname, '..', '..', 'dist');

/**
 * The environment for `sharedRuntime.cjs`. All files of a worker share the globals and the packages. Each file has its own
 * versions of n8n's packages (`moduleNameMapper`), its own environment variables, its own instances of n8n's services, and its own copy of the built package, which keeps what it
 * knows in variables of its modules.
 */
module.exports = class extends Environment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		this.globalsBefore = Object.getOwnPropertyDescriptors(globalThis);
		this.variablesBefore = { ...process.env };
		this.exitBefore = process.exit;
		this.exitListenersBefore = process.listeners('exit');
		const { projectConfig } = config;
		this.moduleMocker = new ModuleMocker(globalThis);
		const { moduleMocker } = this;
		this.loadBefore = Module._load;
		Module._load = (request, ...others) =>
			this.loadBefore.call(Module, mapped(request, projectConfig), ...others);
		const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
		this.fakeTimers = new LegacyFakeTimers({
			...{ config: projectConfig, global: globalThis, moduleMocker, timerConfig },
		});
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		for (const path of Object.keys(require.cache)) {
			if (path.startsWith(BUILD)) delete require.cache[path];
			if (/@n8n[\\/]di[\\/]dist[\\/]di\.js$/.test(path)) require(path).Container.reset();
		}
	}

	async teardown() {
		try {
			await super.teardown();
		} finally {
			this.restore();
		}
	}

	/** Removes what the file left in the globals and the environment variables. */
	restore() {
		Module._load = this.loadBefore;
		process.exit = this.exitBefore;
		for (const listener of process.listeners('exit')) {
			if (!this.exitListenersBefore.includes(listener)) process.off('exit', listener);
		}
		for (const name of Object.keys(process.env)) {
			if (!(name in this.variablesBefore)) delete process.env[name];
		}
		Object.assign(process.env, this.variablesBefore);
		for (const name of Reflect.ownKeys(globalThis)) {
			const before = this.globalsBefore[name];
			if (!before) Reflect.deleteProperty(globalThis, name);
			else if (before.configurable) Object.defineProperty(globalThis, name, before);
		}
	}
};

/** Returns the path that `moduleNameMapper` of a project gives to a package, or the name itself. */
function mapped(request, { moduleNameMapper }) {
	for (const [name, path] of moduleNameMapper) {
		if (new RegExp(name).test(request)) return request.replace(new RegExp(name), path);
	}
	return request;
}

module.exports.BUILD = BUILD;
