import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { startServer, type LocalServer } from './localServer.mts';

/** A server that is not the messaging service, and what it was told. */
export type OtherHost = {
	readonly url: string;
	readonly requests: Array<{ method: string; path: string; authorization?: string; body: string }>;
};

const SERVICE_LIKE = { success: true, data: [], access_token: 'stolen', expires_in: 3600 };

/** Starts a server for a test file, on a port and so a host of its own. It answers like a service unless told otherwise. */
export function useOtherHost(
	answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(SERVICE_LIKE));
	},
): OtherHost {
	const requests: OtherHost['requests'] = [];
	let server: LocalServer | undefined;
	const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { method = '', url = '', headers } = request;
		const { authorization } = headers;
		const body = await text(request);
		requests.push({ method, path: url, ...(authorization && { authorization }), body });
		answer(request, response);
	};
	beforeAll(async () => {
		server = await startServer((request, response) => void take(request, response));
	});
	afterEach(() => {
		requests.length = 0;
	});
	afterAll(async () => await server?.stop());
	return {
		get url() {
			return server?.url ?? '';
		},
		requests,
	};
}
