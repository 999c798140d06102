const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: TestRunner } = require('jest-runner');

/** Tests that reach many modules, and the modules that they prove. */
const PROVED = [
	[/unit\/summaryPrivacy/, /survey\/summary/],
	[/(engine|model)\/trigger/, /MessagingServiceTrigger/],
	[/(engine|model)\/(sync|channel)/, /(recipientGroup|channelRecipient|MessagingService)\/sync/],
	[/engine\/(allItemsFirst|oneStep|runner)/, /MessagingService\/engine/],
	[/engine\/requests/, /engine\/(conversions|output)/],
	[/engine\/lists/, /transport\/paging/],
	[/engine\/survey/, /survey\/getResponses/],
	[/engine\/afterFailure/, /errors\/apiError/],
];

/** Unit tests first, because they are fast, then the models, which detect the most mutants. Slow engine tests last. */
function rankOf(path) {
	if (path.includes('/unit/')) return 0;
	if (path.includes('Model')) return 1;
	return path.includes('.slow.') ? 3 : 2;
}

/**
 * Runs the test files one after the other. For a mutant, leaves out the files that cannot detect it, and ends after a
 * detection, because Stryker and jest would load and run every file that imports the mutated module.
 */
module.exports = class extends TestRunner {
	async runTests(tests, watcher, options) {
		const wanted = tests.filter(({ path }) => this.proves(path));
		wanted.sort((a, b) => rankOf(a.path) - rankOf(b.path));
		await (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined
			? this.runAll(wanted, watcher, options)
			: this.runUntilDetected(wanted, watcher, options));
	}

	/** Runs all files, and saves the names of their tests for the processes that run the mutants. */
	async runAll(tests, watcher, options) {
		const names = {};
		this.on('test-file-success', ([{ path }, { testResults }]) => {
			names[path] = testResults.map(({ fullName }) => fullName);
		});
		await super.runTests(tests, watcher, options);
		writeFileSync(this.savedNames(), JSON.stringify(names));
	}

	/** Runs the files with a test that reaches the mutant, up to the first failure. Stryker gives the names of these tests. */
	async runUntilDetected(tests, watcher, options) {
		const names = JSON.parse(readFileSync(this.savedNames(), 'utf8'));
		const reaches = new RegExp(this._globalConfig.testNamePattern);
		let isDetected = false;
		this.on('test-file-success', ([, { numFailingTests }]) => (isDetected ||= numFailingTests > 0));
		this.on('test-file-failure', () => (isDetected = true));
		for (const test of tests) {
			if (isDetected) return;
			if (names[test.path]?.some((name) => reaches.test(name)))
				await super.runTests([test], watcher, options);
		}
	}

	/** The file for the names, in the copy of the project that Stryker mutates. */
	savedNames() {
		return join(this._globalConfig.rootDir, 'test-names.json');
	}

	/**
	 * Whether tests of this file are meant to detect mutants of the mutated modules. Engine tests reach almost every module,
	 * but prove few.
	 */
	proves(path) {
		const test = PROVED.find(([pattern]) => pattern.test(path));
		return !test || this._globalConfig.nonFlagArgs.some((file) => test[1].test(file));
	}
};
