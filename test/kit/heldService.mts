import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { anyAccessKey } from './credentials.mts';
import { startServer, type LocalServer } from './localServer.mts';
import { recordOf, type Recorded } from './recorder.mts';

/** A request that waits for its answer. */
export type HeldRequest = Recorded & {
	/** `performance.now()` when it was here. */
	at: number;
	/** Whether the caller broke it off before it was answered. */
	readonly brokenOff: boolean;
	/** Answers `{ success: true, data }`, `data` being the path where nothing is given. */
	answer: (data?: unknown, total?: number) => void;
	/** Answers with an error, in the service's words. */
	refuse: (message: string, status?: number, headers?: Record<string, string>) => void;
};

/** A service whose requests the test answers itself, when and in what order it likes. */
export type HeldService = {
	/** A credential that it takes, as it takes any. */
	readonly credential: ICredentialDataDecryptedObject;
	/** In the order in which they came. */
	readonly requests: HeldRequest[];
	/** The most that ever waited for an answer at the same time. */
	readonly most: number;
	/** Resolves with the request that came as number `index` (from 0), now or later. */
	request: (index: number) => Promise<HeldRequest>;
	/** Answers all requests at once from now on, those that wait first. Without a function: with success. */
	answerAll: (answer?: (request: HeldRequest, index: number) => void) => void;
	/** Resolves when requests that are on their way must have arrived: round trips of the test's own came back. */
	settled: () => Promise<void>;
	/** Forgets what came, as after each test. */
	clear: () => void;
};

const ROUND_TRIPS = 10;

/** Starts such a service for a test file, which forgets after each test what came in it. */
export function useHeldService(): HeldService {
	const requests: HeldRequest[] = [];
	let waiting = 0;
	let most = 0;
	let arrived: Array<() => void> = [];
	let answerer: ((request: HeldRequest, index: number) => void) | undefined;

	const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const held = await heldRequest(incoming, response, () => waiting--);
		most = Math.max(most, ++waiting);
		requests.push(held);
		for (const wake of arrived.splice(0)) wake();
		answerer?.(held, requests.length - 1);
	};
	let server: LocalServer | undefined;
	beforeAll(async () => {
		server = await startServer((incoming, response) => {
			if (incoming.url === '/settled') response.end();
			else void take(incoming, response);
		});
	});
	const clear = (): void => {
		requests.length = 0;
		arrived = [];
		answerer = undefined;
		most = 0;
	};
	afterEach(clear);
	afterAll(async () => await server?.stop());
	const baseUrl = () => server?.url ?? '';

	return {
		get credential() {
			return anyAccessKey(baseUrl());
		},
		requests,
		clear,
		get most() {
			return most;
		},
		async request(index) {
			for (;;) {
				const held = requests[index];
				if (held) return held;
				await new Promise<void>((wake) => arrived.push(wake));
			}
		},
		answerAll(answer = ({ answer: succeed }) => succeed()) {
			answerer = answer;
			for (const [index, held] of requests.entries()) answer(held, index);
		},
		async settled() {
			for (let trip = 0; trip < ROUND_TRIPS; trip++) await fetch(`${baseUrl()}/settled`);
		},
	};
}

async function heldRequest(
	incoming: IncomingMessage,
	response: ServerResponse,
	onAnswer: () => void,
): Promise<HeldRequest> {
	const at = performance.now();
	const record = await recordOf(incoming);
	const send = (status: number, body: object, headers: Record<string, string> = {}): void => {
		if (response.writableEnded || response.destroyed) return;
		onAnswer();
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};
	return {
		...record,
		at,
		get brokenOff() {
			return response.destroyed && !response.writableEnded;
		},
		answer: (data = { path: record.path }, total) => send(200, { success: true, data, total }),
		refuse: (message, status = 200, headers) => send(status, { success: false, message }, headers),
	};
}
