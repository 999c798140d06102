import { mkdir, readFile, rm } from 'node:fs/promises';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import pWaitFor from 'p-wait-for';
import { step } from '../terminal/progress.mts';
import { systemProgram } from './apt-packages.mts';
import { startSupervised } from './supervised-process.mts';
import { freePort } from './ports.mts';

const startTimeoutMs = 15_000;

/**
 * Returns the path of Redis: the program in REDIS_SERVER_PATH or on the PATH. If Redis is not installed, tries to install Redis.
 *
 * @throws instructions if there is no Redis
 */
export async function findRedis(): Promise<string> {
	return await systemProgram({
		title: 'Redis',
		names: ['redis-server'],
		variable: 'REDIS_SERVER_PATH',
		aptPackage: 'redis-server',
	});
}

/** Starts an empty Redis on a free port of loopback, which stores nothing on disk. The log of Redis is in the folder. */
export async function startRedis(folder: string) {
	const program = await findRedis();
	const host = '127.0.0.1';
	const port = await freePort(0, 'Redis');
	await mkdir(folder, { recursive: true });
	const logFile = join(folder, 'redis.log');
	await rm(logFile, { force: true });
	const running = await step('Starting Redis', async () => {
		const redis = await startSupervised(
			program,
			[
				...['--bind', host, '--port', String(port), '--dir', folder],
				...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
			],
			{ cwd: folder, env: { PATH: process.env.PATH }, output: openSync(logFile, 'a') },
		);
		try {
			const isReady = async () =>
				(await readFile(logFile, 'utf8')).includes('Ready to accept connections');
			await pWaitFor(isReady, { interval: 50, timeout: startTimeoutMs });
		} catch (error) {
			await redis.end('SIGKILL');
			throw new Error(`Redis did not start, see ${logFile}`, { cause: error });
		}
		return redis;
	});
	return { host, port, stop: async () => await running.end('SIGTERM') };
}
