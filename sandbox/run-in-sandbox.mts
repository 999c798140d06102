import { constants } from 'node:os';
import { CleanupStack } from './machine/cleanup-stack.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox.mts';
import { say } from './terminal/progress.mts';

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/**
 * Starts a sandbox and runs `work` in it. Then stops the sandbox and exits the process. With `keepRunning`, the sandbox
 * runs until Ctrl-C. After a failure, prints the reason and exits with code 1.
 */
export async function runInSandbox(
	options: SandboxOptions,
	work: (sandbox: Sandbox) => Promise<void>,
	{ keepRunning }: { keepRunning: boolean },
): Promise<void> {
	const cleanups = new CleanupStack();
	let interrupted: NodeJS.Signals | undefined;
	const interruption = new Promise<void>((resolve) => {
		const interrupt = (signal: NodeJS.Signals) => {
			// npm and the terminal may both send the same Ctrl-C.
			if (interrupted) return;
			interrupted = signal;
			say('\nStopping everything …');
			resolve();
		};
		for (const signal of endingSignals) process.on(signal, interrupt);
	});

	const job = async () => {
		const sandbox = await startSandbox({ ...options, cleanups });
		await work(sandbox);
		if (!keepRunning) return;
		say('\nRunning. Ctrl-C stops everything.');
		await sandbox.n8nDied;
		throw new Error(`n8n stopped unexpectedly. See ${sandbox.userFolder}/n8n.log`);
	};

	let failure: string | undefined;
	await Promise.race([
		interruption,
		job().catch((error: unknown) => {
			failure = messageOf(error);
		}),
	]);
	await cleanups.closeAll().catch((error: unknown) => {
		failure ??= messageOf(error);
	});
	if (interrupted) {
		// With `keepRunning`, Ctrl-C is the normal end. Without it, Ctrl-C interrupts the work.
		process.exit(keepRunning ? 0 : 128 + constants.signals[interrupted]);
	}
	if (failure !== undefined) {
		process.stderr.write(`\n${failure}\n`);
		process.exit(1);
	}
	process.exit(0);
}
