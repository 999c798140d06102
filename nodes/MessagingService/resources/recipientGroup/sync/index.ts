import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { numberField, switchedOff } from '../../../../shared/fieldTypes';

import { buildPath } from '../../../../shared/transport/address';
import type { ApiRequest } from '../../../../shared/transport/apiRequest';
import { asNodeError, isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { toPage } from '../../../../shared/transport/paging';
import { isRateLimited, type Retries } from '../../../../shared/transport/retry';
import { fieldsIn, listIn, normalizeName } from '../../../../shared/values';
import { options } from '../../../fields/collections';
import { recipientGroupToSync } from '../../../fields/locators';
import { recipientGroups } from '../../../lists/locatorLists';
import { isMissing, isRefusedChange, type Calls } from '../../../sync/calls';
import { changeById } from '../../../sync/changeById';
import { syncFields, syncOptions, type SyncRun } from '../../../sync/parameters';
import { syncOperation } from '../../../sync/runSync';
import { failedStatus } from '../../../sync/status';
import type { Members, MembershipChange, ReadTarget } from '../../../sync/types';
import { identifyBy } from '../memberFields';
import { findExclusive } from './exclusive';
import { changeByEmail, identifyAddresses } from './identify';
import { warnOfNotDeleted, type GroupApi, type GroupRun } from './temporaryGroups';

/** POST and DELETE /int/v1/recipientGroup/:id/recipients, for all input items in as few requests as possible. */
export const sync = syncOperation({
	targetKind: { word: 'group', idName: 'recipientGroupId', refusal: 'onlyUnknownRecipients' },
	onlyForOneItem: 'Recipient Group: Add Recipients or Recipient Group: Remove Recipients',
	fields: [
		recipientGroupToSync,
		identifyBy,
		...syncFields,
		options([
			switchedOff(
				'createMissingGroups',
				'Whether to create the group if no group has the name in "Recipient Group". This works only if "Recipient Group" is set to By Name. If the switch is off, an item that names a missing group fails.',
				{ displayOptions: { show: { '/mode': ['add', 'mirror'] } } },
			),
			numberField(
				'maxNewGroups',
				50,
				'Maximum number of groups that Sync creates in one run. If more groups are missing, Sync creates none of them.',
				1,
				{ displayOptions: { show: { '/mode': ['add', 'mirror'] } } },
			),
			switchedOff(
				'exclusiveGroupsAreSafe',
				'Whether Sync may add people to temporary groups, to find their IDs, although the service marks a group as exclusive. Perhaps an exclusive group loses people who are added to another group. To test this, add one member of the exclusive group to another group. Switch on this option only if the member stays in both groups.',
				{ displayOptions: { show: { '/identifyBy': ['email'] } } },
			),
			...syncOptions,
			numberField('concurrency', 4, 'Maximum number of requests at the same time', 1),
		]),
	],
	createApi: createGroupApi,
	changeTargets: changeGroups,
});

/** Finds out who is who if the mode needs this, and changes all groups. */
async function changeGroups(base: SyncRun<GroupApi>, groups: ReadTarget[]) {
	const run: GroupRun = {
		...base,
		findExclusive: async () => await findExclusive(run, groups),
		temporary: { isCleanedUp: false, notDeleted: new Set() },
	};
	const { identifyBy, dryRun, mode } = run;
	try {
		if (identifyBy === 'id') return await changeById(run, groups, { problems: new Map() });
		if (!dryRun && mode !== 'mirror') return await changeByEmail(run, groups, mode);
		return await changeById(run, groups, await identifyAddresses(run, groups));
	} finally {
		warnOfNotDeleted(run);
	}
}

/** Returns functions that send the requests of a sync about groups. */
function createGroupApi({ node, fail, call }: Calls): GroupApi {
	const pathOf = (recipientGroupId: string, path = '') =>
		buildPath(`/int/v1/recipientGroup/:recipientGroupId${path}`, { recipientGroupId }, fail);

	/** Creates a group. @throws if the call fails, or the response has no ID */
	async function createGroup(name: string, retries: Retries = {}) {
		const request: ApiRequest = { method: 'POST', url: '/int/v1/recipientGroup', body: { name } };
		const creation = call(request, { isChange: true, ...retries });
		const { data } = await creation.catch((error: unknown) => {
			const isForbidden = error instanceof NodeApiError && error.httpCode === '403';
			if (!isForbidden && !isRefusedChange(error)) throw error;
			const advice = 'The access key needs the right to create recipient groups.';
			throw fail(`The service did not create a group: ${messageOf(error)}`, advice);
		});
		const { _id: groupId, name: givenName, exclusive } = fieldsIn(data);
		if (typeof groupId === 'string') return { groupId, givenName, exclusive: exclusive === true };
		const problem = 'The response to the creation of a group has no ID';
		throw fail(failedStatus(problem, { mayBeDone: true }).reason);
	}

	const readMembers = async (groupId: string): Promise<Members> =>
		membersIn((await call({ url: pathOf(groupId) })).data);

	async function deleteGroup(groupId: string): Promise<void> {
		await call({ method: 'DELETE', url: pathOf(groupId) }).catch((error: unknown) => {
			// If the group is missing, an earlier attempt deleted the group, but its response was lost.
			if (!isMissing(error)) throw asNodeError(node, error);
		});
	}

	return {
		createGroup,
		readMembers,
		deleteGroup,

		async changeMembers({ action, targetId, identifyBy }, values) {
			const request: ApiRequest = {
				method: action === 'add' ? 'POST' : 'DELETE',
				url: pathOf(targetId, '/recipients'),
				body: { [identifyBy === 'email' ? 'recipientEmails' : 'recipientIds']: values },
			};
			const { data, earlierMayBeDone } = await call(request, { isChange: true });
			return membershipChangeIn(data, values.length, earlierMayBeDone);
		},

		/**
		 * Creates a missing group and reads it, because the service may add a member to each new group. The creation is repeated
		 * only after a 429, so that it never creates two groups. If the service gives the group another name, the next run would
		 * not find it. So the group is deleted, unless it has several members: it may have existed before.
		 *
		 * @returns the first members of the group
		 * @throws if the group cannot be created or read, or has another name
		 */
		async createTarget(group) {
			const wantedName = group.name ?? '';
			const creation = createGroup(wantedName, { isRetryable: isRateLimited });
			const { groupId, givenName } = await creation.catch((error: unknown) => {
				if (!isOutcomeUnknown(error)) throw error;
				throw fail(failedStatus(messageOf(error), { mayBeDone: true }).reason);
			});
			const members = await readMembers(groupId);
			const name = members.name ?? String(givenName ?? wantedName);
			if (normalizeName(name) === normalizeName(wantedName)) {
				group.id = groupId;
				return members;
			}
			const isDeletable = members.complete && members.ids.size <= 1;
			if (isDeletable) await deleteGroup(groupId);
			throw fail(
				`The service changed the name of the new group "${wantedName}" to "${name}"`,
				`Nobody was added. ${isDeletable ? 'The group was deleted again.' : `The group was not deleted (ID ${groupId}), because it has members.`} Use a name that the service does not change, for example a shorter one.`,
			);
		},

		async listOwnGroups() {
			const { path: url, read: readPages } = recipientGroups;
			const fetchPage = async (qs: IDataObject) =>
				toPage(node, await call({ url, qs: { ...qs, own: 'true' } }));
			const { records } = await readPages(fetchPage);
			return new Map(records.map(({ _id, name }) => [String(_id), String(name)]));
		},
	};
}

/** Reads the members of a group. A list without a total, or with objects instead of IDs, is incomplete. */
function membersIn(data: unknown): Members {
	const { leads, leadsTotal, name, exclusive } = fieldsIn(data);
	const shown = listIn(leads).filter((one) => typeof one === 'string' || typeof one === 'number');
	return {
		ids: new Set(shown.map(String)),
		complete: typeof leadsTotal === 'number' && shown.length >= leadsTotal,
		shown: `${shown.length} of ${String(leadsTotal ?? 'an unknown number of')}`,
		name: typeof name === 'string' ? name : undefined,
		exclusive: exclusive === true,
	};
}

/**
 * Reads the counts of a response to a change (schema MembershipResult in emulator/openapi.yaml).
 *
 * @param sentCount how many recipients were sent
 * @param earlierMayBeDone whether the service may have carried out an earlier attempt of this request, too
 */
function membershipChangeIn(data: unknown, sentCount: number, earlierMayBeDone: boolean) {
	const { successCount, errorCount, errorLog } = fieldsIn(data);
	const log = listIn(errorLog);
	const errors = Math.max(isCount(errorCount) ? errorCount : 0, log.length);
	const change: MembershipChange = { errorCount: Math.min(errors, sentCount), errorLog: log };
	const isConsistent = isCount(successCount) && successCount + errors <= sentCount;
	// If the last attempt changed all recipients, no earlier attempt changed any.
	const isReliable = !earlierMayBeDone || successCount === sentCount;
	if (isConsistent && isReliable) change.changedCount = successCount;
	return change;
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
