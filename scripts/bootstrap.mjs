// Runs on Node >= 20.19 with nothing installed: installs what the command needs, then runs it.
// Plain JavaScript, because TypeScript needs tsx and tsx is one of the things to install.
import './end-with-starter.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const ownFile = (path) => fileURLToPath(new URL(path, import.meta.url));
const typescript = (...args) => [
	process.execPath,
	...['--import', 'tsx', '--import', pathToFileURL(ownFile('end-with-starter.mjs')).href],
	...args,
];
const npmRun = (script) => ['npm', 'run', '--silent', script, '--'];

// npm's cache lies in the project, because the home folder may not be ours to write.
process.env.npm_config_cache = join(root, '.cache', 'npm');

const jest = (...args) => ['npx', 'jest', ...args];

/** What each command does, and the programs that it runs in turn; the first failure ends it. */
const commands = {
	start: { steps: [typescript('scripts/start.mts')] },
	dev: {
		help: 'Like npm start, but n8n reloads every change. -- --n8n 1 uses the last n8n 1.x.',
		steps: [typescript('scripts/dev.mts')],
	},
	emulator: { steps: [typescript('emulator/main.mts')] },
	test: {
		help: 'Lint, types and all tests, with NIGHTLY=1 also the nightly ones. Options and files go to Jest.',
		steps: [npmRun('lint'), npmRun('types'), npmRun('test:all')],
	},
	'test:quick': {
		help: 'Unit tests and engine tests on n8n 2, without *.slow.test.mts. Options and files go to Jest.',
		steps: [
			npmRun('build'),
			[
				...['env', 'PROPERTY_TIMES=0.2'],
				...jest('--selectProjects', 'unit', 'n8n 2'),
				// The last option takes one value: Jest would add a file that follows to a list of values.
				...['--testPathIgnorePatterns', '\\.slow\\.test', '--coverage=false'],
			],
		],
	},
	'test:faults': {
		help: 'Every operation with every fault, position and hostile value, on both lines of n8n.',
		steps: [
			npmRun('build'),
			[
				'env',
				'FAULTS=all',
				...jest('--selectProjects', 'n8n 2', 'n8n 1', '--testPathPatterns=test/faults/'),
			],
		],
	},
	'test:breaks': {
		help: 'Plants mistakes in copies of the package. Words choose some by name: sync, trigger, …',
		steps: [npmRun('build'), typescript('test/mutants/run.mts')],
	},
	mutation: {
		help: 'Mutation tests of the modules that decide. Options go to Stryker.',
		steps: [['npx', 'stryker', 'run']],
	},
	'test:e2e': { steps: [typescript('--test-reporter=spec', 'test/e2e/run.mts')] },
	benchmark: {
		help: 'What the nodes cost beside others; fails past a limit. -- --short measures less.',
		steps: [npmRun('build'), typescript('test/benchmark/run.mts')],
	},
	fuzz: {
		help: 'Random scenarios of Sync and the trigger; SEED=, RUNS= and FUZZ_PATH= repeat a run.',
		steps: [npmRun('build'), typescript('test/fuzz/run.mts')],
	},
	screenshots: {
		help: 'Takes the pictures of the documentation (docs/images) in a real n8n.',
		steps: [typescript('sandbox/screenshots.mts')],
	},
	docs: {
		help: 'Writes the reference and the tables of the README from the package itself.',
		steps: [npmRun('build'), typescript('scripts/docs.mts')],
	},
	release: {
		help: 'Version, changelog, reference, commit, tag and push: -- patch, minor, major or 1.2.3; --no-push stops before.',
		steps: [[process.execPath, 'scripts/release.mjs']],
	},
};

/**
 * Runs a program on this terminal, passes signals on, and resolves with its exit code. One that is `supervised` ends
 * with this process, even when this is killed; TypeScript programs see to that themselves.
 */
function run([file, ...args], { supervised = false } = {}) {
	return new Promise((resolve, reject) => {
		const child = supervised
			? spawn(process.execPath, [ownFile('../sandbox/machine/supervisor.mjs'), file, ...args], {
					cwd: root,
					stdio: ['pipe', 'inherit', 'inherit'],
					detached: true,
				})
			: spawn(file, args, { cwd: root, stdio: 'inherit' });
		const forward = (signal) => process.kill(supervised ? -child.pid : child.pid, signal);
		for (const signal of forwardedSignals) process.on(signal, forward);
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			for (const name of forwardedSignals) process.off(name, forward);
			resolve(code ?? 128 + constants.signals[signal]);
		});
	});
}

/** `npm ci`, unless what is installed came from this very lock file. */
async function installIfNeeded() {
	const lock = join(root, 'package-lock.json');
	const folder = join(root, 'node_modules');
	const installed = join(folder, '.package-lock.json');
	const stamp = join(folder, '.installed-from');
	const hash = createHash('sha256').update(readFileSync(lock)).digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return 0;

	// Installed by hand since the lock file last changed: that is as good.
	const byHand = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
	if (!byHand) {
		// npm ci would empty the folder behind the link, which belongs to another working copy.
		if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
			console.error(
				'node_modules is a link, and what it leads to is not for this package-lock.json. Remove the link.',
			);
			return 2;
		}
		const started = Date.now();
		const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
		console.log("… Installing the project's own packages (once)");
		const ticker = setInterval(() => console.log(`… still installing (${seconds()})`), 15_000);
		const code = await run(['npm', 'ci', '--loglevel=error'], { supervised: true });
		clearInterval(ticker);
		if (code !== 0) return code;
		console.log(`✓ Installing the project's own packages (${seconds()})`);
	}
	writeFileSync(stamp, hash);
	return 0;
}

function nodeIsNewEnough() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	return major > 20 || (major === 20 && minor >= 19);
}

async function main([name = '', ...args]) {
	const command = commands[name];
	if (!command) {
		console.error(`Usage: node scripts/bootstrap.mjs ${Object.keys(commands).join(' | ')}`);
		return 2;
	}
	const { help, steps } = command;
	// A command without a text here prints its own.
	if (help && args.includes('--help')) {
		console.log(`npm run ${name}: ${help}`);
		return 0;
	}
	if (!nodeIsNewEnough()) {
		console.error(`This needs Node 20.19 or newer; this is ${process.versions.node}.`);
		return 2;
	}
	const installCode = await installIfNeeded();
	if (installCode !== 0) return installCode;
	for (const [index, step] of steps.entries()) {
		const last = index === steps.length - 1;
		const code = await run(last ? [...step, ...args] : step);
		if (code !== 0) return code;
	}
	return 0;
}

process.exitCode = await main(process.argv.slice(2));
