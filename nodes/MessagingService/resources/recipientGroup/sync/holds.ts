import { settle } from '../../../../shared/concurrency';
import { failed, nameSome } from '../../../sync/outcomes';
import { count, removalsOf, unreadableRows } from '../../../sync/removals';
import type { Plan, Protected } from '../../../sync/removals';
import { sendAll } from '../../../sync/send';
import type { Identities, Recipient } from '../../../sync/types';
import type { GroupRun } from './groupRun';
import { withTemporaryGroups } from './temporaryGroups';

/**
 * Finds out whether anybody may be removed. If the ID of an item's person is not known, any member may be that person.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed or nobody would be removed
 */
export async function reasonToRemoveNobody(
	run: GroupRun,
	plans: Plan[],
	{ idsOf, problems }: Identities,
	protectedIds: Protected,
): Promise<string | undefined> {
	if (!plans.some((plan) => removalsOf(plan, protectedIds) > 0)) return undefined;
	const unreadable = unreadableRows(run);
	if (unreadable !== undefined || run.identifyBy === 'id') return unreadable;
	const unsettled = [...problems].filter(([, { status }]) => status === 'failed');
	const [failure] = unsettled;
	if (failure) {
		const keys = unsettled.map(([key]) => key);
		return `the IDs of ${count(keys.length, 'recipient', 'recipients')} could not be found out: ${nameSome(keys)} (${failure[1].reason})`;
	}
	const withoutId = [...idsOf].flatMap(([key, ids]) => (ids.length === 0 ? [key] : []));
	if (withoutId.length > 0 && !run.removeDespiteInvalid) {
		return `the service accepted ${count(withoutId.length, 'recipient', 'recipients')} but shows nobody for them: ${nameSome(withoutId)}`;
	}
	return await sendUnknownAgain(run, problems);
}

/**
 * Sends each unknown address once more, alone, to a new temporary group. If the service now accepts an address, its
 * person may be a member, so nobody is removed.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed
 */
async function sendUnknownAgain(run: GroupRun, problems: Identities['problems']) {
	const unknown = new Map<string, Recipient>();
	for (const { recipient } of run.rows) {
		if (recipient && problems.get(recipient.key)?.status === 'unknown')
			unknown.set(recipient.key, recipient);
	}
	if (unknown.size === 0) return undefined;
	if (run.budget.remaining < unknown.size) {
		return `there are too many unknown recipients to send each of them once more with ${run.budget.granted} further requests`;
	}
	run.budget.remaining -= unknown.size;
	const known: string[] = [];
	const outcome = await settle(
		async () =>
			await withTemporaryGroups(run, 1, async ([targetId = '']) => {
				await Promise.all(
					Array.from(unknown.values(), async (one) => {
						const sent = await sendAll(run, [one], { action: 'add', targetId, by: 'email' });
						if (sent.problems.get(one)?.status === 'unknown') return;
						known.push(one.key);
						problems.set(one.key, failed(KNOWN_NOW));
					}),
				);
			}),
	);
	if ('error' in outcome)
		return 'it could not be checked a second time whether the unknown recipients are really unknown';
	if (known.length === 0) return undefined;
	return `the service did not know ${count(known.length, 'recipient', 'recipients')} at first, but may know them now: ${nameSome(known)}`;
}

const KNOWN_NOW =
	'At first the service did not know this recipient, but it may know the person now. Run the sync again';
