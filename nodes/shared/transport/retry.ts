import { NodeApiError, sleep, UserError } from 'n8n-workflow';

import { failedWith, messageOf } from '../failure';
import { fieldsIn } from '../values';

/** A pause that all requests of a run share. If the service asks one request to wait, all requests wait. */
export class SharedPause {
	/** No request starts before this time, in milliseconds since the epoch. */
	until = 0;

	/**
	 * The time of the first retried failure since the service last worked, in milliseconds since the epoch. Absent while
	 * the service works.
	 */
	failingSince?: number;
}

/** How one request is retried. */
export type Retries = {
	/** The pause that all requests of the run share. Without it, the request has a pause of its own. */
	pause?: SharedPause;
	/** How often the request is sent at most. A 429 does not count. */
	maxTries?: number;
	/**
	 * Which failures are retried: all transient ones by default, `isRateLimited` for a change that must not happen twice.
	 */
	isRetryable?: (error: unknown) => boolean;
	/** Called for each failure that is retried, before the wait. */
	onRetry?: (error: unknown) => void;
	/** No further attempt starts after this time, in milliseconds since the epoch. */
	deadline?: number;
	/** Ends waiting and retrying when the execution is canceled. */
	signal?: AbortSignal;
	/** Logs each pause. */
	log?: (text: string) => void;
};

const MAX_TRIES = 4;

/** The wait before the second attempt. It doubles before each later attempt, up to the maximum. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** A run gives up after this time without a successful request. */
const GIVE_UP_AFTER_MS = 5 * 60_000;

/** Codes of failures after which the same request may succeed. */
const TRANSIENT = /^(429|5\d\d|ECONNREFUSED|EAI_AGAIN|ECONNRESET|ETIMEDOUT)$/;

/** The longest single sleep, so that no timer outlives a canceled execution by more. */
const LONGEST_SLEEP_MS = 1_000;

/**
 * Sends a request, and retries it after transient failures. Waits as long as the service asks, or else half a second, one
 * second, two seconds and so on. During the wait, no other request of the run starts. Gives up if no tries are left (a 429
 * costs none), or if the next try would start after the deadline, or after five minutes in which the service never worked.
 *
 * @param send sends the request. It must throw the errors of `apiRequest`
 * @throws the last error, also after a cancellation, or UserError if there was no attempt before the cancellation
 */
export async function withRetries<Result>(
	send: () => Promise<Result>,
	retries: Retries = {},
): Promise<Result> {
	const { maxTries = MAX_TRIES, isRetryable = isTransient, pause = new SharedPause() } = retries;
	const { deadline = Infinity, signal, onRetry, log } = retries;
	let triesLeft = maxTries;
	// Thrown if the execution is canceled before the first try. After that, the last error is thrown.
	let error: unknown = new UserError('The execution was canceled');
	for (let backoff = FIRST_WAIT_MS; ; backoff = Math.min(backoff * 2, LONGEST_WAIT_MS)) {
		// Another request may extend the pause during the wait.
		while (pause.until > Date.now() && !signal?.aborted)
			await cancelableSleep(pause.until - Date.now(), signal);
		if (signal?.aborted) throw error;
		try {
			const result = await send();
			delete pause.failingSince;
			return result;
		} catch (thrown) {
			error = thrown;
		}
		// A failure that is not transient shows that the service works.
		if (!isTransient(error)) delete pause.failingSince;
		if (!isRetryable(error)) throw error;
		if (!isRateLimited(error)) triesLeft--;
		pause.failingSince ??= Date.now();
		/** How long the service asked to wait. */
		const asked = error instanceof NodeApiError ? error.context.retryAfterMs : undefined;
		const waitMs = Math.max(typeof asked === 'number' ? asked : backoff, FIRST_WAIT_MS);
		const until = Date.now() + waitMs;
		const isTimeUp = until - pause.failingSince > GIVE_UP_AFTER_MS || until > deadline;
		if (triesLeft === 0 || isTimeUp || signal?.aborted) throw error;
		onRetry?.(error);
		// Another request may have started a longer pause.
		if (until <= pause.until) continue;
		pause.until = until;
		log?.(`${messageOf(error)}; retrying in ${((until - Date.now()) / 1000).toFixed(1)} s`);
	}
}

/** Whether the same request may succeed later: after 429, 5xx, a timeout, or a broken or refused connection. */
export function isTransient(error: unknown): boolean {
	return failedWith(TRANSIENT, error);
}

/** Whether a response with this status refuses nothing: after 429 and 5xx, the same request may succeed later. */
export function isTransientStatus(statusCode: number): boolean {
	return statusCode === 429 || statusCode >= 500;
}

/** Whether an error is HTTP 429: there were too many requests, so the service did not carry out this one. */
export function isRateLimited(error: unknown): boolean {
	return failedWith(/^429$/, error);
}

/** Whether a request got no response in time. */
export function isTimeout(error: unknown): boolean {
	return failedWith(/^ETIMEDOUT$/, error);
}

/** Matches the beginning of a date: `Sat, 31 Jan 2026`, as in HTTP, or `2026-01-31`, as in JSON. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\d)/i;

/**
 * Returns the wait that the header `Retry-After` requests. The header contains seconds or a date (RFC 9110, 10.2.3).
 *
 * @param headers in lower case, as n8n returns them
 * @returns milliseconds from now, 0 for a date in the past, or undefined if the header is missing or invalid
 */
export function parseRetryAfter(headers: unknown): number | undefined {
	const { 'retry-after': header } = fieldsIn(headers);
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	// JavaScript parses nearly any text with a number as a date: "in 3 s" becomes a day in 2001.
	const until = DATE.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}

/** Sleeps, but returns as soon as the execution is canceled: then `signal.aborted` is true. */
export async function cancelableSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	// n8n's sleep cannot be canceled, and its timer keeps the waiting code in memory, so each sleep is short.
	for (let leftMs = ms; leftMs > 0 && signal?.aborted !== true; leftMs -= LONGEST_SLEEP_MS) {
		await cancelableWait(sleep(Math.min(leftMs, LONGEST_SLEEP_MS)), signal);
	}
}

/**
 * Waits for a promise, but returns as soon as the execution is canceled: then `signal.aborted` is true.
 *
 * @throws the error of the promise
 */
export async function cancelableWait(
	awaited: Promise<unknown>,
	signal: AbortSignal | undefined,
): Promise<void> {
	const listening = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		if (signal?.aborted) resolve();
		signal?.addEventListener('abort', () => resolve(), { once: true, signal: listening.signal });
	});
	try {
		await Promise.race([aborted, awaited]);
	} finally {
		listening.abort();
	}
}
