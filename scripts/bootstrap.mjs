// Installs the packages that a command needs, then runs the command. This file is plain JavaScript, because it must run
// before any package is installed.
import './end-with-starter.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { text } from 'node:stream/consumers';
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

// npm's cache is in the project, because the home folder may be read-only.
process.env.npm_config_cache = join(root, '.cache', 'npm');

const jest = (...args) => ['npx', 'jest', ...args];

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/**
 * The programs of `npm run types` and `npm run lint`, without the check of the types in the package, which the build checks.
 * No long program is last, because one per processor runs at the same time.
 */
const checks = [scripts.types, scripts.lint]
	.flatMap((script) => script.split(' && '))
	.filter((program) => !program.includes('--noEmit'))
	.map((program) => ['npx', '-c', program]);

/**
 * The steps of each command, which run in order up to the first failure. A step is a program, or a list of programs that
 * run at the same time.
 */
const commands = {
	install: [],
	'install:n8n': [typescript('local-n8n/install-all.mts')],
	start: [typescript('local-n8n/start.mts')],
	dev: [typescript('local-n8n/start.mts', '--dev')],
	emulator: [typescript('emulator/main.mts')],
	'check-service': [typescript('check-service/main.mts')],
	test: [[['npx', '-c', scripts.build], ...checks], jest()],
	'test:quick': [
		npmRun('build'),
		[
			...['env', 'PROPERTY_TIMES=0.2'],
			...jest('--selectProjects', 'unit', 'n8n 2'),
			// The user's arguments follow here. If the last option took a list, Jest would add the user's file names to that list.
			...['--testPathIgnorePatterns', '\\.slow\\.test', '--coverage=false'],
		],
	],
	format: [['npx', 'oxfmt']],
	mutation: [['npx', 'stryker', 'run']],
	'test:e2e': [typescript('--test-reporter=spec', 'test/e2e/run.mts')],
	benchmark: [npmRun('build'), typescript('test/benchmark/run.mts')],
	screenshots: [typescript('local-n8n/screenshots.mts')],
	docs: [
		npmRun('build'),
		[
			...['env', 'WRITE_EXAMPLES=1'],
			...jest('--selectProjects', 'n8n 2', '--coverage=false'),
			...['-t', 'reference', 'test/engine/samples'],
		],
		typescript('scripts/docs.mts'),
	],
	release: [[process.execPath, 'scripts/release.mjs']],
};

/** Commands whose program handles --help. */
const withOwnHelp = ['start', 'dev', 'emulator', 'check-service', 'test:e2e'];

/** Returns what docs/development/commands.md says of a command. It does not describe the steps of an installation. */
function helpOf(name) {
	const page = readFileSync(join(root, 'docs', 'development', 'commands.md'), 'utf8');
	const isAbout = new RegExp(`^\\| \`npm (run )?${name}[\` ]`);
	const rows = page.split('\n').filter((line) => isAbout.test(line));
	const about = rows.map((row) => row.replace(/^\| (.*?) \| (.*) \|$/, '$1: $2'));
	return about.join('\n') || `${name}: a step of other commands, such as npm start.`;
}

/**
 * Runs a program and forwards signals. `stdio` says where its output goes, by default to this terminal. Resolves with the
 * exit code.
 */
function run([file, ...args], { stdio = 'inherit', onStart = () => {} } = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, { cwd: root, stdio });
		onStart(child);
		const forward = (signal) => child.kill(signal);
		for (const signal of forwardedSignals) process.on(signal, forward);
		child.once('error', reject);
		child.once('close', (code, signal) => {
			for (const name of forwardedSignals) process.off(name, forward);
			resolve(code ?? 128 + constants.signals[signal]);
		});
	});
}

/**
 * Runs programs at the same time, one per processor, even if one fails. When a program ends, prints its result, and also
 * its output if it failed. Resolves with the highest exit code.
 */
async function runTogether(programs) {
	const waiting = [...programs];
	let worst = 0;
	const runSome = async () => {
		for (let program = waiting.shift(); program; program = waiting.shift()) {
			let output;
			const onStart = ({ stdout, stderr }) => (output = Promise.all([text(stdout), text(stderr)]));
			const code = await run(program, { stdio: ['ignore', 'pipe', 'pipe'], onStart });
			console.log(`${code === 0 ? '✓' : '✗'} ${program.at(-1)}`);
			if (code !== 0) console.log((await output).join(''));
			worst = Math.max(worst, code);
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, runSome));
	return worst;
}

/** Runs `npm ci` unless the packages of this lock file are installed. Returns the exit code. */
async function installIfNeeded() {
	const lock = join(root, 'package-lock.json');
	const installed = join(root, 'node_modules', '.package-lock.json');
	const stamp = join(root, 'node_modules', '.installed-from');
	const hash = createHash('sha256').update(readFileSync(lock)).digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return 0;

	// If somebody installed the packages by hand after the last change of the lock file, they are not
	// installed again.
	const byHand = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
	if (!byHand) {
		console.log('… Installing the packages of the project (once, takes some minutes)');
		const code = await run(['npm', 'ci', '--prefer-offline', '--loglevel=error']);
		if (code !== 0) return code;
	}
	writeFileSync(stamp, hash);
	return 0;
}

function nodeIsNewEnough() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	return major > 20 || (major === 20 && minor >= 19);
}

async function main([name = '', ...args]) {
	const steps = commands[name];
	if (!steps) {
		console.error(`Usage: node scripts/bootstrap.mjs ${Object.keys(commands).join(' | ')}`);
		return 2;
	}
	if (args.includes('--help') && !withOwnHelp.includes(name)) {
		console.log(helpOf(name));
		return 0;
	}
	if (!nodeIsNewEnough()) {
		console.error(`This needs Node 20.19 or newer, but this is ${process.versions.node}.`);
		return 2;
	}
	const installCode = await installIfNeeded();
	if (installCode !== 0) return installCode;
	for (const [index, step] of steps.entries()) {
		const last = index === steps.length - 1;
		const isList = Array.isArray(step[0]);
		const code = isList ? await runTogether(step) : await run(last ? [...step, ...args] : step);
		if (code !== 0) return code;
	}
	return 0;
}

process.exitCode = await main(process.argv.slice(2));
