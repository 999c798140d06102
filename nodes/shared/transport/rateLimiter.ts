import { NodeApiError, UserError } from 'n8n-workflow';

import { messageOf } from '../failure';
import { settle } from '../concurrency';
import { FIRST_WAIT_MS, isRetryable, pause, retryAfter, abortable } from './retry';

/** How often a request is tried in all, the first time included. */
const TRIES = 4;

/** So long after the first failure without a single success since, nothing is tried again. */
const GIVE_UP_MS = 5 * 60_000;

export type RateLimiterOptions = {
	/** Ends the waiting, and with it the trying, when somebody cancels the execution. */
	signal?: AbortSignal;
	/** Told of each pause, in words. */
	log?: (text: string) => void;
	/** Stands in for `pause` in tests. */
	sleep?: (ms: number) => Promise<unknown>;
	/** Milliseconds since the epoch; stands in for the clock in tests. */
	now?: () => number;
};

/**
 * Waits instead of failing, for all requests of one node run together: when the service asks one of them to wait, none
 * of the others is sent meanwhile.
 */
export class RateLimiter {
	private pausedUntil = 0;

	private successes = 0;

	/** When the first request failed since the last one that succeeded. */
	private failingSince: number | undefined;

	private readonly now: () => number;

	constructor(private readonly options: RateLimiterOptions = {}) {
		this.now = options.now ?? Date.now;
	}

	/**
	 * Sends a request, up to four times. After "too many requests" (429) any request is sent again, for it was not carried
	 * out; after a 5xx or a broken connection only one that changes nothing. A 429 uses up no try while others succeed.
	 *
	 * @param changesData whether the request asks for a change
	 * @param send sends it; must throw what `apiRequest` throws
	 * @throws the last error: when no try is left, when the service asks for more than five minutes, after five minutes in
	 * which requests of the run failed and none succeeded, or when the execution was cancelled; then nothing more is sent
	 */
	async attempt<Result>(changesData: boolean, send: () => Promise<Result>): Promise<Result> {
		let triesLeft = TRIES;
		let backoff = FIRST_WAIT_MS;
		let lastError: unknown;
		for (;;) {
			await this.whilePaused();
			if (this.isCancelled()) throw lastError ?? new UserError('The execution was canceled');
			const successesBefore = this.successes;
			const outcome = await settle(send);
			if ('result' in outcome) {
				this.successes++;
				this.failingSince = undefined;
				return outcome.result;
			}
			const { error } = outcome;
			lastError = error;
			const isTooMany = error instanceof NodeApiError && error.httpCode === '429';
			if (!isTooMany && (changesData || !isRetryable(error))) throw error;
			const usesUpTry = !isTooMany || this.successes === successesBefore;
			if (usesUpTry) triesLeft--;
			const wait = retryAfter(error) ?? backoff;
			this.failingSince ??= this.now();
			const isOver = this.now() + wait - this.failingSince > GIVE_UP_MS;
			if (triesLeft === 0 || isOver || this.isCancelled()) throw error;
			this.pause(wait, error);
			if (usesUpTry) backoff *= 2;
		}
	}

	private pause(wait: number, error: unknown): void {
		const until = this.now() + wait;
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		this.options.log?.(`${messageOf(error)}; all requests wait ${(wait / 1000).toFixed(1)} s`);
	}

	private async whilePaused(): Promise<void> {
		const { signal, sleep = async (ms: number) => await pause(ms, signal) } = this.options;
		// Another request may have made the pause longer meanwhile.
		for (let left = this.left(); left > 0 && !this.isCancelled(); left = this.left()) {
			await abortable(signal, sleep(left));
		}
	}

	private left(): number {
		return this.pausedUntil - this.now();
	}

	private isCancelled(): boolean {
		return this.options.signal?.aborted === true;
	}
}
