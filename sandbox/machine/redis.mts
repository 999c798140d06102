import { mkdir } from 'node:fs/promises';
import { openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import pWaitFor from 'p-wait-for';
import { step } from '../terminal/progress.mts';
import { systemProgram } from './apt-packages.mts';
import { startSupervised } from './supervised-process.mts';
import { freePort } from './ports.mts';

/** A Redis of our own on loopback, empty at first, kept in memory alone. */
export interface Redis {
	host: string;
	port: number;
	stop: () => Promise<void>;
}

const startTimeoutMs = 15_000;

/** Whether a Redis answers a PING there. */
async function answers(host: string, port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect({ host, port }, () => socket.write('PING\r\n'));
		const done = (good: boolean) => {
			socket.destroy();
			resolve(good);
		};
		socket.once('data', (data) => done(data.toString().startsWith('+PONG')));
		socket.once('error', () => done(false));
	});
}

/**
 * Starts the Redis of REDIS_SERVER_PATH, of this machine, or a freshly installed one, on a free port.
 * Its log goes into the folder. Throws with what to do when there is none to be had.
 */
export async function startRedis(folder: string): Promise<Redis> {
	const program = await systemProgram({
		title: 'Redis',
		names: ['redis-server'],
		variable: 'REDIS_SERVER_PATH',
		aptPackage: 'redis-server',
	});
	const host = '127.0.0.1';
	const port = await freePort(0, 'Redis');
	await mkdir(folder, { recursive: true });
	const logFile = join(folder, 'redis.log');
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
			await pWaitFor(async () => await answers(host, port), {
				interval: 50,
				timeout: startTimeoutMs,
			});
		} catch (error) {
			await redis.end('SIGKILL');
			throw new Error(`Redis did not start, see ${logFile}`, { cause: error });
		}
		return redis;
	});
	return { host, port, stop: async () => await running.end('SIGTERM') };
}
