import { messageOf } from '../../../../shared/failure';
import { isOutcomeLost, NO_ID } from './groupApi';
import { outcomeOf, predictionOf, type Identities, type ReadGroup } from './identify';
import { additionOf, asRecipients, failed, proved, removalOf } from './outcomes';
import type { GroupResult, Line, Members, Outcome, SyncGroup } from './outcomes';
import { limitRemovals, reasonToRemoveNobody, stopIfEmptied, wouldBeEmptied } from './removals';
import type { Plan } from './removals';
import { repliesIn, sendAll } from './send';
import type { SyncRun } from './syncRun';

const PROTECTED =
	'an item lists this person for another group, but nothing proves that they are in that other group';
const ODD = 'the service does not show clearly whose ID this is; it may be that of a recipient';

/** Makes each group match its rows: adds people to all groups, and only then removes others (rules 9 to 11). */
export async function mirror(
	run: SyncRun,
	groups: ReadGroup[],
	people: Identities,
): Promise<GroupResult[]> {
	const plans = groups.map((read) => planOf(read, people));
	const open = () => plans.filter(({ stopped }) => !stopped);
	/** Who is removed from no group, and why. */
	const protectedIds = new Map<string, string>();
	const protect = (ids: Iterable<string>, why: string) => {
		for (const id of ids) if (!protectedIds.has(id)) protectedIds.set(id, why);
	};
	protect(people.odd, ODD);
	protectStopped();
	for (const plan of open()) stopIfEmptied(run, plan, protectedIds);
	limitRemovals(run, open(), protectedIds);
	protectStopped();
	const reason = await reasonToRemoveNobody(run, open(), people, protectedIds);
	if (reason !== undefined) for (const plan of open()) plan.heldBack = reason;
	if (!run.dryRun) {
		await each(addMissing);
		protectStopped();
		await each(async (plan) => {
			if (toRemove(plan).length > 0 && !plan.afterAdding) {
				plan.afterAdding = await run.api.readAgain(plan.group.groupId, () => true);
			}
		});
		// Who is not proved to be in a group that an item names stays in all others: somebody who moves must not end in none.
		for (const { wanted, before, afterAdding } of open()) {
			const shown = (afterAdding ?? before).ids;
			protect(
				[...wanted].filter((id) => !shown.has(id)),
				PROTECTED,
			);
		}
		protectStopped();
		await each(removeSurplus);
	}
	return plans.map((plan) => resultOf(run, plan, people, protectedIds));

	function protectStopped(): void {
		for (const { stopped, wanted } of plans) if (stopped) protect(wanted, PROTECTED);
	}

	function toRemove({ surplus, heldBack }: Plan): string[] {
		return heldBack === undefined ? [...surplus].filter((id) => !protectedIds.has(id)) : [];
	}

	/** Runs a step for all open groups at once. An error stops only the group in which it occurs. */
	async function each(step: (plan: Plan) => Promise<void>): Promise<void> {
		await Promise.all(
			open().map(async (plan) => {
				try {
					await step(plan);
				} catch (error) {
					plan.stopped = error instanceof Error ? error : run.fail(String(error));
				}
			}),
		);
	}

	async function addMissing(plan: Plan): Promise<void> {
		const missing = () => [...plan.wanted].filter((id) => !plan.before.ids.has(id));
		if (missing().length === 0) return;
		if (plan.group.groupId === '') {
			plan.before = await createGroup(run, plan.group);
			plan.surplus = surplusOf(plan);
			limitRemovals(run, [plan], protectedIds);
			if (plan.stopped) return;
		}
		const { groupId } = plan.group;
		const isShown = run.identifyBy === 'email';
		const sending = { action: 'add', groupId, by: 'id', isShown } as const;
		plan.added = repliesIn(await sendAll(run, asRecipients(missing()), sending), 'add');
		plan.afterAdding = await run.api.readAgain(groupId, ({ ids }) =>
			missing().every((id) => ids.has(id) || isRefused(plan.added.get(id))),
		);
	}

	async function removeSurplus(plan: Plan): Promise<void> {
		const now = plan.afterAdding;
		const { groupId } = plan.group;
		if (toRemove(plan).length === 0) return;
		const leaving = toRemove(plan).filter((id) => now?.ids.has(id));
		if (!now?.complete) {
			plan.heldBack = `after the additions, the service showed ${now ? `only ${now.shown} members` : 'no members'} of the group`;
		} else if (run.cancelSignal?.aborted) plan.heldBack = 'the execution was canceled';
		else if (now.ids.size === leaving.length) {
			const isNobodyKnown = [...plan.added.values()].every(isRefused);
			if (isNobodyKnown) plan.stopped = wouldBeEmptied(run);
			else plan.heldBack = 'nobody would be left in the group';
		}
		if (plan.heldBack !== undefined || plan.stopped || leaving.length === 0) return;
		const sending = { action: 'remove', groupId, by: 'id', isShown: true } as const;
		plan.removed = repliesIn(await sendAll(run, asRecipients(leaving), sending), 'remove');
		const isGone = ({ ids }: Members) => !leaving.some((id) => ids.has(id));
		plan.afterRemoving = await run.api.readAgain(groupId, isGone);
	}
}

