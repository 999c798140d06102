import { createServer, type RequestListener } from 'node:http';

/** A server of a test's own, on this machine alone. */
export type LocalServer = {
	readonly url: string;
	/** Ends its connections, too: kept alive, they would keep it open. */
	stop(): Promise<void>;
};

/** Starts a server on a free port of loopback. */
export async function startServer(listener?: RequestListener): Promise<LocalServer> {
	const server = createServer(listener);
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		async stop() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}
