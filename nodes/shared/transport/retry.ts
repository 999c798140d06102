import { NodeApiError, sleep as sleepInN8n, UserError } from 'n8n-workflow';

import { messageOf } from '../failure';
import { isBrokenConnection } from './errors/apiError';

export type RetryOptions = {
	/** How often a request is tried in all, the first time included. */
	tries: number;
	/** Milliseconds since the epoch after which no further try starts. */
	deadline?: number;
	/** The longest time without a success, in milliseconds; five minutes when left out. */
	giveUpAfterMs?: number;
	/** After a 429 only the time ends the trying, not the number of tries. */
	waitsOutTooMany?: boolean;
	/** So many requests failing one after the other, or the time being up, open the circuit; never when left out. */
	openCircuitAfter?: number;
	/** Ends the waiting and trying when the execution is cancelled. */
	signal?: AbortSignal;
	/** Sends each request once even when the execution was cancelled: for what tidies up. */
	sendsWhenCancelled?: boolean;
	/** Told of each pause, in words. */
	log?: (text: string) => void;
	/** Stands in for `pause` in tests. */
	sleep?: (ms: number) => Promise<unknown>;
	/** Milliseconds since the epoch; stands in for the clock in tests. */
	now?: () => number;
};

/** How one request is tried again. */
export type Retrying = {
	/** Which failures may be tried again; `isTooMany` for a change, which must not be carried out twice. */
	isRetryable?: (error: unknown) => boolean;
	/** Told of each failure that is tried again, before the wait. */
	onRetry?: (error: unknown) => void;
};

/** The wait before the second try, doubled for each further one up to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** From this wait on, after five tries, the service's own shorter one is not enough. */
const MANY_TRIES_MS = 8_000;

const GIVE_UP_AFTER_MS = 5 * 60_000;

/** How long a timer outlives an execution that was cancelled, at most. */
const PIECE_MS = 1_000;

/**
 * Repeats requests that fail for a transient reason. All requests of one policy share its pause: while the service asks
 * one of them to wait, none is sent.
 */
export class RetryPolicy {
	private pausedUntil = 0;

	private successes = 0;

	/** When the first request failed since the service last responded. */
	private failingSince: number | undefined;

	private begun = 0;

	private failedInARow = 0;

	/** Requests begun before this number belong to a failure that has been counted. */
	private countedUpTo = 0;

	private reason: string | undefined;

	private readonly now: () => number;

	constructor(private readonly options: RetryOptions) {
		this.now = options.now ?? (() => Date.now());
	}

	/** Why the circuit is open, in words; while it is, each request is tried only once. */
	get openReason(): string | undefined {
		return this.reason;
	}

	/**
	 * Sends a request, again when it fails for a transient reason. A 429 uses up no try while other requests succeed.
	 *
	 * @param attempt sends it; must throw what `apiRequest` throws
	 * @throws the last error: when it may not be retried, when no try or time is left, or when the execution was cancelled
	 */
	async run<Result>(
		attempt: () => Promise<Result>,
		{ isRetryable: mayRetry = isRetryable, onRetry }: Retrying = {},
	): Promise<Result> {
		const { tries, deadline = Infinity, giveUpAfterMs = GIVE_UP_AFTER_MS } = this.options;
		const number = this.begun++;
		let triesLeft = tries;
		let backoff = FIRST_WAIT_MS;
		let lastError: unknown;
		for (;;) {
			if (this.pausedUntil > 0) await this.waitWhilePaused();
			const mayStillSend = lastError === undefined && this.options.sendsWhenCancelled === true;
			if (this.isCancelled() && !mayStillSend) {
				throw lastError ?? new UserError('The execution was canceled');
			}
			const successesBefore = this.successes;
			try {
				const result = await attempt();
				this.successes++;
				this.noteResponse();
				return result;
			} catch (error) {
				lastError = error;
			}
			const error = lastError;
			if (!isRetryable(error)) this.noteResponse();
			if (!mayRetry(error)) throw error;
			const othersSucceed = isTooMany(error) && this.successes > successesBefore;
			if (!othersSucceed && !(isTooMany(error) && this.options.waitsOutTooMany)) triesLeft--;
			this.failingSince ??= this.now();
			const own = Math.min(backoff, LONGEST_WAIT_MS);
			const asked = retryAfter(error) ?? own;
			// "Retry-After: 0" for ever would be sent again without a pause.
			const until = this.now() + (backoff > MANY_TRIES_MS ? Math.max(asked, own) : asked);
			const isTimeUp = until - this.failingSince > giveUpAfterMs;
			if (triesLeft <= 0 || isTimeUp || this.reason !== undefined || until > deadline) {
				this.noteFailure(number, error, isTimeUp);
				throw error;
			}
			if (this.isCancelled()) throw error;
			onRetry?.(error);
			this.pause(until, error);
			if (!othersSucceed) backoff *= 2;
		}
	}

