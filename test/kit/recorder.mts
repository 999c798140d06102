import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { anyAccessKey } from './credentials.mts';
import { startServer, type LocalServer } from './localServer.mts';

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
	/** A credential that it takes, as it takes any. */
	readonly credential: ICredentialDataDecryptedObject;
	/** The requests since the last `clear`. */
	readonly requests: Recorded[];
	clear(): void;
};

/** Starts a recorder for a test file, cleared before each test. @param answerTo gives the `data` of the answer to a request */
export function useRecorder(answerTo: (request: Recorded) => unknown = nothing): Recorder {
	const requests: Recorded[] = [];
	let server: LocalServer | undefined;
	const clear = () => void requests.splice(0);
	beforeAll(async () => {
		server = await startServer((request, response) => {
			void recordOf(request).then((record) => {
				requests.push(record);
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ success: true, data: answerTo(record) }));
			});
		});
	});
	beforeEach(clear);
	afterAll(async () => await server?.stop());
	return {
		get credential() {
			return anyAccessKey(server?.url ?? '');
		},
		requests,
		clear,
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
