import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** What reached the service. */
export type Recorded = {
	method: string;
	path: string;
	query: Record<string, string>;
	/** JSON where it is JSON, otherwise text. */
	body: unknown;
};

/** A service that takes everything and knows nothing: for tests of what the node sends, and of what it does not. */
export type Recorder = {
	readonly baseUrl: string;
	/** The requests since the last `clear`. */
	readonly requests: Recorded[];
	clear(): void;
	stop(): Promise<void>;
};

/** Starts a recorder on loopback. @param answerTo gives the `data` of the answer to a request */
export async function startRecorder(
	answerTo: (request: Recorded) => unknown = nothing,
): Promise<Recorder> {
	const requests: Recorded[] = [];
	const server = createServer((request, response) => {
		void recordOf(request).then((record) => {
			requests.push(record);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ success: true, data: answerTo(record) }));
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const address: AddressInfo | string | null = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	return {
		baseUrl: `http://127.0.0.1:${address.port}`,
		requests,
		clear: () => void requests.splice(0),
		stop: async () => {
			// Kept alive, a connection would keep the server open.
			server.closeAllConnections();
			await new Promise<void>((closed) => server.close(() => closed()));
		},
	};
}

/** A request in full. */
export async function recordOf(request: IncomingMessage): Promise<Recorded> {
	const text = await textOf(request);
	// Different in every form.
	const [, boundary] = /boundary="?([^";]+)/.exec(request.headers['content-type'] ?? '') ?? [];
	const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
	return {
		method: request.method ?? '',
		path: pathname,
		query: Object.fromEntries(searchParams),
		body: jsonOr(boundary === undefined ? text : text.replaceAll(boundary, 'boundary')),
	};
}

function jsonOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Whether a request asks for a list of records. */
export function asksForList({ method, path }: Recorded): boolean {
	return (
		method === 'GET' &&
		/\/(campaign|broadcast|recipientGroup|channel|template|manager|managerGroup|recipient|file)$/.test(
			path,
		)
	);
}

/** Lists are empty, a survey has nobody in it, and a record has no fields. */
function nothing(request: Recorded): unknown {
	if (request.path.endsWith('/surveyData')) return { name: 'S', questions: [], result: [] };
	return asksForList(request) ? [] : {};
}
