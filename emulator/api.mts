import type { Context, RequestListener } from './server/context.mts';
import { Delays } from './server/delays.mts';
import type { RecordedRequest, Violation } from './server/recorder.mts';
import { Keys, type Key } from './state/keys.mts';
import { seededState, type SeedOptions } from './state/seed.mts';
import { submitResponse, type NewResponse } from './state/surveyResponses.mts';
import type { Switches } from './switches.mts';

/** The interface of a running emulator, for tests, the control interface and the pages. */
export type Emulator = ReturnType<typeof createEmulator>;

/**
 * Creates the programming interface of an emulator.
 *
 * @param initial the first seed, the switches that `reset` restores, and whether the records are those of an earlier run
 * @param close stops the server
 */
export function createEmulator(
	context: Context,
	initial: { seed: SeedOptions; switches: () => Switches; isRestored: boolean },
	close: () => Promise<void>,
) {
	const { recorder, clock, faults, switches, state } = context;
	const requests: readonly RecordedRequest[] = recorder.requests;
	const violations: readonly Violation[] = recorder.violations;
	const keyOf = (wanted: Partial<Key>) => state.keys.find(wanted) ?? { id: '', value: '' };
	const client = keyOf({ kind: 'client' });

	return {
		/** The base URL, without a trailing slash. */
		get url() {
			return context.baseUrl;
		},
		accessKey: keyOf({ kind: 'accessKey' }).value,
		clientId: client.id,
		clientSecret: client.value,
		/** Requests to the service, oldest first. */
		requests,
		/** Counts the recorded requests. The path may contain `*` and `:name`. */
		requestCount: (method?: string, path?: string) => recorder.count(method, path),
		/** The highest number of requests in flight at the same time. */
		get maxInFlight() {
			return recorder.maxInFlight;
		},
		/** Violations of the contract by clients, or (kind `response`) by the emulator itself. */
		violations,
		/** Clears the recorded requests and violations, and all counts of requests. */
		clearRequests: () => recorder.clear(),
		/** Behavior that the specification leaves open. Tests may change these switches at any time. */
		switches,
		faults,
		clock,
		/** All records of the service. `reset` replaces this object. */
		get state() {
			context.state.advance();
			return context.state;
		},
		/**
		 * Resets state, requests, faults, listeners, tokens, switches, rate limit and clock. The two keys that exist at the
		 * start stay valid. The connections of delayed requests break.
		 */
		reset: (): void => {
			context.delays.end();
			context.delays = new Delays();
			clock.reset();
			context.state = seededState(initial.seed, clock, new Keys());
			Object.assign(switches, initial.switches());
			faults.clear();
			context.rateLimit.clear();
			context.requestListeners.clear();
			recorder.clear();
		},
		/** Adds an access key or OAuth client. */
		addKey: (kind: Key['kind']) => context.state.keys.add(kind),
		/** Expires all access tokens issued so far. */
		expireTokens: () => context.state.keys.expireAll(clock.now()),
		/** Adds a row to a survey. Returns the ID of the row. */
		submitResponse: (campaignId: string, response?: NewResponse) =>
			submitResponse(context.state, clock.now(), campaignId, response),
		/** Closes a campaign, like a colleague in the console. */
		closeCampaign: (id: string) => {
			const campaign = context.state.campaigns.get(id);
			if (campaign) campaign.status = '3';
		},
		/** Calls the listener before each request is processed. Returns a function that removes the listener. */
		onRequest: (listener: RequestListener) => {
			context.requestListeners.add(listener);
			return () => context.requestListeners.delete(listener);
		},
		/** Whether the records are those of an earlier run. */
		isRestored: initial.isRestored,
		/** Saves the records if a file keeps them. Changes by HTTP are saved at once. */
		save: context.save,
		/** Ends all connections, saves the records, and stops the server. */
		stop: async () => {
			await close();
			await context.save();
		},
	};
}
