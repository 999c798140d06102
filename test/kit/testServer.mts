import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import { anyAccessKey } from './credentials.mts';

/** A request as a client sent it. */
export type SentRequest = {
	method: string;
	path: string;
	query: Record<string, string>;
	/** Parsed JSON if possible, otherwise text. */
	body: unknown;
};

/** A request that awaits its response. */
export type ReceivedRequest = SentRequest & {
	/** The URL as received. A proxy receives a URL with the host. */
	url: string;
	/** `performance.now()` at its arrival. */
	at: number;
	/** Whether the client closed the connection before the response. */
	readonly aborted: boolean;
	/** Responds `{ success: true, data, total }`. The default of `data` is `{ path }`. */
	respond: (data?: unknown, total?: number) => void;
	/** Responds with `success: false` and this message. */
	refuse: (message: string, status?: number, headers?: Record<string, string>) => void;
	/** Responds with any JSON. */
	send: (status: number, body: object, headers?: Record<string, string>) => void;
	/** For a response that is not JSON, not complete, or does not come. */
	response: ServerResponse;
};

type Respond = (request: ReceivedRequest, index: number) => void;

const ROUND_TRIPS = 10;

/** Starts a server on a free port of loopback. The returned `stop` also ends kept-alive connections. */
export async function startServer(
	listener?: RequestListener,
): Promise<{ url: string; stop: () => Promise<void> }> {
	const server = createServer(listener);
	// A slow client could use a kept-alive connection at the moment when the server closes it.
	server.keepAliveTimeout = 0;
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

/**
 * Starts a server for a test file. The server does not emulate the service: the test responds to requests, in any order.
 *
 * @param respond responds to each request on arrival. By default, requests wait until the test responds
 */
export function useTestServer(respond?: Respond) {
	const requests: ReceivedRequest[] = [];
	let server: Awaited<ReturnType<typeof startServer>> | undefined;
	let inFlight = 0;
	let maxInFlight = 0;
	let arrivals: Array<() => void> = [];
	let responder = respond;

	const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const request = await receivedRequest(incoming, response, () => inFlight--);
		maxInFlight = Math.max(maxInFlight, ++inFlight);
		requests.push(request);
		for (const wake of arrivals.splice(0)) wake();
		responder?.(request, requests.length - 1);
	};
	const clear = (): void => {
		requests.length = 0;
		arrivals = [];
		responder = respond;
		maxInFlight = 0;
	};
	beforeAll(async () => {
		server = await startServer((incoming, response) => {
			if (incoming.url === '/settled') response.end();
			else void receive(incoming, response);
		});
	});
	afterEach(clear);
	afterAll(async () => await server?.stop());
	const url = () => server?.url ?? '';

	return {
		get url() {
			return url();
		},
		/** A credential for this server. The server accepts every credential. */
		get credential() {
			return anyAccessKey(url());
		},
		/** All requests in the order of arrival. */
		requests,
		/** The method, path, query and body of each request, for comparison. */
		get sent(): SentRequest[] {
			return requests.map(({ method, path, query, body }) => ({ method, path, query, body }));
		},
		get maxInFlight() {
			return maxInFlight;
		},
		/** Resolves with the request at `index` (from 0), now or when it arrives. */
		async request(index: number): Promise<ReceivedRequest> {
			for (;;) {
				const request = requests[index];
				if (request) return request;
				await new Promise<void>((wake) => arrivals.push(wake));
			}
		},
		/** Responds to the waiting requests and all later ones, by default with success. */
		respondAll(respondTo: Respond = (request) => request.respond()) {
			responder = respondTo;
			for (const [index, request] of requests.entries()) respondTo(request, index);
		},
		/** Waits for several round trips to the server, so that all requests sent before have arrived. */
		async settled() {
			for (let trip = 0; trip < ROUND_TRIPS; trip++) await fetch(`${url()}/settled`);
		},
		/** Discards all requests. Each test ends with a call of `clear`. */
		clear,
	};
}

async function receivedRequest(
	incoming: IncomingMessage,
	response: ServerResponse,
	onResponse: () => void,
): Promise<ReceivedRequest> {
	const at = performance.now();
	const text = await textOf(incoming);
	const { method = '', url = '', headers } = incoming;
	// The boundary of a multipart body is random.
	const [, boundary] = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '') ?? [];
	const { pathname: path, searchParams } = new URL(url, 'http://service');
	const send: ReceivedRequest['send'] = (status, body, more = {}) => {
		if (response.writableEnded || response.destroyed) return;
		onResponse();
		response.writeHead(status, { 'content-type': 'application/json', ...more });
		response.end(JSON.stringify(body));
	};
	return {
		method,
		path,
		query: Object.fromEntries(searchParams),
		body: jsonOr(boundary === undefined ? text : text.replaceAll(boundary, 'boundary')),
		url,
		at,
		get aborted() {
			return response.destroyed && !response.writableEnded;
		},
		respond: (data = { path }, total) => send(200, { success: true, data, total }),
		refuse: (message, status = 200, more) => send(status, { success: false, message }, more),
		send,
		response,
	};
}

/** Sends a byte every 100 ms. */
export function drip({ response }: Pick<ReceivedRequest, 'response'>): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 100);
	response.on('close', () => clearInterval(timer));
}

function jsonOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const LIST =
	/\/(campaign|broadcast|recipientGroup|channel|template|manager|managerGroup|recipient|file)$/;

const SURVEY = {
	name: 'S',
	anonymous: false,
	questions: [
		{ _id: 'q1', title: 'x', options: [] },
		{ _id: 'q2', title: 'Why?', options: ['a', 'b'] },
	],
	result: [1, 2].map((number) => ({
		userId: `u${number}`,
		userEmail: `u${number}@people.example`,
		submitted: number === 1,
		responseSubmitted: number === 1,
		read: number === 1,
		'q.0': 7,
		'q.1': 'a',
	})),
};

/** Responds with a survey with responses, a list of one record, or a record. The record `x` is a draft, others are live. */
export function respondWithRecords({ method, path, query, respond }: ReceivedRequest): void {
	const { previousLastId, skip = '0' } = query;
	const record = { _id: 'r1', name: 'x', status: path.endsWith('/x') ? '0' : '1' };
	const isFirstPage = previousLastId === undefined && skip === '0';
	if (path.endsWith('/surveyData')) respond(SURVEY);
	else if (method === 'GET' && LIST.test(path)) respond(isFirstPage ? [record] : []);
	else respond(record);
}

/** Responds like a foreign host that impersonates the service. */
export function impersonate({ send }: ReceivedRequest): void {
	send(200, { success: true, data: [], access_token: 'stolen', expires_in: 3600 });
}
