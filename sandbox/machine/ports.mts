import getPort from 'get-port';
import { say } from '../terminal/progress.mts';

/** Returns a free port on loopback, any for 0. If the preferred port is taken, returns another and prints a message. */
export async function freePort(preferred: number, purpose: string): Promise<number> {
	const port = await getPort({ port: preferred, host: '127.0.0.1' });
	if (port !== preferred && preferred !== 0)
		say(`  Port ${preferred} is taken, so ${purpose} uses ${port}.`);
	return port;
}
