import { constants } from 'node:os';
import { CleanupStack } from './machine/cleanup-stack.mts';
import { startLocalN8n, type LocalN8n, type LocalN8nOptions } from './local-n8n.mts';
import { say } from './terminal/progress.mts';

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/**
 * Starts a local n8n and runs `work` in it. Then stops the local n8n and exits the process. With `keepRunning`, the local n8n
 * runs until Ctrl-C. After a failure, prints the reason and how to begin again, and exits with code 1.
 */
export async function runLocalN8n(
	options: LocalN8nOptions,
	work: (localN8n: LocalN8n) => Promise<void>,
	{ keepRunning, command }: { keepRunning: boolean; command: string },
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
		const localN8n = await startLocalN8n({ ...options, cleanups });
		await work(localN8n);
		if (!keepRunning) return;
		say('\nRunning. Ctrl-C stops everything.');
		await localN8n.n8nDied;
		throw new Error(`n8n stopped unexpectedly. See ${localN8n.userFolder}/n8n.log`);
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
		process.stderr.write(
			`\n${failure}\n\nEverything has been stopped. What was installed and built is kept, so a second start is quick: ${command}\n`,
		);
		process.exit(1);
	}
	process.exit(0);
}
