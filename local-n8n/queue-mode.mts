import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CleanupStack } from './machine/cleanup-stack.mts';
import { stateFolder } from './machine/paths.mts';
import { freePort } from './machine/ports.mts';
import { startRedis } from './machine/redis.mts';
import { startN8n } from './n8n/n8n-process.mts';
import { startLocalN8n, type LocalN8nOptions } from './local-n8n.mts';
import { step } from './terminal/progress.mts';

/**
 * How long a worker's lock on an execution lasts, and how often n8n renews and checks the lock, in milliseconds. n8n's own
 * lock lasts 60 s. With a shorter lock, n8n abandons the execution of a killed or blocked worker earlier.
 */
const lock = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/**
 * Starts Redis, an emulator of the service, n8n's main process and two workers. The processes of n8n share one user
 * folder with SQLite. If a step fails, stops everything.
 */
export async function startQueueN8n(options: LocalN8nOptions & { name: string }) {
	const cleanups = options.cleanups ?? new CleanupStack();
	return await cleanups.closeOnFailure(async () => await setUp(options, cleanups));
}

async function setUp(options: LocalN8nOptions & { name: string }, cleanups: CleanupStack) {
	const { line = '2', name } = options;
	const redis = await startRedis(join(stateFolder, `${name}-redis`));
	cleanups.add(redis.stop);
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: redis.host,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// In queue mode, n8n 2 stores binary data in the database by default, but n8n 1 does not.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		// Without this setting, n8n 1 repeats the execution of a killed worker (scaling-mode.config of 1.123.81).
		QUEUE_WORKER_MAX_STALLED_COUNT: '0',
		...lock,
		...options.env,
	};
	const localN8n = await startLocalN8n({ ...options, env, cleanups });

	const worker = async (number: number) => {
		const { userFolder } = localN8n;
		const port = await freePort(0, `worker ${number}`);
		// Links to webhooks must lead to the main process, not to the worker.
		const address = { N8N_WEBHOOK_URL: localN8n.editorUrl, WEBHOOK_URL: localN8n.editorUrl };
		const name = `worker-${number}`;
		const options = { line, userFolder, port, name, env: { ...env, ...address } };
		const n8n = await startN8n({ ...options, command: 'worker' });
		cleanups.add(async () => await n8n.stop());
		await n8n.ready();
		return {
			/** Whether the worker ran the execution, according to its log. */
			tookOn: async (executionId: string) => {
				const log = await readFile(join(userFolder, `worker-${number}.log`), 'utf8');
				return log.includes(`Worker started execution ${executionId} (`);
			},
			/** Kills the worker, like a power cut. */
			kill: async () => await n8n.kill(),
		};
	};
	// The workers share a folder. If both started at the same time, a worker could mistake the crash
	// file of the other worker for its own.
	const workers = await step('Starting two workers', async () => [
		await worker(1),
		await worker(2),
	]);
	return {
		...localN8n,
		workers,
		/** Returns the worker that ran the execution. */
		workerOf: async (executionId: string) => {
			for (const one of workers) if (await one.tookOn(executionId)) return one;
			return undefined;
		},
	};
}
