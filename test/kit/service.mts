import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import {
	startEmulator,
	type Emulator,
	type EmulatorOptions,
	type RecordedRequest,
	type SeedOptions,
} from '../../emulator/emulator.mts';
import { anyAccessKey } from './credentials.mts';
import { runNode, type RunOptions, type RunResult } from './engine.mts';

/** An emulator for one test file, reset after each test, and functions that run the node against it. */
export type Service = ReturnType<typeof useService>;

/** A small seed, so that tests start fast. `people` is the number of recipients that the service knows. */
const SMALL: SeedOptions = { seed: 7, people: 12, groups: 3, campaigns: 8, responsesPerSurvey: 5 };

/**
 * Starts an emulator for a test file. Fails a test in which the node sent something that the contract does not allow.
 * Fails a test in which a listener of `emulator.onRequest` threw, too.
 */
export function useService(
	seed: SeedOptions = SMALL,
	{ clock }: Pick<EmulatorOptions, 'clock'> = {},
) {
	let emulator: Emulator | undefined;
	const running = (): Emulator => {
		if (!emulator) throw new Error('The emulator is not running yet');
		return emulator;
	};
	const listenerErrors: Error[] = [];
	const clients = new Set<string>();
	beforeAll(async () => {
		emulator = await startEmulator({ seed, ...(clock && { clock }) });
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

	const accessKey = (): ICredentialDataDecryptedObject => ({
		...anyAccessKey(running().url),
		accessKey: running().accessKey,
	});
	const clientCredentials = (): ICredentialDataDecryptedObject => ({
		baseUrl: running().url,
		authentication: 'clientCredentials',
		clientId: running().clientId,
		clientSecret: running().clientSecret,
	});
	const requests = () => running().requests.filter(({ path }) => !path.endsWith('/oauth/token'));
	const lastRequest = (): RecordedRequest => {
		const last = requests().at(-1);
		if (!last) throw new Error('There was no request');
		return last;
	};
	const run = async (
		operation: string,
		parameters: INodeParameters = {},
		options: Partial<RunOptions> = {},
	): Promise<RunResult> => {
		const [resource = '', name = ''] = operation.split('.');
		const selected = { resource, operation: name, ...parameters };
		return await runNode({ credential: accessKey(), ...options, parameters: selected });
	};

	return {
		get emulator() {
			return running();
		},
		/** A credential with the access key of a Super User. */
		get accessKey() {
			return accessKey();
		},
		get clientCredentials() {
			return clientCredentials();
		},
		/**
		 * Returns the credential of a client that no test of the file has used. The node caches access tokens by client ID,
		 * and a reset emulator issues the same IDs again.
		 */
		newClient(): ICredentialDataDecryptedObject {
			for (;;) {
				const { id: clientId, value: clientSecret } = running().addKey('client');
				if (clients.has(clientId)) continue;
				clients.add(clientId);
				return { ...clientCredentials(), clientId, clientSecret };
			}
		},
		/** Runs one operation, such as `campaign.create`, with the access key. */
		run,
		/** Runs one operation. Returns the message and advice of its error, and the number of requests in the test. */
		async failure(...parameters: Parameters<typeof run>) {
			const { error } = await run(...parameters);
			return { message: error?.message, advice: error?.description, sent: requests().length };
		},
		/** The requests since the test began, except token requests. */
		get requests() {
			return requests();
		},
		get lastRequest() {
			return lastRequest();
		},
		/** The last request: its method and path without `/int/v1`, then its body (for a GET, its query). */
		get lastSent(): [request: string, content: unknown] {
			const { method, path, query, body } = lastRequest();
			return [`${method} ${path.replace('/int/v1', '')}`, method === 'GET' ? query : body];
		},
	};
}

/**
 * Passes errors of a test's request listener, such as a failed `expect`, to `keep`, and throws them again. The
 * emulator turns these errors into HTTP 500, and the node may continue after HTTP 500. So `useService` fails the test
 * at its end.
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
