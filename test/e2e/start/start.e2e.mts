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

/** Waits until these processes and their process groups have ended. Fails and names those that do not end. */
async function assertAllEnd(processes: ProcessInfo[]): Promise<void> {
	const groups = new Set(processes.map(({ group }) => group));
	// A process ID may have been reused by another command.
	const isOne = ({ pid, args }: ProcessInfo) =>
		processes.some((one) => one.pid === pid && one.args === args);
	const left = async () =>
		(await allProcesses()).filter((one) => groups.has(one.group) || isOne(one));
	await pWaitFor(async () => (await left()).length === 0, {
		interval: 200,
		timeout: endTimeoutMs,
	}).catch(() => undefined);
	assert.deepEqual(await left(), []);
}

describe('npm start', () => {
	for (const [role, name] of [
		['npm', 'npm start'],
		['the script that installs what is needed', 'bootstrap.mjs'],
		['the local n8n', 'local-n8n/start.mts'],
	] as const) {
		test(`leaves nothing running when ${role} is killed`, async () => {
			const start = new Start();
			await start.running();
			const processes = await start.processes();
			const victim = processes.findLast(({ args }) => args.includes(name));
			assert.ok(victim, `${role} is not among\n${processes.map(({ args }) => args).join('\n')}`);
			process.kill(victim.pid, 'SIGKILL');
			await assertAllEnd(processes);
		});
	}

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
