import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends a request to n8n on this machine, and reads the response. A busy machine may drop a connection, and n8n may not be
 * ready (503), so the request is repeated until n8n has ended.
 *
 * @throws if n8n has ended
 */
export async function localFetch(
	url: string,
	init: RequestInit,
	hasEnded: () => boolean,
): Promise<{ response: Response; text: string }> {
	for (;;) {
		try {
			// A connection of its own, because the other side may close one that is kept alive.
			const headers = { ...init.headers, connection: 'close' };
			const response = await fetch(url, { ...init, headers });
			const text = await response.text();
			// n8n refuses every request while its database does not respond.
			if (response.status !== 503 || !text.includes('not ready')) return { response, text };
			throw new Error(text);
		} catch (cause) {
			if (hasEnded()) {
				const { pathname } = new URL(url);
				throw new Error(`n8n ended before ${init.method} ${pathname} was answered`, { cause });
			}
			await pause(250);
		}
	}
}
