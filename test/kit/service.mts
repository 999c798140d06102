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
import { required } from './required.mts';

/** An emulator for one test file, reset after each test, and functions that run the node against it. */
export type Service = ReturnType<typeof useService>;

/** A small seed, so that tests start fast. `people` is the number of recipients that the service knows. */
const SMALL: SeedOptions = { seed: 7, people: 12, groups: 3, campaigns: 8, responsesPerSurvey: 5 };

/**
 * Starts an emulator for a test file. Fails a test in which the node sent something that the contract does not allow.
 */
export function useService(
	seed: SeedOptions = SMALL,
	{ clock }: Pick<EmulatorOptions, 'clock'> = {},
) {
	let emulator: Emulator | undefined;
	beforeAll(async () => {
		emulator = await startEmulator({ seed, ...(clock && { clock }) });
	});
	afterEach(() => {
		const violations = [...service.emulator.violations];
		service.emulator.reset();
		expect(violations).toEqual([]);
	});
	afterAll(async () => {
		await emulator?.stop();
	});

	const service = {
		get emulator(): Emulator {
			if (!emulator) throw new Error('The emulator is not running yet');
			return emulator;
		},
		/** A credential with the access key of a Super User. */
		get accessKey(): ICredentialDataDecryptedObject {
			const { url, accessKey } = service.emulator;
			return { ...anyAccessKey(url), accessKey };
		},
		get clientCredentials(): ICredentialDataDecryptedObject {
			const { url: baseUrl, clientId, clientSecret } = service.emulator;
			return { baseUrl, authentication: 'clientCredentials', clientId, clientSecret };
		},
		/** Returns the credential of a new client. The node caches access tokens by client ID. */
		newClient(): ICredentialDataDecryptedObject {
			const { id: clientId, value: clientSecret } = service.emulator.addKey('client');
			return { ...service.clientCredentials, clientId, clientSecret };
		},
		/** Runs one operation, such as `campaign.create`, with the access key. */
		async run(
			operation: string,
			parameters: INodeParameters = {},
			options: Partial<RunOptions> = {},
		): Promise<RunResult> {
			const [resource = '', name = ''] = operation.split('.');
			const selected = { resource, operation: name, ...parameters };
			return await runNode({ credential: service.accessKey, ...options, parameters: selected });
		},
		/** Runs one operation. Returns the message and advice of its error, and the number of requests in the test. */
		async failure(operation: string, parameters?: INodeParameters, options?: Partial<RunOptions>) {
			const { error } = await service.run(operation, parameters, options);
			return { message: error?.message, advice: error?.description, sent: service.requests.length };
		},
		/** The requests since the test began, except token requests. */
		get requests(): RecordedRequest[] {
			return service.emulator.requests.filter(({ path }) => !path.endsWith('/oauth/token'));
		},
		/** Those that are not reads. */
		get changes(): RecordedRequest[] {
			return service.requests.filter(({ method }) => method !== 'GET');
		},
		/** The requests as `GET /campaign/:id`. */
		get calls(): string[] {
			return service.requests.map((request) => callOf(request).replace(/[0-9a-f]{24}/, ':id'));
		},
		get lastRequest(): RecordedRequest {
			return required(service.requests.at(-1), 'request');
		},
		/** The last request: its method and path without `/int/v1`, then its body (for a GET, its query). */
		get lastSent(): [request: string, content: unknown] {
			const { lastRequest: last } = service;
			return [callOf(last), last.method === 'GET' ? last.query : last.body];
		},
	};
	return service;
}

const callOf = ({ method, path }: RecordedRequest) => `${method} ${path.replace('/int/v1', '')}`;
