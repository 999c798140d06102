import type { RequestListener } from './server/context.mts';
import type { Faults } from './server/faults.mts';
import type { PathPattern } from './server/pathPattern.mts';
import type { RecordedRequest, RequestSummary, Violation } from './server/recorder.mts';
import type { EmulatorClock } from './state/clock.mts';
import type { Key } from './state/keys.mts';
import type { HideOptions, NewResponse } from './state/surveyResponses.mts';
import type { SeedOptions } from './state/seed.mts';
import type { EmulatorState } from './state/state.mts';
import type { Switches } from './switches.mts';

/** A running emulator of the messaging service: what tests, its control interface and its pages work with. */
export interface Emulator {
	/** What a user types as base URL, without a slash at the end. */
	readonly url: string;
	/** Access key of a Super User. */
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
	/**
	 * Starts again from a seed: state, requests, faults, listeners, tokens, switches and clock. Keys stay good;
	 * requests that a fault keeps waiting break.
	 */
	reset(seed?: SeedOptions): void;
	/** Another access key or OAuth client. */
	addKey(kind: Key['kind'], owner?: Key['owner']): Key;
	/** Makes every access token given out so far an expired one. */
	expireTokens(): void;
	/** Adds a row to a survey; the row id is for `changeResponse`, `removeResponse` and `hideResponses`. */
	submitResponse(campaignId: string, response?: NewResponse): string;
	changeResponse(campaignId: string, rowId: string, change: NewResponse): void;
	removeResponse(campaignId: string, rowId: string): void;
	/** Keeps rows, or the whole result, out of the next response (or the next `calls` responses). */
	hideResponses(campaignId: string, options?: HideOptions): void;
	/** People answer a live survey in their own words: recipients who have not yet, then somebody new. Gives row ids. */
	letPeopleAnswer(campaignId: string, count: number): string[];
	/** What somebody does in the console meanwhile: sends a draft, closes, opens again, takes away, deletes. */
	sendCampaign(id: string): void;
	closeCampaign(id: string): void;
	reopenCampaign(id: string): void;
	unshareCampaign(id: string): void;
	deleteCampaign(id: string): void;
	/** Calls back before each request is carried out; gives back how to stop that. */
	onRequest(listener: RequestListener): () => void;
	/**
	 * Dies after this many more requests to the service (default 0, at once): what is under way breaks, and
	 * connections are refused until `comeUp`. Needs a host that is an address, as the default is.
	 */
	goDown(afterRequests?: number): void;
	/** Back at the same address, with everything it knew. */
	comeUp(): Promise<void>;
	/** Ends connections, everything that delays, and the server. */
	stop(): Promise<void>;
}
