import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { signalGroup } from '../../../local-n8n/machine/supervised-process.mts';
import { repositoryRoot, stateFolder } from '../../../local-n8n/machine/paths.mts';
import { loginFile, loginOf } from '../../../local-n8n/n8n/login.mts';
import { line } from '../settings.mts';
import { allProcesses, treeOf, type ProcessInfo } from './processes.mts';

const startTimeoutMs = 600_000;
const endTimeoutMs = 30_000;

/** An `npm start` as a user runs it, with its output so far. */
class Start {
	private text = '';
	readonly npm: ChildProcess;

	constructor(env: NodeJS.ProcessEnv = {}) {
		this.npm = spawn('npm', ['start', '--', '--n8n', line], {
			cwd: repositoryRoot,
			env: { ...process.env, ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			// A separate process group, as in a shell, so that Ctrl-C reaches all its processes.
			detached: true,
		});
		for (const stream of [this.npm.stdout, this.npm.stderr]) {
			stream?.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
		}
		started.push(this);
	}

	get output(): string {
		return this.text;
	}

	async running(): Promise<void> {
		await pWaitFor(() => this.text.includes('Ctrl-C stops everything') || this.hasEnded, {
			interval: 100,
			timeout: startTimeoutMs,
		});
		assert.equal(this.hasEnded, false, this.text);
	}

	async processes(): Promise<ProcessInfo[]> {
		return await treeOf(this.npm.pid ?? 0);
	}

	/** Sends the signal to the process group of npm, like Ctrl-C in a terminal. */
	signal(signal: NodeJS.Signals): void {
		signalGroup(this.npm.pid ?? 0, signal);
	}

	private get hasEnded(): boolean {
		return this.npm.exitCode !== null || this.npm.signalCode !== null;
	}
}

const started: Start[] = [];
after(() => {
	for (const one of started) one.signal('SIGTERM');
});

/** Returns the processes that still run. Also compares the command, because a process ID may have been reused. */
async function survivors(processes: ProcessInfo[]): Promise<ProcessInfo[]> {
	const now = await allProcesses();
	return processes.filter(({ pid, args }) =>
		now.some((other) => other.pid === pid && other.args === args),
	);
}

/** Waits until these processes and their process groups have ended. Fails and names those that do not end. */
async function assertAllEnd(processes: ProcessInfo[]): Promise<void> {
	const groups = new Set(processes.map(({ group }) => group));
	const left = async () => [
		...(await survivors(processes)),
		...(await allProcesses()).filter(({ group }) => groups.has(group)),
	];
	await pWaitFor(async () => (await left()).length === 0, {
		interval: 200,
		timeout: endTimeoutMs,
	}).catch(() => undefined);
	assert.deepEqual(await left(), []);
}

/** The processes of a local n8n, each with a function that recognizes it. */
const roles: Array<[string, (one: ProcessInfo) => boolean]> = [
	['npm', ({ args }) => args.startsWith('npm start')],
	['the shell of npm', ({ args }) => args.includes(' -c ')],
	['the script that installs what is needed', ({ args }) => args.includes('bootstrap.mjs')],
	['the local n8n', ({ args }) => args.includes('local-n8n/start.mts')],
	['the supervisor of n8n', ({ args }) => args.includes('supervisor.mjs')],
	['n8n', ({ args }) => args.includes('n8n/bin/n8n') && !args.includes('supervisor.mjs')],
];

describe('npm start', () => {
	for (const [role, isIt] of roles) {
		test(`leaves nothing running when ${role} is killed`, async () => {
			const start = new Start();
			await start.running();
			const processes = await start.processes();
			const victim = processes.find(isIt);
			// Some shells replace themselves with the command that they run. In this case, there is no
			// shell to kill.
			if (!victim && role === 'the shell of npm') return;
			assert.ok(victim, `${role} is not among\n${processes.map(({ args }) => args).join('\n')}`);
			process.kill(victim.pid, 'SIGKILL');
			await assertAllEnd(processes);
		});
	}

	test('continues with a new task runner when the task runner is killed, and Ctrl-C still ends all processes', async () => {
		const start = new Start();
		await start.running();
		const isRunner = ({ args }: ProcessInfo) => args.includes('task-runner');
		const victim = (await start.processes()).find(isRunner);
		assert.ok(victim);
		process.kill(victim.pid, 'SIGKILL');
		const another = async () =>
			(await start.processes()).some((one) => isRunner(one) && one.pid !== victim.pid);
		await pWaitFor(another, { interval: 200, timeout: endTimeoutMs });
		const processes = await start.processes();
		start.signal('SIGINT');
		await assertAllEnd(processes);
	});

	test('works if the home folder is not writable', async () => {
		const userFolder = join(stateFolder, `n8n-${line}`);
		const start = new Start({ HOME: '/dev/null/home' });
		await start.running();
		const processes = await start.processes();
		assert.match(start.output, /The group has the expected \d+ members/);

		// The printed login is also in a file that only its owner can read.
		const { mode } = await stat(loginFile(userFolder));
		assert.equal(mode & 0o777, 0o600);
		const { password } = await loginOf(userFolder);
		assert.ok(password.length >= 20);
		assert.ok(start.output.includes(password));

		start.signal('SIGINT');
		await assertAllEnd(processes);
	});
});
