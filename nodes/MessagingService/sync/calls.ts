import { NodeApiError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { limitTo } from '../../shared/concurrency';
import { messageOf, type Fail } from '../../shared/failure';
import { says } from '../../shared/serviceMessages';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import {
	asNodeError,
	isAccessRefusal,
	isOutcomeUnknown,
} from '../../shared/transport/errors/apiError';
import {
	createPause,
	isTransient,
	wait,
	withRetries,
	type Retries,
} from '../../shared/transport/retry';
import { readRequestOptions } from '../engine/requestOptions';
import { CANCELED } from './status';
import type { Gate, Members, MembersApi } from './types';

/** Maximum attempts per request. All requests are idempotent, except the creation of a group. */
const TRIES = 6;

/** How often a target is read at most until it shows a change, and the wait between two reads. */
const MOST_READS = 3;
const BETWEEN_READS_MS = 1_000;

/** A sync sends no further change after this many consecutive failed calls. */
const FAILURES_IN_A_ROW = 4;

export type Calls = ReturnType<typeof createCalls>;

/**
 * Returns functions that send the requests of a sync, a few at a time in the order of the calls. If a request fails for
 * a temporary reason, it is repeated, with up to six attempts. A 429 (too many requests) does not count as an attempt.
 *
 * @param concurrency maximum number of requests in flight
 * @param log receives the reason of each retry
 */
export function createCalls(
	context: IExecuteFunctions,
	{ concurrency, log, fail }: { concurrency: number; log: (text: string) => void; fail: Fail },
) {
	const node: INode = context.getNode();
	const settings = readRequestOptions(context.getNodeParameter('requestOptions', 0, {}), fail);
	const signal = context.getExecutionCancelSignal();
	const pause = createPause();
	let failedInARow = 0;
	const inTurn = limitTo(concurrency);
	const call = async (
		request: ApiRequest,
		retries?: Retries,
		mayBegin: () => void = () => undefined,
		gate: Gate = {},
	): Promise<Envelope> =>
		await inTurn(async () => {
			mayBegin();
			// A canceled sync finishes the requests in flight, sends no other change, and deletes its temporary groups.
			const usual = signal?.aborted
				? { tries: 1, deadline: Date.now() }
				: { pause, tries: TRIES, signal, log };
			const all = { ...settings, ...request, evenIfCanceled: true };
			try {
				const attempt = async () => await apiRequest.call(context, all);
				const envelope = await withRetries(attempt, { ...usual, ...retries });
				failedInARow = 0;
				return envelope;
			} catch (error) {
				failedInARow = isTransient(error) ? failedInARow + 1 : 0;
				// The reason is set here, because the next call begins before the caller sees the error.
				if (isFatal(error)) gate.stop ??= messageOf(error);
				throw asNodeError(node, error);
			}
		});
	/**
	 * Sends a change. If the service keeps failing, the execution was canceled, or `gate.stop` is set, throws without
	 * sending. `certain` is false if the service may have carried out an earlier attempt of this request.
	 */
	async function send(
		request: ApiRequest,
		retries?: Retries,
		gate: Gate = {},
	): Promise<{ data: unknown; certain: boolean }> {
		let certain = true;
		const onRetry = (error: unknown) => {
			certain &&= !isOutcomeUnknown(error);
		};
		try {
			const mayBegin = () => {
				if (failedInARow >= FAILURES_IN_A_ROW) {
					throw fail(`The service failed ${failedInARow} times in a row, so the node gave up`);
				}
				if (signal?.aborted) throw fail(CANCELED);
				if (gate.stop !== undefined) throw fail(gate.stop);
			};
			const { data } = await call(request, { ...retries, onRetry }, mayBegin, gate);
			return { data, certain };
		} catch (thrown) {
			onRetry(thrown);
			const error = asNodeError(node, thrown);
			if (!certain) error.context.outcomeUnknown = true;
			throw error;
		}
	}
	return { node, fail, call, send };
}

/** What of a sync reading members needs. */
type Reading = {
	api: MembersApi;
	cancelSignal: AbortSignal | undefined;
	log: (text: string) => void;
};

/**
 * Reads the members of a target until `isExpected` accepts them, at most three times, a second apart: a read may return
 * older data. Returns the last read, or undefined if a read fails.
 */
export async function readAgain(
	{ api, cancelSignal, log }: Reading,
	targetId: string,
	isExpected: (members: Members) => boolean,
): Promise<Members | undefined> {
	try {
		for (let reads = 1; ; reads++) {
			const members = await api.read(targetId);
			if (isExpected(members) || reads === MOST_READS || cancelSignal?.aborted) return members;
			await wait(BETWEEN_READS_MS, cancelSignal);
		}
	} catch (error) {
		log(`The members could not be read again: ${messageOf(error)}`);
		return undefined;
	}
}

/**
 * Whether the service refused a change in words. Any other failure is not about the recipients: access is refused, the
 * target is missing, the connection breaks, or a proxy responds with a web page.
 */
export function isRefusal(error: unknown): boolean {
	if (!(error instanceof NodeApiError) || isFatal(error)) return false;
	// Also a proxy refuses a request that is too large: a smaller one may pass.
	if (error.httpCode === '413') return true;
	return !isOutcomeUnknown(error) && /^(200|400|409|422)$/.test(error.httpCode ?? '');
}

/** Whether no further change can succeed, because access is refused or the target is missing. */
function isFatal(error: unknown): boolean {
	return isAccessRefusal(error) || isMissing(error);
}

/**
 * Whether the service reports that a group or channel does not exist (recipientGroup.get, recipientGroup.delete in
 * emulator/openapi.yaml).
 */
export function isMissing(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return error.httpCode === '404' || says('noGroup', error);
}
