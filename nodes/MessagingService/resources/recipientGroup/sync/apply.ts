import { messageOf } from '../../../../shared/failure';
import { asRecipients, changedAll, type Evidence, type GroupMembers, type Plan } from './evidence';
import { beforeRemoving, reasonNotToRemove } from './safeguards';
import type { SyncRun } from './syncRun';
import { sendInChunks } from './sendInChunks';

/**
 * Carries the plan out: adds or removes; then Mirror, once every addition is proved and the group was read again, takes out
 * who is too many.
 *
 * @throws when Mirror would leave nobody in the group
 */
export async function apply(run: SyncRun, evidence: Evidence, plan: Plan): Promise<void> {
	const action = run.mode === 'remove' ? 'remove' : 'add';
	evidence.responses = await sendInChunks(run, plan.send, {
		what: action === 'add' ? 'Adding' : 'Removing',
		by: plan.by,
		// Mirror by email has these ids from the service.
		known: plan.by !== run.identifyBy,
		send: async (values) => await run.api.change(action, run.groupId, plan.by, values),
	});
	if (run.mode !== 'mirror') return;
	if (needsToSee(evidence) || plan.surplus.length > 0) evidence.after = await readAgain(run);
	if (plan.surplus.length === 0) return;
	evidence.nobodyRemoved ??= run.cancelled() ? CANCELLED_BEFORE : reasonNotToRemove(evidence);
	if (evidence.nobodyRemoved !== undefined) return;
	const refusal = beforeRemoving(evidence);
	if (refusal) throw run.refuse(refusal.message, refusal.description);
	evidence.removal = await sendInChunks(run, asRecipients(plan.surplus), {
		what: 'Removing',
		by: 'id',
		known: true,
		send: async (values) => await run.api.change('remove', run.groupId, 'id', values),
	});
	const { taken, failed } = evidence.removal;
	if (failed.length > 0 || !taken.every(changedAll)) evidence.afterRemoval = await readAgain(run);
}

/** Whether the counts of the answers leave open what became of somebody. */
export function needsToSee({ responses: answers }: Evidence): boolean {
	if (!answers) return false;
	return answers.failed.length > 0 || !answers.taken.every(changedAll);
}

/** The group, where it only proves what was done: that it cannot be read is no reason for a sync to fail. */
export async function readAgain(run: SyncRun): Promise<GroupMembers | undefined> {
	return await run.api.read(run.groupId).catch((error: unknown) => {
		run.log(`The group could not be read again: ${messageOf(error)}`);
		return undefined;
	});
}

const CANCELLED_BEFORE = 'the execution was cancelled';
