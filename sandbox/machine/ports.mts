import getPort from 'get-port';
import { say } from '../terminal/progress.mts';

/** Returns a free port on loopback: the preferred one if free, or any for 0. Prints a message if it is a different one. */
export async function freePort(preferred: number, purpose: string): Promise<number> {
	const port = await getPort({ port: preferred, host: '127.0.0.1' });
	if (port !== preferred && preferred !== 0)
		say(`  Port ${preferred} is taken, so ${purpose} uses ${port}.`);
	return port;
}
