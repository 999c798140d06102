import type { IDataObject } from 'n8n-workflow';

import { recipientGroups } from '../../../lists/lists';
import { isDataObject } from '../../../../shared/values';
import type { ApiRequest } from '../../../../shared/transport/apiRequest';
import { buildPath } from '../../../../shared/transport/address';
import { asNodeError } from '../../../../shared/transport/errors/apiError';
import { toPage } from '../../../../shared/transport/paging';
import { isTooMany } from '../../../../shared/transport/retry';
import { isMissing, type Calls } from '../../../sync/calls';
import type { Action, Gate, IdentifyBy, Members, MembershipChange } from '../../../sync/types';

export type GroupApi = ReturnType<typeof groupApi>;

/** Returns functions that send the requests of a sync about groups. */
export function groupApi({ node, fail, call, send }: Calls) {
	const pathOf = (groupId: string, path = '') =>
		buildPath(
			`/int/v1/recipientGroup/:recipientGroupId${path}`,
			{ recipientGroupId: groupId },
			fail,
		);

	return {
		async read(groupId: string): Promise<Members> {
			return membersIn((await call({ url: pathOf(groupId) })).data);
		},

		async change(
			action: Action,
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
			return membershipChangeIn(data, values.length, certain);
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
			const { _id, name: given, exclusive } = isDataObject(data) ? data : {};
			if (typeof _id === 'string') {
				const nameGiven = typeof given === 'string' ? given : undefined;
				return { groupId: _id, name: nameGiven, certain, exclusive: exclusive === true };
			}
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
				if (!isMissing(error)) throw asNodeError(node, error);
			});
		},

		/** Returns the names of the groups that belong to the owner of the credential, by ID. */
		async listOwn(): Promise<Map<string, string>> {
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
	const { leads, leadsTotal, name, exclusive } = isDataObject(data) ? data : {};
	const list: unknown[] = Array.isArray(leads) ? leads : [];
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
