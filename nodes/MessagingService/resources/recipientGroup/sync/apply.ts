import { messageOf } from '../../../../shared/failure';
import {
	asRecipients,
	changedAll,
	readCounted,
	sumChanged,
	type GroupMembers,
	type Plan,
	type Responses,
	type Sent,
} from './evidence';
import { sendInChunks } from './sendInChunks';
import type { GroupRun } from './syncRun';

/** Adds or removes those in the plan; for Mirror, which needs to see who was added, the group is read again. */
export async function sendPlan(run: GroupRun, before: GroupMembers, plan: Plan): Promise<Sent> {
	const action = run.mode === 'remove' ? 'remove' : 'add';
	const responses = await sendInChunks(run, plan.send, {
		what: action === 'add' ? 'Adding' : 'Removing',
		by: plan.by,
		// Mirror by email has these IDs from the service.
		known: plan.by !== run.identifyBy,
		send: async (values) => await run.api.change(action, run.groupId, plan.by, values),
	});
	const isOpen = run.mode === 'mirror' && (leavesOpen(responses) || plan.surplus.length > 0);
	return { responses, after: isOpen ? await readAgain(run, before, responses) : undefined };
}

/**
 * Removes the surplus of a Mirror.
 *
 * @param before the group, read after the additions
 */
export async function removeSurplus(
	run: GroupRun,
	before: GroupMembers,
	{ surplus }: Plan,
): Promise<Sent> {
	const responses = await sendInChunks(run, asRecipients(surplus), {
		what: 'Removing',
		by: 'id',
		known: true,
		send: async (values) => await run.api.change('remove', run.groupId, 'id', values),
	});
	const after = leavesOpen(responses)
		? await readAgain(run, before, responses, 'remove')
		: undefined;
	return { responses, after };
}

/** Whether the counts of the responses leave open what became of somebody. */
export function leavesOpen({ failed, taken }: Responses): boolean {
	return failed.length > 0 || !taken.every(changedAll);
}

/** The group, where it only proves what was done: that it cannot be read is no reason for a sync to fail. */
export async function readAgain(
	run: GroupRun,
	before: GroupMembers,
	{ taken }: Responses,
	action = run.mode === 'remove' ? 'remove' : 'add',
): Promise<GroupMembers | undefined> {
	const changed = sumChanged(taken);
	const size = before.ids.size + (action === 'add' ? changed : -changed);
	return await readCounted(async () => await run.api.read(run.groupId), size).catch(
		(error: unknown) => {
			run.log(`The group could not be read again: ${messageOf(error)}`);
			return undefined;
		},
	);
}
