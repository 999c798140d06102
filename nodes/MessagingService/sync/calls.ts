import type { IExecuteFunctions } from 'n8n-workflow';

import { limiter } from '../../shared/concurrency';
import { failedWith, type Fail } from '../../shared/failure';
import { says } from '../../shared/serviceMessages';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import {
	asNodeError,
	isAccessRefusal,
	isOutcomeUnknown,
} from '../../shared/transport/errors/apiError';
import { SharedPause, isTransient, withRetries, type Retries } from '../../shared/transport/retry';
import { readRequestOptions } from '../engine/requestOptions';
import { CANCELED } from './status';

/** Maximum attempts per request. All requests are idempotent, except the creation of a group. */
const TRIES = 6;

/** A sync sends no further change after this many consecutive calls that failed for a temporary reason. */
const FAILURES_IN_A_ROW = 4;

/** Codes of requests that may fail because they have too many recipients. */
const MAY_BE_TOO_LARGE = /^(408|413|504|ETIMEDOUT)$/;

export type Calls = ReturnType<typeof createCalls>;

/**
 * How a request is retried, and whether it is a change, which is not sent after a cancellation. The deletion of a group does
 * not count as a change: a canceled sync deletes its temporary groups.
 */
type CallOptions = Retries & { isChange?: boolean };

/**
 * Returns what the requests of a run need. `call` sends requests in the order of the calls, a few at a time. If a request
 * fails for a temporary reason, `call` repeats it, with up to six attempts. A 429 (too many requests) does not
 * count as an attempt.
 *
 * @param concurrency maximum number of requests in flight
 * @param log receives the reason of each retry
 */
export function createCalls(
	context: IExecuteFunctions,
	{ concurrency, log, fail }: { concurrency: number; log: (text: string) => void; fail: Fail },
) {
	const node = context.getNode();
	const settings = readRequestOptions(context.getNodeParameter('requestOptions', 0, {}), context);
	const signal = context.getExecutionCancelSignal();
	const pause = new SharedPause();
	let failedInARow = 0;
	const inTurn = limiter(concurrency);
	/**
	 * Sends a request. A change is not sent if the service keeps failing or the execution was canceled.
	 *
	 * @returns the response, and whether an earlier attempt of this request may have been carried out, too
	 * @throws if the request fails. After a change, `isOutcomeUnknown` tells whether it may have been carried out
	 */
	async function call(request: ApiRequest, { isChange, ...retries }: CallOptions = {}) {
		let earlierMayBeDone = false;
		const onRetry = (error: unknown) => {
			earlierMayBeDone ||= isOutcomeUnknown(error);
		};
		return await inTurn(async (): Promise<Envelope & { earlierMayBeDone: boolean }> => {
			if (isChange && signal?.aborted) throw fail(CANCELED);
			if (isChange && failedInARow >= FAILURES_IN_A_ROW) {
				throw fail(`The service failed ${failedInARow} times in a row, so the node gave up`);
			}
			// A canceled sync finishes the requests in flight, sends no other change, and deletes its temporary groups. It repeats
			// no request. The deadline is needed, because a 429 does not count as a try.
			const usualRetries = signal?.aborted
				? { maxTries: 1, deadline: Date.now() }
				: { pause, maxTries: TRIES, signal, log };
			const fullRequest = { ...settings, ...request, evenIfCanceled: true };
			try {
				const attempt = async () => await apiRequest.call(context, fullRequest);
				const envelope = await withRetries(attempt, { ...usualRetries, ...retries, onRetry });
				failedInARow = 0;
				return { ...envelope, earlierMayBeDone };
			} catch (thrown) {
				failedInARow = isTransient(thrown) ? failedInARow + 1 : 0;
				const error = asNodeError(node, thrown);
				if (isChange && earlierMayBeDone) error.context.outcomeUnknown = true;
				if (isChange && failedWith(MAY_BE_TOO_LARGE, error))
					error.description = `${error.description ?? ''} If this happens again, lower Recipients per Request.`;
				throw error;
			}
		});
	}
	return { node, fail, call };
}

/**
 * Whether a change was refused, perhaps because of its recipients, so that a change of fewer or other recipients may pass.
 * Not if access is refused, the target is missing, the connection breaks, or a proxy responds with a web page.
 */
export function isRefusedChange(error: unknown): boolean {
	if (isFatal(error)) return false;
	// Request too large: a smaller one may pass.
	if (failedWith(/^413$/, error)) return true;
	// With 200, the envelope says that the request failed.
	return failedWith(/^(200|400|409|422)$/, error) && !isOutcomeUnknown(error);
}

/** Whether no further change can succeed, because access is refused or the target is missing. */
export function isFatal(error: unknown): boolean {
	return isAccessRefusal(error) || isMissing(error);
}

/**
 * Whether the service reports that a group or channel does not exist (recipientGroup.get, recipientGroup.delete in
 * emulator/openapi.yaml).
 */
export function isMissing(error: unknown): boolean {
	return failedWith(/^404$/, error) || says('noGroup', error);
}
