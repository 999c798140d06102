import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface SupervisedProcessOptions {
	cwd: string;
	/** The whole environment; nothing is added. */
	env: NodeJS.ProcessEnv;
	/** What it prints goes to this open file, or to the listener. */
	output: number | ((chunk: string) => void);
}

/** A program that never outlives this process, and whose own children never outlive it. */
export interface SupervisedProcess {
	/** The process group: the supervisor, the program, and all that it starts. */
	readonly group: number;
	/** Resolves with the exit code when all of it has ended, whatever the reason. */
	readonly ended: Promise<number>;
	/** Sends the signal to all of it, kills what is left after a while, and waits for the end. */
	end(signal: NodeJS.Signals): Promise<void>;
}

const supervisor = fileURLToPath(new URL('supervisor.mjs', import.meta.url));
const graceMs = 15_000;

/** Sends a signal to a process group; one that has ended already is no error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

/**
 * Starts a program in a process group of its own, so that Ctrl-C reaches us first. Killed in any way, none of the
 * three survives: without us the supervisor kills the group, without the supervisor or the program we do.
 * Throws when no process can be started; a program that is missing ends with exit code 127.
 */
export async function startSupervised(
	file: string,
	args: string[],
	{ cwd, env, output }: SupervisedProcessOptions,
): Promise<SupervisedProcess> {
	const sink = typeof output === 'number' ? output : 'pipe';
	const child = spawn(process.execPath, [supervisor, file, ...args], {
		cwd,
		env,
		detached: true,
		stdio: ['pipe', sink, sink],
	});
	if (typeof output !== 'number') {
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', output);
		}
	}
	// Only the other end of this pipe matters; a supervisor that was killed breaks it.
	child.stdin?.on('error', () => undefined);
	await once(child, 'spawn');
	const group = child.pid ?? 0;

	const state = { running: true };
	child.once('exit', () => {
		state.running = false;
		signalGroup(group, 'SIGKILL');
	});
	const ended = new Promise<number>((resolve) => {
		child.once('close', (code) => resolve(code ?? 1));
	});
	return {
		group,
		ended,
		end: async (signal) => {
			if (!state.running) return;
			signalGroup(group, signal);
			const timer = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs);
			await ended;
			clearTimeout(timer);
		},
	};
}
