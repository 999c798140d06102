import { NodeApiError, sleep as sleepInN8n } from 'n8n-workflow';

import { settle } from '../concurrency';
import { isBrokenConnection } from './errors';

export type RetryOptions = {
	/** How often it is tried in all, the first time included. */
	tries: number;
	/** Milliseconds since the epoch after which no further try starts. */
	deadline?: number;
	/** Ends the waiting, and with it the trying, when somebody cancels the execution. */
	signal?: AbortSignal;
	/** Told about each failure that is tried again, before the wait. */
	onRetry?: (error: unknown, waitMs: number) => void;
	/** Stands in for `pause` in tests. */
	sleep?: (ms: number) => Promise<unknown>;
};

/** The wait before the second try, doubled for each further one. */
export const FIRST_WAIT_MS = 500;

/** A service that asks for a longer pause than this gets no further try: an execution must not hang for hours. */
export const LONGEST_WAIT_MS = 5 * 60_000;

/** How long a timer outlives an execution that was cancelled, at most. */
const PIECE_MS = 1_000;

/**
 * Repeats a request that fails for a passing reason: 429, 5xx, a dropped connection. Only for what may be carried out
 * twice: reads, and changes that are the same done twice.
 *
 * @param attempt sends the request; must throw what `apiRequest` throws
 * @returns what the first successful attempt gives
 * @throws the last error: at once when it is of no passing kind, when the tries are used up, when the wait would go
 * beyond the deadline, or when the execution was cancelled
 */
export async function withRetry<Result>(
	attempt: () => Promise<Result>,
	{
		tries,
		deadline = Infinity,
		signal,
		onRetry,
		sleep = async (ms) => await pause(ms, signal),
	}: RetryOptions,
): Promise<Result> {
	const cancelled = (): boolean => signal?.aborted === true;
	let wait = FIRST_WAIT_MS;
	for (let left = tries - 1; left > 0; left--) {
		const outcome = await settle(attempt);
		if (!('error' in outcome)) return outcome.result;
		const { error } = outcome;
		const waitMs = retryAfter(error) ?? wait;
		if (
			!isRetryable(error) ||
			cancelled() ||
			waitMs > LONGEST_WAIT_MS ||
			Date.now() + waitMs > deadline
		) {
			throw error;
		}
		onRetry?.(error, waitMs);
		await abortable(signal, sleep(waitMs));
		if (cancelled()) throw error;
		wait *= 2;
	}
	return await attempt();
}

/** Whether a request may succeed when it is sent again as it is: 429, 5xx, a connection that broke or was refused. */
export function isRetryable(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return (
		/^(429|5\d\d|ECONNREFUSED|EAI_AGAIN)$/.test(error.httpCode ?? '') || isBrokenConnection(error)
	);
}

/** How long the service asked to wait (`Retry-After`), in milliseconds. */
export function retryAfter(error: unknown): number | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	const { retryAfterMs } = error.context;
	return typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
}

/** Waits so long, or until the signal says that the execution was cancelled. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	// n8n's sleep cannot be ended, and its timer holds what waits for it: so it is asked for in pieces.
	for (let left = ms; left > 0 && signal?.aborted !== true; left -= PIECE_MS) {
		await abortable(signal, sleepInN8n(Math.min(left, PIECE_MS)));
	}
}

/** Waits for something, or until the signal says that the execution was cancelled. */
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
