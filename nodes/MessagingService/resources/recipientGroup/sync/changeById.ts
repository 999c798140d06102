import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import type { Identities, ReadGroup } from './identify';
import { combine, failed, isRefused, predictionOf, proved, repliesIn, statusOf } from './outcomes';
import type { Action, GroupResult, Line, Members, Outcome, Recipient, SyncGroup } from './outcomes';
import { limitRemovals, reasonToRemoveNobody, stopIfEmptied, wouldBeEmptied } from './removals';
import type { Plan, Protected } from './removals';
import { asRecipients, sendAll } from './send';
import type { SyncRun } from './syncRun';

const PROTECTED =
	'an item lists this person for another group, but nothing proves that they are in that other group';
const ODD = 'the service does not show clearly whose ID this is; it may belong to a recipient';
const NOT_AMONG = 'not among the recipients of the input';

/**
 * Changes groups by ID: in Mirror, and in Add and Remove if items name IDs. A dry run only predicts the changes.
 * Mirror first adds people to all groups, and then removes the people whom no item names. Returns the result of each
 * group.
 */
export async function changeById(run: SyncRun, groups: ReadGroup[], people: Identities) {
	const plans = groups.map((read) => planOf(run, read, people));
	const open = () => plans.filter(({ stopped }) => !stopped);
	/** IDs that are not removed from any group, and the reason. */
	const protectedIds = new Map<string, string>();
	if (run.mode === 'mirror') {
		protect(people.odd, ODD);
		protectStopped();
		for (const plan of open()) stopIfEmptied(run, plan, protectedIds);
		limitRemovals(run, open(), protectedIds);
		protectStopped();
		const reason = await reasonToRemoveNobody(run, open(), people, protectedIds);
		if (reason !== undefined) for (const plan of open()) plan.heldBack = reason;
	}
	if (!run.dryRun) {
		if (run.mode === 'remove') await each(async (plan) => await remove(run, plan, plan.wanted));
		else await each(addMissing);
		if (run.mode === 'mirror') await removeOthers();
	}
	return plans.map((plan) => resultOf(run, plan, people, protectedIds));

	function protect(ids: Iterable<string>, why: string): void {
		for (const id of ids) if (!protectedIds.has(id)) protectedIds.set(id, why);
	}

	function protectStopped(): void {
		for (const { stopped, wanted } of plans) if (stopped) protect(wanted, PROTECTED);
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
			plan.surplus = surplusOf(run, plan);
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

	async function removeOthers(): Promise<void> {
		const leavingFrom = ({ surplus, heldBack }: Plan) =>
			heldBack === undefined ? [...surplus].filter((id) => !protectedIds.has(id)) : [];
		protectStopped();
		await each(async (plan) => {
			if (leavingFrom(plan).length === 0) return;
			plan.afterAdding ??= await run.api.readAgain(plan.group.groupId, () => true);
		});
		// If the new group of a person does not show the person, the person stays in all other groups.
		// So a person who moves is always in at least one group.
		for (const { wanted, before, afterAdding } of open()) {
			const shown = (afterAdding ?? before).ids;
			protect(
				[...wanted].filter((id) => !shown.has(id)),
				PROTECTED,
			);
		}
		protectStopped();
		await each(async (plan) => {
			const now = plan.afterAdding;
			const leaving = leavingFrom(plan).filter((id) => now?.ids.has(id));
			if (leavingFrom(plan).length === 0) return;
			if (!now?.complete) {
				plan.heldBack = `after the additions, the service showed ${now ? `only ${now.shown} members` : 'no members'} of the group`;
			} else if (run.cancelSignal?.aborted) plan.heldBack = 'the execution was canceled';
			else if (now.ids.size === leaving.length) {
				if ([...plan.added.values()].every(isRefused)) throw wouldBeEmptied(run);
				plan.heldBack = 'nobody would be left in the group';
			}
			if (plan.heldBack === undefined) await remove(run, plan, leaving);
		});
	}
}

/** Removes people from a group, and reads the group again. */
async function remove(run: SyncRun, plan: Plan, ids: Iterable<string>): Promise<void> {
	const { groupId } = plan.group;
	const people = asRecipients(ids);
	if (people.length === 0) return;
	const isShown = run.mode === 'mirror';
	const sent = await sendAll(run, people, { action: 'remove', groupId, by: 'id', isShown });
	plan.removed = repliesIn(sent, 'remove');
	const isGone = (members: Members) =>
		!people.some(({ key }) => members.ids.has(key) && !isRefused(plan.removed.get(key)));
	plan.afterRemoving = await run.api.readAgain(groupId, isGone);
}

function planOf(run: SyncRun, read: ReadGroup, people: Identities): Plan {
	const { group, before } = read;
	const { problems, done } = people;
	const idsIn = ({ key }: Recipient) => (problems.has(key) ? [] : idsOf(run, people, key));
	const wanted = done.has(group) ? before.ids : new Set(group.recipients.flatMap(idsIn));
	const surplus = surplusOf(run, { before, wanted });
	const isUnread = read.stopped !== undefined;
	return { ...read, isUnread, wanted, surplus, notes: [], added: new Map(), removed: new Map() };
}

/** Returns the IDs of a recipient. If recipients are identified by ID, the key is the ID. */
function idsOf({ identifyBy }: SyncRun, people: Identities, key: string): string[] {
	return identifyBy === 'id' ? [key] : (people.idsOf.get(key) ?? []);
}

/**
 * Creates a missing group and reads it, because the service may add a member to each new group. If the outcome of the
 * creation is unknown, the creation is not repeated.
 *
 * @returns the first members of the group
 * @throws if the group cannot be created or read
 */
export async function createGroup(run: SyncRun, group: SyncGroup): Promise<Members> {
	const { groupId } = await run.api.create(group.groupName ?? '', true).catch((error: unknown) => {
		throw isOutcomeUnknown(error) ? run.fail(failed(messageOf(error), true).reason) : error;
	});
	group.groupId = groupId;
	const members = await run.api.read(groupId);
	if (members.exclusive) run.temporary.exclusive = group.groupName;
	return members;
}

/** Returns the IDs of the members whom Mirror removes, because no item names them. In all other modes, returns no IDs. */
function surplusOf({ mode }: SyncRun, { before, wanted }: Pick<Plan, 'before' | 'wanted'>) {
	const isLeaving = (id: string) => mode === 'mirror' && !wanted.has(id);
	return new Set([...before.ids].filter(isLeaving));
}

function resultOf(run: SyncRun, plan: Plan, people: Identities, safe: Protected): GroupResult {
	const { group, before, stopped, isUnread, notes, wanted, heldBack, added, removed } = plan;
	const { dryRun } = run;
	const action: Action = run.mode === 'remove' ? 'remove' : 'add';
	const last = plan.afterRemoving ?? plan.afterAdding;
	const adding = { before, after: last, replies: added };
	const removing = {
		before,
		after: removed.size > 0 ? plan.afterRemoving : last,
		replies: removed,
	};
	const evidence = action === 'add' ? adding : removing;
	const outcomes = new Map<string, Outcome>();
	for (const { key } of isUnread ? [] : group.recipients) {
		const reply = stopped && evidence.replies.get(key);
		const problem = people.problems.get(key) ?? (isRefused(reply) ? reply : undefined);
		const ofId = (id: string) =>
			dryRun ? predictionOf(before.ids.has(id), action) : statusOf(id, action, evidence);
		if (problem) outcomes.set(key, problem);
		else if (stopped) continue;
		else if (people.done.has(group)) outcomes.set(key, predictionOf(action === 'add', action));
		else outcomes.set(key, combine(idsOf(run, people, key).map(ofId), action, dryRun));
	}
	if (stopped) return { group, outcomes, extras: [], notes, stopped };
	const extras = [...plan.surplus].map((id): Line => {
		const why = heldBack ?? safe.get(id);
		if (dryRun && why === undefined) {
			return { recipient: id, ...proved('removed', `Would be removed: ${NOT_AMONG}`) };
		}
		const { status, reason } = why === undefined ? statusOf(id, 'remove', removing) : failed(why);
		return status === 'failed'
			? { recipient: id, ...failed(`Not removed: ${reason}`) }
			: { recipient: id, ...proved(status, `Removed: ${NOT_AMONG}`) };
	});
	const isNew = (id: string) => !before.ids.has(id) && !wanted.has(id);
	const joined = run.mode === 'mirror' ? [...(last?.ids ?? [])].filter(isNew) : [];
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
