import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import {
	apiRequest,
	type ApiRequest,
	type Envelope,
} from '../../../../shared/transport/apiRequest';
import { settle } from '../../../../shared/concurrency';
import { messageOf, type Fail } from '../../../../shared/failure';
import { buildPath } from '../../../../shared/transport/path';
import { isDataObject } from '../../../../shared/values';
import {
	asNodeError,
	isAccessRefusal,
	isOutcomeUnknown,
} from '../../../../shared/transport/errors/apiError';
import { settingsFrom } from '../../../../shared/transport/requestOptions';
import { bySkip, toPage } from '../../../../shared/transport/paging';
import {
	createPause,
	isTooMany,
	isTransient,
	withRetries,
	type Retries,
} from '../../../../shared/transport/retry';
import { saysUnknown } from './errorLog';
import type { GroupMembers } from './evidence';
import type { IdentifyBy } from './readRecipients';

/** The response to adding or removing members (recipientGroup.addRecipients in emulator/openapi.yaml). */
export type MembershipChange = {
	/**
	 * How many recipients the call changed. Undefined if the response does not show this: it has no valid count, or an
	 * earlier try of the same call may already have changed some of the recipients.
	 */
	changed?: number;
	errorCount: number;
	errorLog: unknown[];
};

export type GroupApi = ReturnType<typeof groupApi>;

/** Why a created group cannot be used. */
export const NO_ID = 'The service created a recipient group but returned no ID';

/** Maximum attempts per request. All requests are idempotent, except the creation of a group. */
const TRIES = 6;

/** A sync sends no further change after this many consecutive failed calls. */
const FAILURES_IN_A_ROW = 4;

/**
 * Returns functions that send the requests of a sync. A request that fails for a transient reason is tried up to six times;
 * a refusal because of too many requests (429) does not count as a try.
 *
 * @param log receives the reason of each retry
 */
export function groupApi(context: IExecuteFunctions, log: (text: string) => void, fail: Fail) {
	const node = context.getNode();
	const settings = settingsFrom(context.getNodeParameter('requestOptions', 0, {}), fail);
	const signal = context.getExecutionCancelSignal();
	const pause = createPause();
	let failedInARow = 0;
	const call = async (request: ApiRequest, retrying?: Retries): Promise<Envelope> => {
		// A canceled sync finishes the requests in flight and cleans up; it checks the signal between chunks.
		const isCleanUp = signal?.aborted === true;
		const outcome = await settle(
			async () =>
				await withRetries(
					async () =>
						await apiRequest.call(context, { ...settings, ...request, evenIfCanceled: true }),
					isCleanUp
						? { tries: 1, deadline: Date.now(), ...retrying }
						: { pause, tries: TRIES, signal, log, ...retrying },
				),
		);
		if ('result' in outcome) {
			failedInARow = 0;
			return outcome.result;
		}
		failedInARow = isTransient(outcome.error) ? failedInARow + 1 : 0;
		throw outcome.error;
	};
	/** Sends a change unless the service keeps failing. `certain` means that no earlier try can have been carried out. */
	async function send(
		request: ApiRequest,
		retrying?: Retries,
	): Promise<{ data: unknown; certain: boolean }> {
		if (failedInARow >= FAILURES_IN_A_ROW) {
			throw fail(`The service failed ${failedInARow} times in a row, so the node gave up`);
		}
		let certain = true;
		const onRetry = (error: unknown) => {
			certain &&= !isOutcomeUnknown(error);
		};
		try {
			const { data } = await call(request, { ...retrying, onRetry });
			return { data, certain };
		} catch (failed) {
			onRetry(failed);
			const error = asNodeError(node, failed);
			if (!certain) lostChanges.add(error);
			throw error;
		}
	}
	const pathOf = (groupId: string, path = '') =>
		buildPath(
			`/int/v1/recipientGroup/:recipientGroupId${path}`,
			{ recipientGroupId: groupId },
			fail,
		);

	async function readOnce(groupId: string): Promise<GroupMembers> {
		const { data } = await call({ url: pathOf(groupId) });
		const { leads, leadsTotal, name } = isDataObject(data) ? data : {};
		const shown = Array.isArray(leads) ? leads.map(String) : [];
		return {
			ids: new Set(shown),
			// Without a total, the list counts as incomplete, because removals require all members.
			complete: typeof leadsTotal === 'number' && shown.length >= leadsTotal,
			shown: `${shown.length} of ${String(leadsTotal ?? 'an unknown number of')}`,
			name: typeof name === 'string' ? name : undefined,
		};
	}

	return {
		/**
		 * Reads a group, and reads it again if the number of members is unexpected, because a read may lag one write behind.
		 *
		 * @param size the expected number of members, from the counts in earlier responses; NaN if a count is missing
		 */
		async read(groupId: string, size = NaN): Promise<GroupMembers> {
			const members = await readOnce(groupId);
			return Number.isNaN(size) || members.ids.size === size ? members : await readOnce(groupId);
		},

		/** @throws if the call fails; `isLost` tells whether the call may have been carried out */
		async change(
			action: 'add' | 'remove',
			groupId: string,
			identifyBy: IdentifyBy,
			values: string[],
		): Promise<MembershipChange> {
			const { data, certain } = await send({
				method: action === 'add' ? 'POST' : 'DELETE',
				url: pathOf(groupId, '/recipients'),
				body: { [identifyBy === 'email' ? 'recipientEmails' : 'recipientIds']: values },
			});
			return changeIn(data, values.length, certain);
		},

		/**
		 * Creates a group. The ID of the group is undefined if the response has none. `certain` means that no earlier try can
		 * have created another group. `isToStay` is for a group that the sync does not delete: the request is then repeated
		 * only after a 429, so that it never creates two groups.
		 */
		async create(name: string, isToStay = false) {
			const request: ApiRequest = { method: 'POST', url: '/int/v1/recipientGroup', body: { name } };
			const retrying = isToStay ? { isRetryable: isTooMany } : {};
			const { data, certain } = await send(request, retrying);
			const { _id } = isDataObject(data) ? data : {};
			return { groupId: typeof _id === 'string' ? _id : undefined, certain };
		},

		async delete(groupId: string): Promise<void> {
			await call({ method: 'DELETE', url: pathOf(groupId) }).catch((error: unknown) => {
				// If the group is missing, an earlier try deleted it, but the response was lost.
				if (!isMissingGroup(error)) throw asNodeError(node, error);
			});
		},

		/** Returns the groups that belong to the owner of the credential. */
		async listOwn() {
			const url = '/int/v1/recipientGroup';
			const readPage = async (paging: IDataObject) =>
				toPage(node, await call({ url, qs: { own: 'true', ...paging } }));
			const records = await bySkip(readPage, Infinity, fail);
			return records.map(({ _id, name }) => ({ id: String(_id), name: String(name) }));
		},
	};
}

