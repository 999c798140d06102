import { NodeApiError, type IExecuteFunctions } from 'n8n-workflow';

import {
	apiRequest,
	type ApiRequest,
	type Envelope,
} from '../../../../shared/transport/apiRequest';
import { limitTo } from '../../../../shared/concurrency';
import { messageOf, type Fail } from '../../../../shared/failure';
import { buildPath } from '../../../../shared/transport/address';
import { isDataObject } from '../../../../shared/values';
import {
	asNodeError,
	isAccessRefusal,
	isOutcomeUnknown,
} from '../../../../shared/transport/errors/apiError';
import { readRequestOptions } from '../../../engine/requestOptions';
import { toPage } from '../../../../shared/transport/paging';
import {
	createPause,
	isTooMany,
	isTransient,
	wait,
	withRetries,
	type Retries,
} from '../../../../shared/transport/retry';
import { CANCELED, saysUnknown, type IdentifyBy, type Members } from './outcomes';

/** The response to adding or removing members (recipientGroup.addRecipients in emulator/openapi.yaml). */
export type MembershipChange = {
	/**
	 * How many recipients the call changed. Undefined if the response has no valid count, or if an earlier attempt of the
	 * call may have changed some recipients.
	 */
	changed?: number;
	errorCount: number;
	errorLog: unknown[];
};

/**
 * Lets a caller stop its changes. As soon as `stop` has a reason, for example that the group is missing, no further
 * change starts.
 */
export type Gate = { stop?: string };

export type GroupApi = ReturnType<typeof groupApi>;

/** Maximum attempts per request. All requests are idempotent, except the creation of a group. */
const TRIES = 6;

/** Page size of the list of groups. The API documents no maximum. */
const LIST_PAGE = 1000;

/** How often a group is read at most until it shows a change, and the wait between two reads. */
const MOST_READS = 3;
const BETWEEN_READS_MS = 1_000;

/** A sync sends no further change after this many consecutive failed calls. */
const FAILURES_IN_A_ROW = 4;

/**
 * Returns functions that send the requests of a sync, a few at a time in the order of the calls. If a request fails for
 * a temporary reason, it is repeated, with up to six attempts. A 429 (too many requests) does not count as an attempt.
 *
 * @param concurrency maximum number of requests in flight
 * @param log receives the reason of each retry
 */
export function groupApi(
	context: IExecuteFunctions,
	{ concurrency, log, fail }: { concurrency: number; log: (text: string) => void; fail: Fail },
) {
	const node = context.getNode();
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
				if (isFatal(error)) gate.stop ??= failureText(error);
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
	const pathOf = (groupId: string, path = '') =>
		buildPath(
			`/int/v1/recipientGroup/:recipientGroupId${path}`,
			{ recipientGroupId: groupId },
			fail,
		);

	async function read(groupId: string): Promise<Members> {
		const { data } = await call({ url: pathOf(groupId) });
		const { leads, leadsTotal, name, exclusive } = isDataObject(data) ? data : {};
		const shown = Array.isArray(leads) ? leads.map(String) : [];
		return {
			ids: new Set(shown),
			// A list without a total is treated as incomplete, because removals require all members.
			complete: typeof leadsTotal === 'number' && shown.length >= leadsTotal,
			shown: `${shown.length} of ${String(leadsTotal ?? 'an unknown number of')}`,
			name: typeof name === 'string' ? name : undefined,
			exclusive: exclusive === true,
		};
	}

	return {
		read,

		/**
		 * Reads a group until `isExpected` accepts the members, at most three times, a second apart: a read may return older
		 * data. Returns the last read. Returns undefined if the group cannot be read.
		 */
		async readAgain(groupId: string, isExpected: (members: Members) => boolean) {
			try {
				for (let reads = 1; ; reads++) {
					const members = await read(groupId);
					if (isExpected(members) || reads === MOST_READS || signal?.aborted) return members;
					await wait(BETWEEN_READS_MS, signal);
				}
			} catch (error) {
				log(`The group could not be read again: ${messageOf(error)}`);
				return undefined;
			}
		},

		/** @throws if the call fails. `isOutcomeUnknown` tells whether the change may have been carried out */
		async change(
			action: 'add' | 'remove',
			groupId: string,
			identifyBy: IdentifyBy,
			values: string[],
			gate?: Gate,
		): Promise<MembershipChange> {
			const request: ApiRequest = {
				method: action === 'add' ? 'POST' : 'DELETE',
				url: pathOf(groupId, '/recipients'),
				body: { [identifyBy === 'email' ? 'recipientEmails' : 'recipientIds']: values },
			};
			const { data, certain } = await send(request, {}, gate);
			return changeIn(data, values.length, certain);
		},

		/**
		 * Creates a group. `certain` is false if an earlier attempt may have created a second group. If `isToStay` is true,
		 * the sync does not delete the group. The request is then repeated only after a 429, so that it never creates two
		 * groups.
		 *
		 * @throws if the call fails, or the response has no ID. `isOutcomeUnknown` tells whether there may be a group
		 */
		async create(name: string, isToStay = false) {
			const request: ApiRequest = { method: 'POST', url: '/int/v1/recipientGroup', body: { name } };
			const retries = isToStay ? { isRetryable: isTooMany } : {};
			const { data, certain } = await send(request, retries);
			const { _id, exclusive } = isDataObject(data) ? data : {};
			if (typeof _id === 'string') return { groupId: _id, certain, exclusive: exclusive === true };
			const error = asNodeError(
				node,
				fail('The service created a recipient group but returned no ID'),
			);
			error.context.outcomeUnknown = true;
			throw error;
		},

		async delete(groupId: string): Promise<void> {
			await call({ method: 'DELETE', url: pathOf(groupId) }).catch((error: unknown) => {
				// If the group is missing, an earlier attempt deleted the group, but its response was lost.
				if (!isMissingGroup(error)) throw asNodeError(node, error);
			});
		},

		/**
		 * Returns the groups that belong to the owner of the credential. If the list has a total, reading ends at this number
		 * of groups.
		 */
		async listOwn() {
			const found = new Map<string, string>();
			for (;;) {
				const known = found.size;
				const qs = { own: 'true', limit: LIST_PAGE, skip: known };
				const { records, total } = toPage(node, await call({ url: '/int/v1/recipientGroup', qs }));
				for (const { _id, name } of records) found.set(String(_id), String(name));
				if (found.size === known || found.size === total) return found;
			}
		},
	};
}