function planOf(read: ReadGroup, { idsOf, problems, done }: Identities): Plan {
	const { group, before } = read;
	const wanted = done.has(group)
		? before.ids
		: new Set(
				group.recipients.flatMap(({ key }) => (problems.has(key) ? [] : (idsOf.get(key) ?? []))),
			);
	const surplus = surplusOf({ before, wanted });
	const isUnread = read.stopped !== undefined;
	return { ...read, isUnread, wanted, surplus, notes: [], added: new Map(), removed: new Map() };
}

/**
 * Creates a missing group, and reads it before anybody is put in, because the service may add a member to each new group
 * (rule 10). A creation with an unknown outcome is not repeated.
 *
 * @returns its first members
 */
export async function createGroup(run: SyncRun, group: SyncGroup): Promise<Members> {
	const creating = run.api.create(group.groupName ?? '', true);
	const { groupId } = await creating.catch((error: unknown) => {
		if (!isOutcomeLost(error)) throw error;
		throw run.fail(failed(messageOf(error), true).reason);
	});
	if (groupId === undefined) throw run.fail(NO_ID);
	group.groupId = groupId;
	return await run.api.read(groupId);
}

function surplusOf({ before, wanted }: Pick<Plan, 'before' | 'wanted'>): Set<string> {
	return new Set([...before.ids].filter((id) => !wanted.has(id)));
}

function isRefused(reply: Outcome | undefined): boolean {
	return reply?.status === 'failed' || reply?.status === 'unknown';
}

function resultOf(
	run: SyncRun,
	plan: Plan,
	people: Identities,
	protectedIds: ReadonlyMap<string, string>,
): GroupResult {
	const { group, before, stopped, isUnread, notes, wanted, heldBack } = plan;
	const { dryRun } = run;
	const last = plan.afterRemoving ?? plan.afterAdding;
	const evidence = { before, after: last, replyTo: (id: string) => plan.added.get(id) };
	const ofId = (id: string) =>
		dryRun ? predictionOf(before.ids.has(id), 'add') : additionOf(id, evidence);
	const outcomes = new Map<string, Outcome>();
	for (const one of isUnread ? [] : group.recipients) {
		const reply = plan.added.get(one.key);
		const problem = people.problems.get(one.key) ?? (isRefused(reply) ? reply : undefined);
		const outcome = () => outcomeOf(one, group, people, { action: 'add', dryRun, ofId });
		if (!stopped) outcomes.set(one.key, outcome());
		else if (problem) outcomes.set(one.key, problem);
	}
	if (stopped) return { group, outcomes, extras: [], notes, stopped };
	const removal = { before, after: last, replyTo: (id: string) => plan.removed.get(id) };
	const extras = [...plan.surplus].map((id): Line => {
		const why = heldBack ?? protectedIds.get(id);
		const outcome = why === undefined ? removalOf(id, removal) : failed(why);
		if (dryRun && why === undefined) {
			return { recipient: id, ...proved('removed', `Would be removed: ${NOT_AMONG}`) };
		}
		return outcome.status === 'failed'
			? { recipient: id, ...failed(`Not removed: ${outcome.reason}`) }
			: { recipient: id, ...proved(outcome.status, `Removed: ${NOT_AMONG}`) };
	});
	const joined = [...(last?.ids ?? [])].filter((id) => !before.ids.has(id) && !wanted.has(id));
	if (joined.length > 0) {
		notes.push(`People who joined the group during the sync stay in it: ${joined.length}.`);
	}
	if (heldBack !== undefined && plan.surplus.size > 0) {
		notes.push(
			`Nobody ${dryRun ? 'would be' : 'was'} removed from the group, because ${heldBack}.`,
		);
	}
	return { group, outcomes, extras, notes };
}

const NOT_AMONG = 'not among the recipients of the input';