	private noteResponse(): void {
		this.failingSince = undefined;
		this.failedInARow = 0;
	}

	/** Counts requests that were under way at the same time as one failure. */
	private noteFailure(number: number, error: unknown, isTimeUp: boolean): void {
		const { openCircuitAfter = Infinity } = this.options;
		if (number >= this.countedUpTo) this.failedInARow++;
		this.countedUpTo = this.begun;
		if (openCircuitAfter === Infinity) return;
		if (isTimeUp) {
			this.reason ??= `The service keeps failing, so nothing more was tried: ${messageOf(error)}`;
		} else if (this.failedInARow >= openCircuitAfter) {
			this.reason ??= `The service failed ${this.failedInARow} times in a row, so nothing more was tried: ${messageOf(error)}`;
		}
	}

	private pause(until: number, error: unknown): void {
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		const seconds = ((until - this.now()) / 1000).toFixed(1);
		this.options.log?.(`${messageOf(error)}; trying again in ${seconds} s`);
	}

	private async waitWhilePaused(): Promise<void> {
		const { signal, sleep = async (ms: number) => await pause(ms, signal) } = this.options;
		// Another request may have made the pause longer meanwhile.
		for (;;) {
			const left = this.pausedUntil - this.now();
			if (left <= 0 || this.isCancelled()) return;
			await abortable(signal, sleep(left));
		}
	}

	private isCancelled(): boolean {
		return this.options.signal?.aborted === true;
	}
}

/** Whether a request may succeed when it is sent again as it is: 429, 5xx, a connection that broke or was refused. */
export function isRetryable(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return (
		/^(429|5\d\d|ECONNREFUSED|EAI_AGAIN)$/.test(error.httpCode ?? '') || isBrokenConnection(error)
	);
}

/** Whether the service refused a request because there were too many: it was not carried out. */
export function isTooMany(error: unknown): boolean {
	return error instanceof NodeApiError && error.httpCode === '429';
}

/** How long the service asked to wait (`Retry-After`), in milliseconds. */
function retryAfter(error: unknown): number | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	const { retryAfterMs } = error.context;
	return typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
}

/** Waits so many milliseconds, or until the signal says that the execution was cancelled. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	// n8n's sleep cannot be ended, and its timer holds what waits for it: so it is asked for in pieces.
	for (let left = ms; left > 0 && signal?.aborted !== true; left -= PIECE_MS) {
		await abortable(signal, sleepInN8n(Math.min(left, PIECE_MS)));
	}
}

/** Waits for a promise, or until the signal says that the execution was cancelled. */
export async function abortable(
	signal: AbortSignal | undefined,
	waiting: Promise<unknown>,
): Promise<void> {
	if (!signal) {
		await waiting;
		return;
	}
	const listening = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true, signal: listening.signal });
	});
	try {
		if (!signal.aborted) await Promise.race([aborted, waiting]);
	} finally {
		listening.abort();
	}
}
