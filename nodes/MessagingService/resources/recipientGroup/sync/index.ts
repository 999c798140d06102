import type { IDataObject } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { numberField, switchedOff } from '../../../../shared/fieldTypes';

import { buildPath } from '../../../../shared/transport/address';
import type { ApiRequest } from '../../../../shared/transport/apiRequest';
import { asNodeError, isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { toPage } from '../../../../shared/transport/paging';
import { isRateLimited } from '../../../../shared/transport/retry';
import { fieldsIn, listIn, normalizeName } from '../../../../shared/values';
import type { Operation } from '../../../engine/declaration';
import { options } from '../../../fields/collections';
import { recipientGroupIdOrNew } from '../../../fields/locators';
import { recipientGroups } from '../../../lists/lists';
import { isMissing, type Calls } from '../../../sync/calls';
import { changeById } from '../../../sync/changeById';
import { syncFields, syncOptions, type SyncRun } from '../../../sync/parameters';
import { runSync } from '../../../sync/runSync';
import { failedStatus } from '../../../sync/status';
import type { Members, MembershipChange, ReadTarget, TargetResult } from '../../../sync/types';
import { identifyBy } from '../memberFields';
import { changeByEmail, identifyAddresses } from './identify';
import { noteExclusive, warnOfUndeleted, type GroupApi, type GroupRun } from './temporaryGroups';

/** POST and DELETE /int/v1/recipientGroup/:id/recipients, for all input items in as few requests as possible. */
export const sync: Operation = {
	description:
		'Add the people of all input items to groups, remove them, or make groups match the input exactly',
	builderHint:
		'Takes all input items in one run. Do not put this node into a loop, and start with dryRun on. The input has one item per person, with the email of the person. To sync one group per department, set Recipient Group to By Name, with an expression.',
	// A tool of an AI agent gets one item, and mirroring one item would remove everybody else.
	notAsTool: [
		'Sync works on all input items of a workflow at once and cannot be used as a tool',
		'Use Recipient Group: Add Recipients or Recipient Group: Remove Recipients instead. Nothing was sent.',
	],
	async execute() {
		return await runSync(this, {
			container: { word: 'group', idName: 'recipientGroupId' },
			...{ field: recipientGroupIdOrNew, apiOf: groupApi, change: changeGroups },
		});
	},
	fields: [
		recipientGroupIdOrNew,
		identifyBy,
		...syncFields,
		options([
			switchedOff(
				'createMissingGroups',
				'Whether to create missing groups that are set By Name. If off, the items of a missing group fail.',
				{ displayOptions: { show: { '/mode': ['add', 'mirror'] } } },
			),
			numberField(
				'maxNewGroups',
				50,
				'Maximum number of groups to create in one run. If more groups are missing, none is created and their items fail. This protects against an expression in Recipient Group that uses the wrong field.',
				1,
				{ displayOptions: { show: { '/mode': ['add', 'mirror'] } } },
			),
			...syncOptions,
			numberField('concurrency', 4, 'Maximum number of concurrent requests', 1),
		]),
	],
};

/** Finds out who is who if the mode needs this, and changes all groups. */
async function changeGroups(
	base: SyncRun<GroupApi>,
	groups: ReadTarget[],
): Promise<TargetResult[]> {
	const run: GroupRun = { ...base, temporary: { isCleaned: false, undeleted: new Set() } };
	for (const { target, before, stopped } of groups) {
		const is = stopped ? 'could not be read, and may be' : 'is';
		if (before.exclusive) noteExclusive(run, target.name ?? target.id, is);
	}
	const { identifyBy, dryRun, mode } = run;
	try {
		if (identifyBy === 'id') return await changeById(run, groups, { problems: new Map() });
		if (!dryRun && mode !== 'mirror') return await changeByEmail(run, groups, mode);
		return await changeById(run, groups, await identifyAddresses(run, groups));
	} finally {
		warnOfUndeleted(run);
	}
}

/** Returns functions that send the requests of a sync about groups. */
function groupApi({ node, fail, call }: Calls): GroupApi {
	const pathOf = (recipientGroupId: string, path = '') =>
		buildPath(`/int/v1/recipientGroup/:recipientGroupId${path}`, { recipientGroupId }, fail);

	/**
	 * Creates a group. If `isToStay` is true, the sync does not delete the group. The request is then repeated only after a
	 * 429, so that it never creates two groups.
	 *
	 * @throws if the call fails, or the response has no ID
	 */
	async function createNamed(name: string, isToStay = false) {
		const request: ApiRequest = { method: 'POST', url: '/int/v1/recipientGroup', body: { name } };
		const { data } = await call(request, true, isToStay ? { isRetryable: isRateLimited } : {});
		const { _id: groupId, name: given, exclusive } = fieldsIn(data);
		if (typeof groupId === 'string') return { groupId, given, exclusive: exclusive === true };
		throw fail(failedStatus('The response to the creation of a group has no ID', true).reason);
	}

	const read = async (groupId: string): Promise<Members> =>
		membersIn((await call({ url: pathOf(groupId) })).data);

	async function remove(groupId: string): Promise<void> {
		await call({ method: 'DELETE', url: pathOf(groupId) }).catch((error: unknown) => {
			// If the group is missing, an earlier attempt deleted the group, but its response was lost.
			if (!isMissing(error)) throw asNodeError(node, error);
		});
	}

	return {
		...{ createNamed, read, delete: remove },

		async change(action, groupId, identifyBy, values) {
			const request: ApiRequest = {
				method: action === 'add' ? 'POST' : 'DELETE',
				url: pathOf(groupId, '/recipients'),
				body: { [identifyBy === 'email' ? 'recipientEmails' : 'recipientIds']: values },
			};
			const { data, certain } = await call(request, true);
			return membershipChangeIn(data, values.length, certain);
		},

		/**
		 * Creates a missing group and reads it, because the service may add a member to each new group. If the outcome of the
		 * creation is unknown, the creation is not repeated. If the service gives the group another name, the next run would
		 * not find it, so the group is deleted, unless it has several members: it may have existed before.
		 *
		 * @returns the first members of the group
		 * @throws if the group cannot be created or read, or has another name
		 */
		async create(group) {
			const wanted = group.name ?? '';
			const { groupId, given } = await createNamed(wanted, true).catch((error: unknown) => {
				throw isOutcomeUnknown(error) ? fail(failedStatus(messageOf(error), true).reason) : error;
			});
			const members = await read(groupId);
			const name = members.name ?? String(given ?? wanted);
			if (normalizeName(name) === normalizeName(wanted)) {
				group.id = groupId;
				return members;
			}
			const isDeletable = members.complete && members.ids.size <= 1;
			if (isDeletable) await remove(groupId);
			throw fail(
				`The service changed the name of the new group "${wanted}" to "${name}"`,
				`Nobody was added. ${isDeletable ? 'The group was deleted again.' : `The group was not deleted (ID ${groupId}), because it has members.`} Use a name that the service does not change, for example a shorter one.`,
			);
		},

		/** Returns the names of the groups that belong to the owner of the credential, by ID. */
		async listOwn() {
			const { path: url, read: readPages } = recipientGroups;
			const fetchPage = async (qs: IDataObject) =>
				toPage(node, await call({ url, qs: { ...qs, own: 'true' } }));
			const { records } = await readPages(fetchPage);
			return new Map(records.map(({ _id, name }) => [String(_id), String(name)]));
		},
	};
}

/**
 * Reads the members of a group. A list without a total, or with objects instead of IDs, is incomplete, because removals
 * require all members.
 */
function membersIn(data: unknown): Members {
	const { leads, leadsTotal, name, exclusive } = fieldsIn(data);
	const list = listIn(leads);
	const shown = list.filter((one) => typeof one === 'string' || typeof one === 'number');
	const isWhole = typeof leadsTotal === 'number' && shown.length >= leadsTotal;
	return {
		ids: new Set(shown.map(String)),
		complete: isWhole && shown.length === list.length,
		shown: `${shown.length} of ${String(leadsTotal ?? 'an unknown number of')}`,
		name: typeof name === 'string' ? name : undefined,
		exclusive: exclusive === true,
	};
}

/**
 * Reads the counts of a response to a change (schema MembershipResult in emulator/openapi.yaml).
 *
 * @param certain false if the service may have carried out an earlier attempt of this call
 */
function membershipChangeIn(data: unknown, sent: number, certain: boolean): MembershipChange {
	const { successCount, errorCount, errorLog } = fieldsIn(data);
	const log = listIn(errorLog);
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
