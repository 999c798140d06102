import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import {
	startEmulator,
	type Emulator,
	type RecordedRequest,
	type SeedOptions,
} from '../../emulator/emulator.mts';
import { runNode, type RunOptions, type RunResult } from './engine.mts';

/** An emulator for the tests of one file, fresh for each test, and the node run against it. */
export type Service = {
	readonly emulator: Emulator;
	/** The credential with the access key of a Super User. */
	readonly accessKey: ICredentialDataDecryptedObject;
	/** The credential with client id and secret. */
	readonly clientCredentials: ICredentialDataDecryptedObject;
	/**
	 * The credential of a client that no test of the file has used: access tokens live as long as the process, and a fresh
	 * emulator gives the same ids again.
	 */
	newClient(): ICredentialDataDecryptedObject;
	/** Runs one operation with the access key. */
	run(
		resource: string,
		operation: string,
		parameters?: INodeParameters,
		options?: Partial<RunOptions>,
	): Promise<RunResult>;
	/** Runs one operation that is meant to fail: its message and advice, and how many requests the test has sent by then. */
	failure(...run: Parameters<Service['run']>): Promise<Failure>;
	/** The requests to the service since the test began, without those for tokens. */
	readonly requests: RecordedRequest[];
	/** The last of them. */
	readonly lastRequest: RecordedRequest;
	/** What it sent: method and path behind `/int/v1`, and its body, or the query of a GET. */
	readonly lastSent: [request: string, content: unknown];
};

type Failure = { message?: string; advice?: string | null; sent: number };

/** Small, so that every test starts at once; `people` are known recipients. */
const SMALL: SeedOptions = { seed: 7, people: 12, groups: 3, campaigns: 8, responsesPerSurvey: 5 };

/**
 * Starts an emulator for a test file. After each test it fails the test if the node sent something that the contract
 * does not allow, or if a listener of `emulator.onRequest` threw.
 */
export function useService(seed: SeedOptions = SMALL): Service {
	let emulator: Emulator | undefined;
	const running = (): Emulator => {
		if (!emulator) throw new Error('The emulator is not running yet');
		return emulator;
	};
	const listenerErrors: Error[] = [];
	const clients = new Set<string>();
	beforeAll(async () => {
		emulator = await startEmulator({ seed });
		rethrowLater(emulator, (error) => listenerErrors.push(error));
	});
	afterEach(() => {
		const { violations } = running();
		const found = [...violations];
		const [listenerError] = listenerErrors.splice(0);
		running().reset();
		if (listenerError !== undefined) throw listenerError;
		expect(found).toEqual([]);
	});
	afterAll(async () => {
		await emulator?.stop();
	});

	const service: Service = {
		get emulator() {
			return running();
		},
		get accessKey() {
			return {
				baseUrl: running().url,
				authentication: 'accessKey',
				accessKey: running().accessKey,
			};
		},
		get clientCredentials() {
			return {
				baseUrl: running().url,
				authentication: 'clientCredentials',
				clientId: running().clientId,
				clientSecret: running().clientSecret,
			};
		},
		newClient() {
			for (;;) {
				const { id: clientId, value: clientSecret } = running().addKey('client');
				if (clients.has(clientId)) continue;
				clients.add(clientId);
				return { ...service.clientCredentials, clientId, clientSecret };
			}
		},
		async run(resource, operation, parameters = {}, options = {}) {
			return await runNode({
				credential: service.accessKey,
				...options,
				parameters: { resource, operation, ...parameters },
			});
		},
		async failure(...run) {
			const { error } = await service.run(...run);
			return { message: error?.message, advice: error?.description, sent: service.requests.length };
		},
		get requests() {
			return running().requests.filter(({ path }) => !path.endsWith('/oauth/token'));
		},
		get lastRequest() {
			const last = service.requests.at(-1);
			if (!last) throw new Error('There was no request');
			return last;
		},
		get lastSent(): Service['lastSent'] {
			const { method, path, query, body } = service.lastRequest;
			return [`${method} ${path.replace('/int/v1', '')}`, method === 'GET' ? query : body];
		},
	};
	return service;
}

/**
 * An error in a test's request listener, such as a failed `expect`, becomes a response of the service (HTTP 500) that
 * the node may survive. It is kept here and fails the test at the end.
 */
function rethrowLater(emulator: Emulator, keep: (error: Error) => void): void {
	const onRequest = emulator.onRequest.bind(emulator);
	emulator.onRequest = (listener) =>
		onRequest(async (request) => {
			try {
				await listener(request);
			} catch (error) {
				keep(error instanceof Error ? error : new Error(String(error)));
				throw error;
			}
		});
}
