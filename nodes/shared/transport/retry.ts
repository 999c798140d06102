import { NodeApiError, sleep as sleepInN8n, UserError } from 'n8n-workflow';

import { messageOf } from '../failure';

export type RetryOptions = {
	/** Attempts per request, including the first. */
	tries: number;
	/** Time after which no attempt starts, in milliseconds since the epoch. */
	deadline?: number;
	/** How long attempts may keep failing, in milliseconds; defaults to five minutes. */
	giveUpAfterMs?: number;
	/** Retries after a 429 without counting the attempt, so that only the time limits apply. */
	waitsOutTooMany?: boolean;
	/** If set, the circuit opens after this number of consecutive failures, or after `giveUpAfterMs`. If not, never. */
	openCircuitAfter?: number;
	/** Stops waiting and retrying when the execution is canceled. */
	signal?: AbortSignal;
	/** Sends each request once even after the execution was canceled, for clean-up. */
	sendsWhenCanceled?: boolean;
	/** Logs each pause. */
	log?: (text: string) => void;
	/** Replaces `pause` in tests. */
	sleep?: (ms: number) => Promise<unknown>;
	/** Replaces the clock in tests: milliseconds since the epoch. */
	now?: () => number;
};

/** How one request is retried. */
export type Retrying = {
	/** Which failures are retried: all transient ones by default, `isTooMany` for a change that must not happen twice. */
	isRetryable?: (error: unknown) => boolean;
	/** Called for each failure that is retried, before the wait. */
	onRetry?: (error: unknown) => void;
};

/** The wait before the second attempt, doubled for each further one up to the maximum. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/**
 * When the policy's own wait exceeds this value (from the sixth failed attempt on), a Retry-After that is shorter than this
 * wait is ignored.
 */
const MANY_TRIES_MS = 8_000;

const GIVE_UP_AFTER_MS = 5 * 60_000;

/** Codes of failures after which the same request may succeed. */
const TRANSIENT = /^(429|5\d\d|ECONNREFUSED|EAI_AGAIN|ECONNRESET|ETIMEDOUT)$/;

/** Maximum time that a timer outlives a canceled execution. */
const PIECE_MS = 1_000;

/**
 * Retries requests that fail for a transient reason. All requests of a policy share its pauses: while one request
 * waits for its next attempt, no request is sent.
 */
export class RetryPolicy {
	private pausedUntil = 0;

	private successes = 0;

	/** When the current series of transient failures began. */
	private failingSince: number | undefined;

	private begun = 0;

	private failedInARow = 0;

	/**
	 * The number of requests that had begun when a request last failed for good. If one of them fails later, its failure is
	 * not counted.
	 */
	private countedUpTo = 0;

	private reason: string | undefined;

	private readonly now: () => number;

	constructor(private readonly options: RetryOptions) {
		this.now = options.now ?? (() => Date.now());
	}

	/** Why the circuit is open. While it is open, each request is tried only once. */
	get openReason(): string | undefined {
		return this.reason;
	}

	/**
	 * Sends a request and retries transient failures. A 429 does not count as an attempt while other requests succeed.
	 *
	 * @param attempt sends the request; must throw the errors of `apiRequest`
	 * @throws the last error if it is not retried; UserError if the execution was canceled before the first attempt
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
			await this.waitWhilePaused();
			const mayStillSend = lastError === undefined && this.options.sendsWhenCanceled === true;
			if (this.isCanceled() && !mayStillSend) {
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
			// After many attempts, a repeated "Retry-After: 0" must not cause retries without a pause.
			const until = this.now() + (backoff > MANY_TRIES_MS ? Math.max(asked, own) : asked);
			const isTimeUp = until - this.failingSince > giveUpAfterMs;
			if (triesLeft <= 0 || isTimeUp || this.reason !== undefined || until > deadline) {
				this.noteFailure(number, error, isTimeUp);
				throw error;
			}
			if (this.isCanceled()) throw error;
			onRetry?.(error);
			this.pause(until, error);
			if (!othersSucceed) backoff *= 2;
		}
	}

	private noteResponse(): void {
		this.failingSince = undefined;
		this.failedInARow = 0;
	}

	/** Counts a failure, and opens the circuit at the limit. Failures of concurrent requests count as one. */
	private noteFailure(number: number, error: unknown, isTimeUp: boolean): void {
		const { openCircuitAfter = Infinity } = this.options;
		if (number >= this.countedUpTo) this.failedInARow++;
		this.countedUpTo = this.begun;
		if (openCircuitAfter === Infinity) return;
		if (isTimeUp) {
			this.reason ??= `The service keeps failing, so the node gave up: ${messageOf(error)}`;
		} else if (this.failedInARow >= openCircuitAfter) {
			this.reason ??= `The service failed ${this.failedInARow} times in a row, so the node gave up: ${messageOf(error)}`;
		}
	}

	private pause(until: number, error: unknown): void {
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		const seconds = ((until - this.now()) / 1000).toFixed(1);
		this.options.log?.(`${messageOf(error)}; retrying in ${seconds} s`);
	}

	private async waitWhilePaused(): Promise<void> {
		const { signal, sleep = async (ms: number) => await pause(ms, signal) } = this.options;
		// Another request may have extended the pause meanwhile.
		for (;;) {
			const left = this.pausedUntil - this.now();
			if (left <= 0 || this.isCanceled()) return;
			await abortable(signal, sleep(left));
		}
	}

	private isCanceled(): boolean {
		return this.options.signal?.aborted === true;
	}
}

/** Whether the same request may succeed later: after 429, 5xx, or a broken or refused connection. */
export function isRetryable(error: unknown): boolean {
	return error instanceof NodeApiError && TRANSIENT.test(error.httpCode ?? '');
}

/** Whether an error is HTTP 429: the service received too many requests and did not carry out this one. */
export function isTooMany(error: unknown): boolean {
	return error instanceof NodeApiError && error.httpCode === '429';
}

/** Returns how long the service asked to wait (`Retry-After`), in milliseconds. */
function retryAfter(error: unknown): number | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	const { retryAfterMs } = error.context;
	return typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
}

/** Waits, or returns early when the execution is canceled. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	// n8n's sleep cannot be canceled, and its timer keeps the waiting code in memory, so each sleep is short.
	for (let left = ms; left > 0 && signal?.aborted !== true; left -= PIECE_MS) {
		await abortable(signal, sleepInN8n(Math.min(left, PIECE_MS)));
	}
}

/** Waits for a promise, or returns early when the execution is canceled. */
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
