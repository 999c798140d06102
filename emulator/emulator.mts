import type { AddressInfo } from 'node:net';
import { registerControl } from './control/control.mts';
import { registerPages } from './page/pages.mts';
import { buildService } from './server/app.mts';
import type { Context, RequestListener } from './server/context.mts';
import { ResponseContract } from './server/contract.mts';
import { Faults } from './server/faults.mts';
import type { PathPattern } from './server/pathPattern.mts';
import { Recorder, type RecordedRequest, type RequestSummary, type Violation } from './server/recorder.mts';
import { EmulatorClock } from './state/clock.mts';
import { Keys, type Key } from './state/keys.mts';
import { changeResponse, hideResponses, submitResponse, surveyOf, type HideOptions, type NewResponse } from './state/responses.mts';
import { seededState, type SeedOptions } from './state/seed.mts';
import type { EmulatorState } from './state/state.mts';
import { defaultSwitches, type Switches } from './switches.mts';

export type { Fault, FaultAction } from './server/faults.mts';
export type { RecordedRequest, RequestSummary, Violation } from './server/recorder.mts';
export type { HideOptions, NewResponse } from './state/responses.mts';
export type { SeedOptions } from './state/seed.mts';
export type { Switches } from './switches.mts';

export interface EmulatorOptions {
	/** 0, the default: a free one. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	seed?: SeedOptions;
	switches?: Partial<Switches>;
	/** The time, in milliseconds; default the machine's. */
	clock?: () => number;
	/** Fastify's own log, to standard output. */
	logger?: boolean;
}

/** A running emulator of the messaging service. */
export interface Emulator {
	/** What a user types as base URL, without a slash at the end. */
	readonly url: string;
	/** Of a Super User. */
	readonly accessKey: string;
	readonly clientId: string;
	readonly clientSecret: string;
	/** Of a user who is no Super User. */
	readonly plainAccessKey: string;
	readonly plainClientId: string;
	readonly plainClientSecret: string;
	/** Every request to the service, oldest first; at least the last 50,000. */
	readonly requests: readonly RecordedRequest[];
	/** All requests there were; a path may hold `*` and `:name`. */
	requestCount(method?: string, path?: PathPattern): number;
	/** Counts by operation, requests in flight at most, in total and by operation. */
	readonly summary: RequestSummary;
	/** The most requests at the same time. */
	readonly maxInFlight: number;
	/** What a client sent against the contract, and (kind 'response') what the emulator did wrong itself. */
	readonly violations: readonly Violation[];
	/** Forgets requests, counts and violations. */
	clearRequests(): void;
	/** Behaviour where the specification is open; can be changed at any time. */
	readonly switches: Switches;
	readonly faults: Faults;
	readonly clock: EmulatorClock;
	/** Everything the service knows; replaced by `reset`. */
	readonly state: EmulatorState;
	/** Starts again from a seed: state, requests, faults, listeners, tokens, switches and clock. Keys stay good. */
	reset(seed?: SeedOptions): void;
	/** Another access key or OAuth client. */
	addKey(kind: Key['kind'], owner?: Key['owner']): Key;
	/** Makes every access token given out so far an expired one. */
	expireTokens(): void;
	/** Adds a row to a survey; the row id is for `changeResponse`, `removeResponse` and `hideResponses`. */
	submitResponse(campaignId: string, response?: NewResponse): string;
	changeResponse(campaignId: string, rowId: string, change: NewResponse): void;
	removeResponse(campaignId: string, rowId: string): void;
	/** Keeps rows, or the whole result, out of the next answer (or the next `calls` answers). */
	hideResponses(campaignId: string, options?: HideOptions): void;
	/** Calls back before each request is carried out; gives back how to stop that. */
	onRequest(listener: RequestListener): () => void;
	stop(): Promise<void>;
}

/** Starts an emulator of the whole messaging service on this machine. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const clock = new EmulatorClock(options.clock);
	let keys = new Keys();
	let lastSeed = options.seed ?? {};
	const initialSwitches = (): Switches => ({
		...defaultSwitches(),
		...structuredClone(options.switches ?? {}),
	});
	const context: Context = {
		state: seededState(lastSeed, clock, keys),
		switches: initialSwitches(),
		baseUrl: '',
		clock,
		recorder: new Recorder(),
		faults: new Faults(),
		responses: new ResponseContract(),
		requestListeners: new Set(),
	};
	const app = await buildService(context, options.logger ?? false);
	const { recorder } = context;

	const emulator: Emulator = {
		get url() {
			return context.baseUrl;
		},
		accessKey: keys.find('accessKey', 'superUser').value,
		clientId: keys.find('client', 'superUser').id,
		clientSecret: keys.find('client', 'superUser').value,
		plainAccessKey: keys.find('accessKey', 'plainUser').value,
		plainClientId: keys.find('client', 'plainUser').id,
		plainClientSecret: keys.find('client', 'plainUser').value,
		requests: recorder.requests,
		requestCount: (method, path) => recorder.count(method, path),
		get summary() {
			return recorder.summary();
		},
		get maxInFlight() {
			return recorder.maxInFlight;
		},
		violations: recorder.violations,
		clearRequests: () => recorder.clear(),
		switches: context.switches,
		faults: context.faults,
		clock,
		get state() {
			context.state.advance();
			return context.state;
		},
		reset: (seed) => {
			lastSeed = seed ?? lastSeed;
			clock.reset();
			keys = new Keys();
			context.state = seededState(lastSeed, clock, keys);
			Object.assign(context.switches, initialSwitches());
			context.faults.clear();
			context.requestListeners.clear();
			recorder.clear();
		},
		addKey: (kind, owner = 'superUser') => keys.add(kind, owner),
		expireTokens: () => keys.expireAll(clock.now()),
		submitResponse: (campaignId, response) =>
			submitResponse(context.state, clock.now(), campaignId, response),
		changeResponse: (campaignId, rowId, change) =>
			changeResponse(context.state, clock.now(), campaignId, rowId, change),
		removeResponse: (campaignId, rowId) => {
			surveyOf(context.state, campaignId).remove(rowId);
		},
		hideResponses: (campaignId, hide = {}) => hideResponses(context.state, campaignId, hide),
		onRequest: (listener) => {
			context.requestListeners.add(listener);
			return () => context.requestListeners.delete(listener);
		},
		stop: () => app.close(),
	};

	await registerControl(app, emulator);
	registerPages(app, emulator);
	const host = options.host ?? '127.0.0.1';
	try {
		await app.listen({ port: options.port ?? 0, host });
	} catch (error) {
		await app.close();
		throw error;
	}
	const address: AddressInfo | string | null = app.server.address();
	if (address === null || typeof address === 'string') throw new Error('The emulator has no port');
	const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	context.baseUrl = `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${address.port}`;
	return emulator;
}