/**
 * Reads the counts of a response to a change (schema MembershipResult in emulator/openapi.yaml).
 *
 * @param certain whether it is certain that no earlier try of the same call was carried out
 */
function changeIn(data: unknown, sent: number, certain: boolean): MembershipChange {
	const { successCount, errorCount, errorLog } = isDataObject(data) ? data : {};
	const log: unknown[] = Array.isArray(errorLog) ? errorLog : [];
	const errors = Math.max(isCount(errorCount) ? errorCount : 0, log.length);
	const change: MembershipChange = { errorCount: Math.min(errors, sent), errorLog: log };
	// If the last try changed all recipients, no earlier try changed any.
	const isConsistent = isCount(successCount) && successCount + errors <= sent;
	if (isConsistent && (certain || successCount === sent)) change.changed = successCount;
	return change;
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/**
 * Classifies a failed change. Returns `unknown` if the service refused the change because a recipient is unknown, `refused`
 * if it gave another reason, and undefined for any other failure, such as no access, no such group or a broken connection.
 */
export function refusalIn(error: unknown): 'unknown' | 'refused' | undefined {
	if (!(error instanceof NodeApiError) || isFatal(error)) return undefined;
	if (!/^(200|400|409|422)$/.test(error.httpCode ?? '')) return undefined;
	return saysUnknown(error.message) ? 'unknown' : 'refused';
}

/** Returns why a change failed and, for a request that is too large (HTTP 413), which option makes it smaller. */
export function reasonOf(error: unknown): string {
	const isTooLarge = error instanceof NodeApiError && error.httpCode === '413';
	return isTooLarge
		? `${error.message.replace(/\.$/, '')}. Lower the option Recipients per Request`
		: messageOf(error);
}

/** Whether no further change can succeed: no access, or no such group. */
export function isFatal(error: unknown): boolean {
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

/** Failures of changes that may have been carried out. */
const lostChanges = new WeakSet<Error>();

/**
 * Whether a failed change may have been carried out, as after a broken connection, an HTTP 5xx or a response that is not the
 * service's.
 */
export function isLost(error: unknown): boolean {
	return error instanceof Error && lostChanges.has(error);
}
