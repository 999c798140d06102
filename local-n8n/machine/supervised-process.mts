import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface SupervisedProcessOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** The open file or the listener that receives the output. */
	output: number | ((chunk: string) => void);
}

const supervisor = fileURLToPath(new URL('supervisor.mjs', import.meta.url));
const graceMs = 15_000;

/** Sends a signal to a process group. Ignores a group that has ended. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

/**
 * Starts a program in its own process group, so that Ctrl-C reaches this process but not the program. If this process ends,
 * the supervisor kills the group. If the supervisor or the program ends, this process kills the group. If the program is
 * missing, `ended` resolves with 127.
 *
 * @throws if the supervisor cannot be started
 */
export async function startSupervised(
	file: string,
	args: string[],
	{ cwd, env, output }: SupervisedProcessOptions,
) {
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
	// The supervisor watches the other end of this pipe. Killing the supervisor breaks the pipe, which is no error here.
	child.stdin?.on('error', () => undefined);
	await once(child, 'spawn');
	const group = child.pid ?? 0;

	child.once('exit', () => signalGroup(group, 'SIGKILL'));
	const ended = new Promise<number>((resolve) => {
		child.once('close', (code) => resolve(code ?? 1));
	});
	return {
		/** Resolves with the exit code when the program and its children have ended. */
		ended,
		/** Sends the signal to the program and its children and waits until they end. If this takes too long, kills them. */
		end: async (signal: NodeJS.Signals) => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			signalGroup(group, signal);
			const timer = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs);
			await ended;
			clearTimeout(timer);
		},
	};
}
