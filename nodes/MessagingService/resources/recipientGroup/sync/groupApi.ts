import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { apiRequest } from '../../../../shared/transport/apiRequest';
import { failure } from '../../../../shared/failure';
import { buildPath } from '../../../../shared/transport/path';
import { isDataObject } from '../../../../shared/typeGuards';
import { recordsOf, type Envelope } from '../../../../shared/transport/envelope';
import {
	asNodeError,
	isAccessRefusal,
	isOutcomeUnknown,
} from '../../../../shared/transport/errors/apiError';
import { requestSettings } from '../../../../shared/transport/requestOptions';
import { bySkip } from '../../../../shared/transport/paging';
import { RetryPolicy } from '../../../../shared/transport/retry';
import type { ApiRequest } from '../../../../shared/transport/apiRequest';
import { notCancelled } from '../../../../shared/transport/apiRequest';
import type { GroupMembers } from './evidence';
import type { IdentifyBy } from './readRecipients';

/** The answer to adding or removing members (recipientGroup.addRecipients in emulator/openapi.yaml). */
export type MembershipChange = {
	/**
	 * How many the call changed; undefined when it is not said, or when an earlier try of the same call may have been
	 * carried out, so that the count of the last one says nothing.
	 */
	changed?: number;
	errorCount: number;
	errorLog: unknown[];
};

export type GroupApi = {
	read(groupId: string): Promise<GroupMembers>;
	/** @throws what `isLost` tells apart: the call was refused or never arrived, or nobody knows what became of it */
	change(
		action: 'add' | 'remove',
		groupId: string,
		identifyBy: IdentifyBy,
		values: string[],
	): Promise<MembershipChange>;
	/** Makes an empty group. `onUncertain` is told when there may be a second one of that name. */
	create(name: string, onUncertain: () => void): Promise<string>;
	delete(groupId: string): Promise<void>;
	/** The groups that belong to the owner of the credential. */
	listOwn(): Promise<Array<{ id: string; name: string }>>;
};

/** Adding and removing are idempotent, and so are reading and deleting a group of our own. */
const TRIES = 4;

/** So many calls failing one after the other end a sync, or so long without a success. */
const FAILURES_IN_A_ROW = 4;
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * The calls that sync needs, each tried up to four times when it fails for a passing reason.
 *
 * @param log told why a call is sent again
 */
