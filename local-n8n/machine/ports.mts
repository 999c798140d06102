import getPort from 'get-port';
import { say } from '../terminal/progress.mts';

/**
 * Returns the preferred port on loopback. If this port is taken, prints a message and returns a free port. 0 means any
 * free port.
 */
export async function freePort(preferred: number, purpose: string): Promise<number> {
	const port = await getPort({ port: preferred, host: '127.0.0.1' });
	if (port !== preferred && preferred !== 0)
		say(`  Port ${preferred} is taken, so ${purpose} uses ${port}.`);
	return port;
}
