import { settle } from '../../../../shared/concurrency';
import type { Identities, ReadGroup } from './identify';
import { failed, nameSome } from './outcomes';
import { sendAll } from './send';
import { withTemporaryGroups } from './temporaryGroups';
import type { Recipient, Members, Outcome } from './outcomes';
import type { SyncRun } from './syncRun';

/** The plan for a group that is changed by ID: the wanted members, and what each step has shown. */
export type Plan = ReadGroup & {
	/** Whether the group could not be read before the first change. */
	isUnread: boolean;
	/** The IDs of the group's recipients, as far as they are known. */
	wanted: Set<string>;
	/** The members in `before` whom Mirror removes, because no row names them. */
	surplus: Set<string>;
	notes: string[];
	/** The replies to the additions and to the removals, by ID. */
	added: Map<string, Outcome>;
	removed: Map<string, Outcome>;
	/** The last read after the additions, and the last read after the removals. */
	afterAdding?: Members | undefined;
	afterRemoving?: Members | undefined;
	/** Why nobody is removed from this group. */
	heldBack?: string;
};

/** IDs that are removed from no group, and why. */
export type Protected = ReadonlyMap<string, string>;

/** Stops a group if Mirror would remove all its members and add nobody. */
export function stopIfEmptied(run: SyncRun, plan: Plan, protectedIds: Protected): void {
	const { before, wanted } = plan;
	if (before.ids.size === 0 || wanted.size > 0 || removalsOf(plan, protectedIds) < before.ids.size)
		return;
	plan.stopped = wouldBeEmptied(run);
}

/** Returns the error of a group in which nobody would be left. */
export function wouldBeEmptied({ fail }: SyncRun): Error {
	return fail(
		'The service knows none of the recipients',
		'Mirror would empty the group, so nobody was removed. Check the source of the input items and the Recipient parameter.',
	);
}

/**
 * Stops groups that would lose too many members, before they are changed. A group that is over the limit is not changed.
 * If all groups together are over the limit, no group that would lose somebody is changed. If the limit is above 0, one
 * removal is always allowed. In a dry run, a note says what the real run would do.
 */
export function limitRemovals(run: SyncRun, plans: Plan[], protectedIds: Protected): void {
	const loads = plans.map((plan) => ({
		plan,
		removals: removalsOf(plan, protectedIds),
		size: plan.before.ids.size,
	}));
	const total = { removals: 0, size: 0 };
	for (const { removals, size } of loads) {
		total.removals += removals;
		total.size += size;
	}
	const inTotal = excess(run, total, 'all groups together');
	for (const { plan, ...load } of loads) {
		const problem = excess(run, load, 'the group') ?? (load.removals > 0 ? inTotal : undefined);
		if (problem === undefined) continue;
		const what = plans.length > 1 ? 'not change this group' : 'stop here and change nothing';
		if (run.dryRun) plan.notes.push(`${problem}. Without Dry Run, Mirror would ${what}.`);
		else {
			plan.stopped = run.fail(
				problem,
				'Nothing was changed. If these removals are intended, raise Maximum Removal (%). Otherwise, check the source of the input items.',
			);
		}
	}
}

function removalsOf({ surplus }: Plan, protectedIds: Protected): number {
	return [...surplus].filter((id) => !protectedIds.has(id)).length;
}

function excess(
	{ maxRemovalPercent }: SyncRun,
	{ removals, size }: { removals: number; size: number },
	where: string,
): string | undefined {
	if (removals * 100 <= maxRemovalPercent * size) return undefined;
	if (removals === 1 && maxRemovalPercent > 0) return undefined;
	// The percentage is rounded up, so that the shown percentage never equals the limit.
	const percent = Math.ceil((removals * 1000) / size) / 10;
	return `Mirror would remove ${removals} of the ${size} people in ${where} (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}

/**
 * Finds out whether anybody may be removed. If the ID of an item's person is not known, any member may be that person.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed or nobody would be removed
 */
export async function reasonToRemoveNobody(
	run: SyncRun,
	plans: Plan[],
	{ idsOf, problems }: Identities,
	protectedIds: Protected,
): Promise<string | undefined> {
	if (!plans.some((plan) => removalsOf(plan, protectedIds) > 0)) return undefined;
	const unreadable = run.rows.flatMap((row) =>
		!row.recipient && row.status === 'invalid' && !row.isBlank ? [row.given] : [],
	);
	if (unreadable.length > 0 && !run.removeDespiteInvalid) {
		return `${count(unreadable.length, 'item names', 'items name')} a recipient that cannot be read: ${nameSome(unreadable)}`;
	}
	if (run.identifyBy === 'id') return undefined;
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
async function sendUnknownAgain(run: SyncRun, problems: Identities['problems']) {
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
			await withTemporaryGroups(run, 1, async ([groupId = '']) => {
				await Promise.all(
					Array.from(unknown.values(), async (one) => {
						const sent = await sendAll(run, [one], { action: 'add', groupId, by: 'email' });
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

function count(number: number, one: string, several: string): string {
	return `${number} ${number === 1 ? one : several}`;
}