export function groupApi(context: IExecuteFunctions, log: (text: string) => void): GroupApi {
	const node = context.getNode();
	const fail = failure(context);
	const settings = requestSettings(context, 0);
	const signal = context.getExecutionCancelSignal();
	// Cancelled, sync lets what is under way end and tidies up: it looks at the signal itself, between chunks.
	const quiet = notCancelled(context);

	const policy = new RetryPolicy({
		tries: TRIES,
		giveUpAfterMs: GIVE_UP_AFTER_MS,
		waitsOutTooMany: true,
		openCircuitAfter: FAILURES_IN_A_ROW,
		signal,
		sendsWhenCancelled: true,
		log,
	});
	const call = async (request: ApiRequest, onRetry?: (error: unknown) => void): Promise<Envelope> =>
		await policy.run(async () => await apiRequest.call(quiet, { ...settings, ...request }), {
			onRetry,
		});
	/** Fails when the service was given up: what only looks, or tidies up, is tried all the same. */
	const whileThereIsHope = () => {
		if (policy.openReason !== undefined) throw fail(policy.openReason);
	};
	const pathOf = (groupId: string, path = '') =>
		buildPath(`/int/v1/recipientGroup/:recipientGroupId${path}`, () => groupId, fail);

	return {
		async read(groupId) {
			const { data } = await call({ url: pathOf(groupId) });
			const { leads, leadsTotal } = isDataObject(data) ? data : {};
			const shown = Array.isArray(leads) ? leads.map(String) : [];
			return {
				ids: new Set(shown),
				// A total that is not shown is no total: what takes people out of a group needs to see them all.
				complete: typeof leadsTotal === 'number' && shown.length >= leadsTotal,
				shown: `${shown.length} of ${String(leadsTotal ?? 'an unknown number of')}`,
			};
		},

		async change(action, groupId, identifyBy, values) {
			whileThereIsHope();
			let certain = true;
			const note = (error: unknown) => {
				certain &&= !isOutcomeUnknown(error);
			};
			const request: ApiRequest = {
				method: action === 'add' ? 'POST' : 'DELETE',
				url: pathOf(groupId, '/recipients'),
				body: { [identifyBy === 'email' ? 'recipientEmails' : 'recipientIds']: values },
			};
			const { data } = await call(request, note).catch((error: unknown) => {
				note(error);
				const known = asNodeError(node, error);
				if (!certain) lostChanges.add(known);
				throw known;
			});
			return changeIn(data, values.length, certain);
		},

		async create(name, onUncertain) {
			whileThereIsHope();
			const note = (error: unknown) => {
				if (isOutcomeUnknown(error)) onUncertain();
			};
			const request = { method: 'POST' as const, url: '/int/v1/recipientGroup', body: { name } };
			const { data } = await call(request, note).catch((error: unknown) => {
				note(error);
				throw asNodeError(node, error);
			});
			const { _id } = isDataObject(data) ? data : {};
			if (typeof _id === 'string') return _id;
			onUncertain();
			throw fail('The service made a recipient group without saying its ID');
		},

		async delete(groupId) {
			await call({ method: 'DELETE', url: pathOf(groupId) }).catch((error: unknown) => {
				// An earlier try was carried out and its answer lost.
				if (!isMissingGroup(error)) throw asNodeError(node, error);
			});
		},

		async listOwn() {
			const records = await bySkip(
				async (paging) => {
					const envelope = await call({
						url: '/int/v1/recipientGroup',
						qs: { own: 'true', ...paging },
					});
					return { records: recordsOf(node, envelope), total: envelope.total };
				},
				Infinity,
				fail,
			);
			return records.map(({ _id, name }) => ({ id: String(_id), name: String(name) }));
		},
	};
}

/**
 * Reads the counts of an answer to a change (schema MembershipResult in emulator/openapi.yaml).
 *
 * @param certain whether no earlier try of the same call may have been carried out
 */
function changeIn(data: unknown, sent: number, certain: boolean): MembershipChange {
	const { successCount, errorCount, errorLog } = isDataObject(data) ? data : {};
	const log: unknown[] = Array.isArray(errorLog) ? errorLog : [];
	const errors = Math.max(isCount(errorCount) ? errorCount : 0, log.length);
	const change: MembershipChange = { errorCount: Math.min(errors, sent), errorLog: log };
	// When the last try changed everybody, no earlier one did.
	const told = isCount(successCount) && successCount + errors <= sent;
	if (told && (certain || successCount === sent)) change.changed = successCount;
	return change;
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** What the service says to a call with recipients whom it does not know (recipientGroup.addRecipients in emulator/openapi.yaml). */
const UNKNOWN_RECIPIENTS = /^Not all emails founde?d?\b/i;

/**
 * What a failed change says about its recipients: `unknown`, in the documented words, that somebody among them is unknown;
 * `refused`, in other words, why nothing was done; nothing when it was no answer of the service.
 */
export function refusalIn(error: unknown): 'unknown' | 'refused' | undefined {
	if (!(error instanceof NodeApiError) || isFatal(error)) return undefined;
	if (!/^(200|400|409|422)$/.test(error.httpCode ?? '')) return undefined;
	return UNKNOWN_RECIPIENTS.test(error.message) ? 'unknown' : 'refused';
}

/** Whether no further change can succeed: no access, or no such group. */
export function isFatal(error: unknown): boolean {
	return isAccessRefusal(error) || isMissingGroup(error);
}

/** Whether the service says that the group does not exist (recipientGroup.get, recipientGroup.delete in emulator/openapi.yaml). */
export function isMissingGroup(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return error.httpCode === '404' || /^Object does not exist/i.test(error.message);
}

/** The failures of changes of which at least one try may have been carried out. */
const lostChanges = new WeakSet<Error>();

/** Whether a change that failed may have been carried out: after a broken connection, a 5xx or an answer that is not the service's. */
export function isLost(error: unknown): boolean {
	return error instanceof Error && lostChanges.has(error);
}
