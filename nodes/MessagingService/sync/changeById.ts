import { messageOf } from '../../shared/failure';
import type { SyncRun } from './parameters';
import { holdRemovals, limitRemovals, findStaying, surplusLines, surplusOf } from './removals';
import type { ReasonToStay, SyncPlan, TargetPlan } from './removals';
import { readAgain } from './readAgain';
import { sendInChunks } from './sendInChunks';
import { combinedStatus, isFailedOrUnknown, predictedStatus, statusOf, STATUSES } from './status';
import { addUnlistedAgain, recordUnlisted, removeUnlisted } from './unlisted';
import { countHidden } from './types';
import type { Identities, Members, ReadTarget, RecipientStatus, TargetResult } from './types';

/**
 * Changes targets by ID: in Mirror, and in Add and Remove if items name IDs. A dry run only predicts the changes.
 * Mirror first stops targets that would lose too many people (`limitRemovals`). It adds people to all other targets. Then it
 * removes the people whom no item names, unless it does not know who some recipients are (`holdRemovals`), or they must stay
 * (`findStaying`).
 *
 * @returns the result of each target, in the order of `targets`
 */
export async function changeById(
	run: SyncRun,
	targets: ReadTarget[],
	identities: Identities,
): Promise<TargetResult[]> {
	const plans = targets.map((read) => planFor(read, identities));
	const syncPlan: SyncPlan = { run, plans, identities };
	limitRemovals(syncPlan, notStopped(plans), findStaying(syncPlan, 'beforeAdding'));
	if (!run.dryRun) {
		const step = run.mode === 'remove' ? removeNamed : addMissing;
		await Promise.all(notStopped(plans).map(async (plan) => await step(syncPlan, plan)));
	}
	if (run.mode === 'mirror') holdRemovals(syncPlan, notStopped(plans));
	// A dry run has no read after the additions.
	const staying = findStaying(syncPlan, run.dryRun ? 'beforeAdding' : 'afterAdding');
	if (run.mode === 'mirror' && !run.dryRun) {
		const remove = async (plan: TargetPlan) => await removeSurplus(run, plan, staying);
		await Promise.all(notStopped(plans).map(remove));
	}
	return plans.map((plan) => resultOf(syncPlan, plan, staying));
}

/** Returns the targets that are not stopped. */
export function notStopped<Some extends Pick<ReadTarget, 'stoppedBy'>>(targets: Some[]): Some[] {
	return targets.filter(({ stoppedBy }) => !stoppedBy);
}

/** Creates a missing target: sets its ID, and `before` to its first members. An error stops only this target. */
export async function createMissingTarget({ api, fail }: SyncRun, read: ReadTarget): Promise<void> {
	try {
		read.before = (await api.createTarget?.(read.target)) ?? read.before;
	} catch (error) {
		read.stoppedBy = error instanceof Error ? error : fail(messageOf(error));
	}
}

/** Returns the plan of a target before the first change. */
function planFor(read: ReadTarget, identities: Identities): TargetPlan {
	const { target, before } = read;
	const ids = new Set(target.recipients.flatMap(({ key }) => idsOf(identities, key)));
	const namedIds = identities.unchanged?.has(target) ? before.ids : ids;
	const replies = { added: new Map(), removed: new Map(), unlisted: new Map() };
	return { ...read, ...replies, namedIds, notes: [] };
}

/** Returns the IDs of a recipient. There are none if the service never shows the person. */
function idsOf({ idsByKey }: Identities, key: string): string[] {
	return idsByKey ? (idsByKey.get(key) ?? []) : [key];
}

/** Adds the people whom items name and who are no members yet. Creates a missing target. */
async function addMissing(syncPlan: SyncPlan, plan: TargetPlan): Promise<void> {
	const { run, identities } = syncPlan;
	const { target, namedIds } = plan;
	const isNoMember = (id: string) => !plan.before.ids.has(id);
	if (![...namedIds].some(isNoMember)) return;
	if (target.id === '') {
		await createMissingTarget(run, plan);
		// The service may have put a member into the new target, whom Mirror would then remove.
		if (!plan.stoppedBy) limitRemovals(syncPlan, [plan], findStaying(syncPlan, 'beforeAdding'));
		if (plan.stoppedBy) return;
	}
	const newIds = [...namedIds].filter(isNoMember);
	const recipientOf = new Map(target.recipients.map((one) => [one.key, one]));
	const people = newIds.map((id) => recipientOf.get(id) ?? { key: id, value: id });
	const { replies } = await sendInChunks(run, people, {
		action: 'add',
		targetId: target.id,
		identifyBy: 'id',
		areShownIds: identities.idsByKey !== undefined,
		knownMember: knownMemberOf([plan, ...notStopped(syncPlan.plans)]),
		isTargetEmpty: plan.before.ids.size === 0,
	});
	plan.added = replies;
	plan.afterAdding = await readAgain(run, target.id, ({ ids }) =>
		newIds.every((id) => ids.has(id) || isFailedOrUnknown(replies.get(id))),
	);
	recordUnlisted(plan, identities);
}

