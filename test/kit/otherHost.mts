import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

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
	let port = 0;
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			body += chunk;
		});
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const { authorization } = headers;
			requests.push({ method, path: url, ...(authorization && { authorization }), body });
			answer(request, response);
		});
	});
	beforeAll(async () => {
		await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
		const address = server.address();
		if (address === null || typeof address === 'string') throw new Error('No port');
		port = address.port;
	});
	afterEach(() => {
		requests.length = 0;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return {
		get url() {
			return `http://127.0.0.1:${port}`;
		},
		requests,
	};
}
