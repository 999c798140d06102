const { TestEnvironment } = require('jest-environment-node');

/** The types of resources that keep a process from ending. */
const KEEPS_ALIVE = ['ChildProcess', 'TCPServerWrap', 'TCPSocketWrap', 'Timeout'];

/**
 * The file in which n8n-core starts a timer that checks its SSH clients once a minute and never ends (1.122.48 and 2.41.1).
 * The timer keeps the engine, and everything that a test loaded, in memory.
 */
const SSH_CLIENTS = /n8n-core(-v1)?[\\/].*ssh-clients-manager\.[jt]s/;

/** How long the last connections and timers of a test file may take to end, in milliseconds. */
const LONGEST_END_MS = 5_000;

/**
 * Fails a test file that leaves a server, a connection, a process or a timer behind. Any of these would keep jest's
 * worker from ending. The processes of jest itself (`--runInBand`) and of Stryker have other timers, so they are not
 * checked.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.testPath = context.testPath;
		this.engineTimers = [];
	}

	async setup() {
		await super.setup();
		const { setInterval } = this.global;
		this.global.setInterval = (callback, delay, ...given) => {
			const timer = setInterval(callback, delay, ...given);
			if (SSH_CLIENTS.test(new Error().stack)) this.engineTimers.push(timer);
			return timer;
		};
		this.before = keepingAlive();
	}

	/**
	 * Records that a test failed. After a failure, `teardown` checks nothing, because a failed test often leaves something
	 * behind, and its error matters more. After a test has detected a mutant, the other tests of its file are skipped.
	 */
	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.hasFailed = true;
		const isMutant = process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;
		if (name === 'test_start' && isMutant && this.hasFailed) test.mode = 'skip';
	}

	async teardown() {
		for (const timer of this.engineTimers) clearInterval(timer);
		await super.teardown();
		if (process.send === undefined || process.env.MUTATION || this.hasFailed) return;
		const started = Date.now();
		for (;;) {
			const left = leftOver(keepingAlive(), this.before);
			if (left.length === 0) return;
			if (Date.now() - started > LONGEST_END_MS) {
				throw new Error(
					`${this.testPath} leaves behind what keeps its process alive: ${left.join(', ')}`,
				);
			}
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
};

function keepingAlive() {
	return process.getActiveResourcesInfo().filter((name) => KEEPS_ALIVE.includes(name));
}

/** Returns the resources that exist now but did not exist before. */
function leftOver(now, before) {
	const known = [...before];
	return now.filter((name) => {
		const index = known.indexOf(name);
		if (index >= 0) known.splice(index, 1);
		return index < 0;
	});
}
