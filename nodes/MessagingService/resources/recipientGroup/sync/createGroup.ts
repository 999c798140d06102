import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { failed } from '../../../sync/outcomes';
import type { Members, Target } from '../../../sync/types';
import type { GroupRun } from './groupRun';

/**
 * Creates a missing group and reads it, because the service may add a member to each new group. If the outcome of the
 * creation is unknown, the creation is not repeated.
 *
 * @returns the first members of the group
 * @throws if the group cannot be created or read
 */
export async function createGroup(run: GroupRun, group: Target): Promise<Members> {
	const { groupId } = await run.api.create(group.name ?? '', true).catch((error: unknown) => {
		throw isOutcomeUnknown(error) ? run.fail(failed(messageOf(error), true).reason) : error;
	});
	group.id = groupId;
	const members = await run.api.read(groupId);
	if (members.exclusive) run.temporary.exclusive = group.name;
	return members;
}
