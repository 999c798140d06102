import type { EmulatorClock } from '../state/clock.mts';
import type { EmulatorState } from '../state/state.mts';
import type { Switches } from '../switches.mts';
import type { ResponseContract } from './ajv.mts';
import type { FaultAction, Faults } from './faults.mts';
import type { RateLimit } from './rateLimit.mts';
import type { RecordedRequest, Recorder } from './recorder.mts';
import type { Delays } from './delays.mts';

export type RequestListener = (request: RecordedRequest) => void | Promise<void>;

/** The data that all parts of the server share. A reset replaces `state`, so do not keep a reference to `state`. */
export interface Context {
	state: EmulatorState;
	/** Saves the records if a file keeps them. */
	readonly save: () => Promise<void>;
	switches: Switches;
	/** The address of the server, without a trailing slash. Empty until the server listens. */
	baseUrl: string;
	readonly clock: EmulatorClock;
	readonly recorder: Recorder;
	readonly faults: Faults;
	readonly responses: ResponseContract;
	/** The delays of all requests since the last reset. */
	delays: Delays;
	readonly rateLimit: RateLimit;
	/** Functions that are called before each operation. */
	readonly requestListeners: Set<RequestListener>;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The operationId in the contract. Routes that do not belong to the service have no operationId. */
		operationId?: string;
		/** Media type of the operation's body, if it has one. */
		bodyMediaType?: string;
	}
	interface FastifyRequest {
		emulatorRecord: RecordedRequest | undefined;
		/** The delays of this request. A reset ends these delays. */
		delays: Delays;
		responseFault: FaultAction | undefined;
	}
}
