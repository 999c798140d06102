import type { ConsoleUser } from '../state/consoleUsers.mts';
import type { EmulatorClock } from '../state/clock.mts';
import type { EmulatorState } from '../state/state.mts';
import type { Switches } from '../switches.mts';
import type { ResponseContract } from './contract.mts';
import type { FaultAction, Faults } from './faults.mts';
import type { Outage } from './outage.mts';
import type { RateLimit } from './rateLimit.mts';
import type { RecordedRequest, Recorder } from './recorder.mts';
import type { Delays } from './delays.mts';

export type RequestListener = (request: RecordedRequest) => void | Promise<void>;

/** What every part of the server works with. `state` is replaced by a reset, so always ask for it anew. */
export interface Context {
	state: EmulatorState;
	switches: Switches;
	/** Without a slash at the end; known once the server listens. */
	baseUrl: string;
	readonly clock: EmulatorClock;
	readonly recorder: Recorder;
	readonly faults: Faults;
	readonly responses: ResponseContract;
	/** Of the requests since the last reset. */
	delays: Delays;
	readonly outage: Outage;
	readonly rateLimit: RateLimit;
	/** Called before a request is carried out. */
	readonly requestListeners: Set<RequestListener>;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** operationId of the contract; absent on routes that are no part of the service. */
		operationId?: string;
		/** Media type of the operation's body; absent when it takes none. */
		bodyMediaType?: string;
	}
	interface FastifyRequest {
		emulatorRecord: RecordedRequest | undefined;
		/** What of this request waits; ended by a reset. */
		delays: Delays;
		/** The user behind the token, once it has been checked. */
		caller: ConsoleUser | undefined;
		/** The fault applied to the response. */
		responseFault: FaultAction | undefined;
	}
}
