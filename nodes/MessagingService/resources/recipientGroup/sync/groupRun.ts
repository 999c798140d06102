import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { looksOf } from '../../../../shared/values/name';
import { failed } from '../../../sync/outcomes';
import type { SyncRun } from '../../../sync/syncRun';
import type { Members, Target } from '../../../sync/types';
import type { GroupApi } from './groupApi';

/** One run of sync for all groups. */
export type GroupRun = SyncRun<GroupApi> & {
	/** What a run remembers about its temporary groups. */
	temporary: {
		/** Whether the temporary groups of killed runs were already searched for and deleted. */
		isCleaned: boolean;
		/** IDs of groups whose deletion failed. */
		undeleted: Set<string>;
		/** Names of groups that may exist although their creation failed. */
		uncertain: Set<string>;
		/** The name of a group that says `exclusive: true`, if there is one. */
		exclusive?: string;
		/** What the service says if the access key may not delete groups. */
		undeletable?: string;
	};
};

/**
 * Creates a missing group and reads it, because the service may add a member to each new group. If the outcome of the
 * creation is unknown, the creation is not repeated. If the service gives the group another name, the next run would
 * not find it, so the group is deleted, unless it has several members: it may have existed before.
 *
 * @returns the first members of the group
 * @throws if the group cannot be created or read, or has another name
 */
export async function createGroup(run: GroupRun, group: Target): Promise<Members> {
	const wanted = group.name ?? '';
	const created = await run.api.create(wanted, true).catch((error: unknown) => {
		throw isOutcomeUnknown(error) ? run.fail(failed(messageOf(error), true).reason) : error;
	});
	const members = await run.api.read(created.groupId);
	const name = members.name ?? created.name ?? wanted;
	if (looksOf(name) !== looksOf(wanted)) {
		const isDeletable = members.complete && members.ids.size <= 1;
		if (isDeletable) await run.api.delete(created.groupId);
		throw run.fail(
			`The service changed the name of the new group "${wanted}" to "${name}"`,
			`Nobody was added. ${isDeletable ? 'The group was deleted again.' : `The group was not deleted (ID ${created.groupId}), because it has members.`} Use a name that the service does not change, for example a shorter one.`,
		);
	}
	group.id = created.groupId;
	if (members.exclusive) run.temporary.exclusive = group.name ?? group.id;
	return members;
}