/**
 * Reads the counts of a response to a change (schema MembershipResult in emulator/openapi.yaml).
 *
 * @param certain false if the service may have carried out an earlier attempt of this call
 */
function changeIn(data: unknown, sent: number, certain: boolean): MembershipChange {
	const { successCount, errorCount, errorLog } = isDataObject(data) ? data : {};
	const log: unknown[] = Array.isArray(errorLog) ? errorLog : [];
	const errors = Math.max(isCount(errorCount) ? errorCount : 0, log.length);
	const change: MembershipChange = { errorCount: Math.min(errors, sent), errorLog: log };
	// If the last attempt changed all recipients, no earlier attempt changed any.
	const isConsistent = isCount(successCount) && successCount + errors <= sent;
	if (isConsistent && (certain || successCount === sent)) change.changed = successCount;
	return change;
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/**
 * Classifies a failed change. Returns `unknown` if the service refused the change because a recipient is unknown, and
 * `refused` if the service gave another reason. Returns undefined for any other failure, for example if access is
 * refused, the group is missing or the connection breaks.
 */
export function refusalIn(error: unknown): 'unknown' | 'refused' | undefined {
	if (!(error instanceof NodeApiError) || isFatal(error)) return undefined;
	if (!/^(200|400|409|422)$/.test(error.httpCode ?? '')) return undefined;
	return saysUnknown(error.message) ? 'unknown' : 'refused';
}

/** Matches refusals that smaller requests may avoid. */
const TOO_LARGE = /\btoo (large|long|many|big)\b|\b(maximum|exceeds?|length|size)\b/i;

/** Returns why a change failed and, if the request was too large, which option makes it smaller. */
export function failureText(error: unknown): string {
	const text = messageOf(error);
	const isTooLarge =
		error instanceof NodeApiError &&
		error.httpCode !== '429' &&
		(error.httpCode === '413' || TOO_LARGE.test(text));
	return isTooLarge ? `${text.replace(/\.$/, '')}. Lower the option Recipients per Request` : text;
}

/** Whether no further change can succeed, because access is refused or the group is missing. */
function isFatal(error: unknown): boolean {
	return isAccessRefusal(error) || isMissingGroup(error);
}

/**
 * Whether the service reports that the group does not exist (recipientGroup.get, recipientGroup.delete in
 * emulator/openapi.yaml).
 */
export function isMissingGroup(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return error.httpCode === '404' || /^Object does not exist/i.test(error.message);
}
