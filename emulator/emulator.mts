import type { AddressInfo } from 'node:net';
import { registerControl } from './control/control.mts';
import { registerPages } from './page/pages.mts';
import { operations } from './routes/operations.mts';
import type { Emulator } from './api.mts';
import { buildService } from './server/app.mts';
import type { Context } from './server/context.mts';
import { ResponseContract } from './server/contract.mts';
import { Faults } from './server/faults.mts';
import { isLoopbackName } from './server/hosts.mts';
import { Outage } from './server/outage.mts';
import { RateLimit } from './server/rateLimit.mts';
import { Recorder } from './server/recorder.mts';
import { Delays } from './server/delays.mts';
import {
	closeCampaign,
	deleteCampaign,
	reopenCampaign,
	sendCampaign,
	unshareCampaign,
} from './state/campaignActions.mts';
import { EmulatorClock } from './state/clock.mts';
import { letPeopleAnswer } from './state/employees.mts';
import { Keys } from './state/keys.mts';
import {
	changeResponse,
	hideResponses,
	submitResponse,
	surveyOf,
} from './state/surveyResponses.mts';
import { seededState, type SeedOptions } from './state/seed.mts';
import { defaultSwitches, type Switches } from './switches.mts';

export type { Emulator } from './api.mts';
export type { Fault, FaultAction } from './server/faults.mts';
export type { RecordedRequest, RequestSummary, Violation } from './server/recorder.mts';
export type { Json } from './state/json.mts';
export type { HideOptions, NewResponse } from './state/surveyResponses.mts';
export type { SeedOptions } from './state/seed.mts';
export type { Switches } from './switches.mts';

export interface EmulatorOptions {
	/** 0, the default: a free one. */
	port?: number;
	/** A name or address of this machine alone; default 127.0.0.1. */
	host?: string;
	seed?: SeedOptions;
	switches?: Partial<Switches>;
	/** The time, in milliseconds; default the machine's. */
	clock?: () => number;
	/** Fastify's own log, to standard output. */
	logger?: boolean;
}

/** Starts an emulator of the whole messaging service on this machine. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const host = options.host ?? '127.0.0.1';
	if (!isLoopbackName(host)) {
		throw new Error(`The emulator listens on this machine alone (127.0.0.1, ::1), not on ${host}`);
	}
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
		delays: new Delays(),
		outage: new Outage(),
		rateLimit: new RateLimit(),
		requestListeners: new Set(),
	};
	const app = await buildService(context, operations(context), options.logger ?? false);
	const { recorder, outage } = context;

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
			context.delays.end();
			context.delays = new Delays();
			clock.reset();
			keys = new Keys();
			context.state = seededState(lastSeed, clock, keys);
			Object.assign(context.switches, initialSwitches());
			context.faults.clear();
			context.rateLimit.clear();
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
		letPeopleAnswer: (campaignId, count) =>
			letPeopleAnswer(context.state, clock.now(), campaignId, count),
		sendCampaign: (id) => sendCampaign(context.state, id),
		closeCampaign: (id) => closeCampaign(context.state, id),
		reopenCampaign: (id) => reopenCampaign(context.state, id),
		unshareCampaign: (id) => unshareCampaign(context.state, id),
		deleteCampaign: (id) => deleteCampaign(context.state, id),
		onRequest: (listener) => {
			context.requestListeners.add(listener);
			return () => context.requestListeners.delete(listener);
		},
		goDown: (afterRequests = 0) => outage.goDown(afterRequests),
		comeUp: () => outage.comeUp(),
		stop: async () => {
			context.delays.end();
			await outage.comeUp();
			await app.close();
		},
	};

	await registerControl(app, emulator);
	await registerPages(app, emulator);
	try {
		await app.listen({ port: options.port ?? 0, host });
	} catch (error) {
		await app.close();
		throw error;
	}
	const address: AddressInfo | string | null = app.server.address();
	if (address === null || typeof address === 'string') throw new Error('The emulator has no port');
	outage.attach(app.server, address.port, host);
	context.baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
	return emulator;
}