/** Returns a member whom an item names, of the first target that has one. */
function knownMemberOf(plans: TargetPlan[]) {
	const known = plans.flatMap(({ target, before }) => {
		const member = target.recipients.find(({ key }) => before.ids.has(key));
		return member ? { targetId: target.id, value: member.value } : [];
	});
	return known[0];
}

/** Removes the members whom no item names from a target, if the last read shows all members, and not only these. */
async function removeSurplus(run: SyncRun, plan: TargetPlan, staying: ReasonToStay): Promise<void> {
	const { word } = run.targetKind;
	const leaving = surplusOf(run, plan).filter((id) => staying(id) === undefined);
	if (plan.noRemovalsBecause !== undefined || leaving.length === 0) return;
	const now = plan.added.size > 0 ? plan.afterAdding : plan.before;
	const present = leaving.filter((id) => now?.ids.has(id));
	if (!now?.complete) {
		plan.noRemovalsBecause = `after the additions, the service showed ${now ? `only ${now.shown} members` : 'no members'} of the ${word}`;
	} else if (now.ids.size === present.length) {
		plan.noRemovalsBecause = `nobody would be left in the ${word}`;
	} else {
		await removePeople(run, plan, present);
		await addUnlistedAgain(run, plan);
	}
}

/** Removes the people whom items name. In a channel, first those whom the list shows. */
async function removeNamed({ run, identities }: SyncPlan, plan: TargetPlan): Promise<void> {
	const { before, namedIds } = plan;
	const { mayBeAlias } = identities;
	const isSent = (id: string) => !mayBeAlias || before.ids.has(id);
	await removePeople(run, plan, [...namedIds].filter(isSent));
	await removeUnlisted(run, plan, (id) => !isSent(id) && (!before.complete || mayBeAlias?.(id)));
}

/** Removes people from a target, and reads the target again. */
async function removePeople(run: SyncRun, plan: TargetPlan, ids: string[]): Promise<void> {
	const targetId = plan.target.id;
	const people = ids.map((id) => ({ key: id, value: id }));
	if (people.length === 0) return;
	const areShownIds = run.mode === 'mirror';
	const options = { action: 'remove', targetId, identifyBy: 'id', areShownIds } as const;
	const { replies } = await sendInChunks(run, people, options);
	plan.removed = replies;
	const isGone = ({ ids: shown }: Members) =>
		people.every(({ key }) => !shown.has(key) || isFailedOrUnknown(replies.get(key)));
	plan.afterRemoving = await readAgain(run, targetId, isGone);
}

/** Returns the result of a target, with notes about people who joined or were not removed. */
function resultOf(syncPlan: SyncPlan, plan: TargetPlan, staying: ReasonToStay): TargetResult {
	const { run, identities } = syncPlan;
	const { target, before, stoppedBy, notes, namedIds, noRemovalsBecause } = plan;
	const statuses = statusesOf(run, plan, identities);
	const surplus = surplusLines(syncPlan, plan, staying);
	const { word } = run.targetKind;
	const last = plan.afterRemoving ?? plan.afterAdding;
	const isNew = (id: string) => !before.ids.has(id) && !namedIds.has(id);
	const joined = run.mode === 'mirror' ? [...(last?.ids ?? [])].filter(isNew) : [];
	if (joined.length > 0) {
		notes.push(`People who joined the ${word} during the sync stay in it: ${joined.length}.`);
	}
	if (!stoppedBy && noRemovalsBecause !== undefined && surplus.length > 0) {
		const nobody = `Nobody ${run.dryRun ? 'would be' : 'was'} removed from the ${word}`;
		notes.push(`${nobody}, because ${noRemovalsBecause}.`);
	}
	const hidden = countHidden(before);
	if (run.mode === 'mirror' && hidden > 0) {
		notes.push(`People whose address the ${word} does not show stay in it: ${hidden}.`);
	}
	return { target, statuses, surplus, notes, stoppedBy };
}

/** Returns the status of each recipient of a target, by key, as far as it is known. */
function statusesOf(run: SyncRun, plan: TargetPlan, identities: Identities) {
	const { target, before, stoppedBy, overLimit, added, removed, unlisted } = plan;
	const action = run.mode === 'remove' ? 'remove' : 'add';
	const after = plan.afterRemoving ?? plan.afterAdding;
	const replies = action === 'add' ? added : removed;
	const ofId = (id: string): RecipientStatus =>
		run.dryRun
			? predictedStatus(id, action, before, identities, overLimit)
			: (unlisted.get(id) ?? statusOf(id, action, { before, after, replies }));
	const statuses = new Map<string, RecipientStatus>();
	// An error stopped this target, and not the limit of removals.
	if (stoppedBy && overLimit === undefined) return statuses;
	for (const { key } of target.recipients) {
		const problem = identities.problems.get(key);
		if (problem) statuses.set(key, problem);
		else if (stoppedBy) continue;
		else if (identities.unchanged?.has(target)) statuses.set(key, STATUSES[action].unchanged);
		else statuses.set(key, combinedStatus(idsOf(identities, key).map(ofId), action, run.dryRun));
	}
	return statuses;
}
