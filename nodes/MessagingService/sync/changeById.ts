import { messageOf } from '../../shared/failure';
import { readAgain } from './calls';
import type { SyncRun } from './parameters';
import {
	countRemovals,
	extrasOf,
	limitRemovals,
	reasonToHold,
	reasonToHoldAfterAdding,
	stopIfEmptied,
	surplusOf,
	wouldBeEmptied,
	type Plan,
} from './removals';
import { asRecipients } from './rows';
import { sendAll } from './send';
import { combine, failedStatus, isRefused, predictionOf, statusOf, unverified } from './status';
import type {
	Action,
	Identities,
	Members,
	ReadTarget,
	Recipient,
	RecipientStatus,
	Target,
	TargetResult,
} from './types';

const ODD = 'the service does not show clearly whose ID this is; it may belong to a recipient';

/** The steps that only groups have. */
type GroupSteps = {
	/** Creates a missing target. Returns its first members. */
	create?: (target: Target) => Promise<Members>;
	/** Finds out whether the unknown recipients are really unknown. Returns why nobody may be removed, if they may not be. */
	checkUnknown?: () => Promise<string | undefined>;
};

/** The plans of all targets. */
type Change = {
	run: SyncRun;
	plans: Plan[];
	people: Identities;
	steps: GroupSteps;
	/** IDs that are not removed from any target, and the reason. */
	protectedIds: Map<string, string>;
};

/**
 * Changes targets by ID: in Mirror, and in Add and Remove if items name IDs. A dry run only predicts the changes.
 * Mirror first adds people to all targets, and then removes the people whom no item names.
 */
export async function changeById(
	run: SyncRun,
	targets: ReadTarget[],
	people: Identities,
	steps: GroupSteps = {},
): Promise<TargetResult[]> {
	const plans = targets.map((read) => planOf(read, people));
	const change: Change = { run, plans, people, steps, protectedIds: new Map() };
	if (run.mode === 'mirror') await checkRemovals(change);
	if (!run.dryRun) {
		await eachOpen(run, plans, async (plan) => {
			if (run.mode === 'remove') await remove(run, plan, plan.wanted);
			else await addMissing(change, plan);
		});
		if (run.mode === 'mirror') await removeOthers(change);
	}
	return plans.map((plan) => resultOf(change, plan));
}

/** Runs a step for all targets at once that are not stopped. An error stops only the target in which it occurs. */
export async function eachOpen<Open extends { stopped?: Error | undefined }>(
	{ fail }: SyncRun,
	targets: Open[],
	step: (target: Open) => Promise<void>,
): Promise<void> {
	await Promise.all(
		openIn(targets).map(async (target) => {
			try {
				await step(target);
			} catch (error) {
				target.stopped = error instanceof Error ? error : fail(messageOf(error));
			}
		}),
	);
}

function openIn<Open extends { stopped?: Error | undefined }>(targets: Open[]): Open[] {
	return targets.filter(({ stopped }) => !stopped);
}

/** Finds out before the first change who must not be removed, and stops targets that would lose too many people. */
async function checkRemovals(change: Change): Promise<void> {
	const { run, plans, people, steps, protectedIds } = change;
	protect(change, people.odd ?? [], ODD);
	protectStopped(change);
	for (const plan of openIn(plans)) stopIfEmptied(run, plan, people.problems);
	limitRemovals(run, openIn(plans), protectedIds);
	protectStopped(change);
	const open = openIn(plans);
	if (!open.some((plan) => countRemovals(run, plan, protectedIds) > 0)) return;
	hold(change, reasonToHold(run, open, people) ?? (await steps.checkUnknown?.()));
}

function hold({ plans }: Change, reason: string | undefined): void {
	if (reason !== undefined) for (const plan of openIn(plans)) plan.heldBack ??= reason;
}

function protect({ protectedIds }: Change, ids: Iterable<string>, why: string): void {
	for (const id of ids) if (!protectedIds.has(id)) protectedIds.set(id, why);
}

function protectStopped(change: Change): void {
	for (const { stopped, wanted } of change.plans) if (stopped) protectElsewhere(change, wanted);
}

/** Keeps people in all targets who may not be in the target for which an item lists them. */
function protectElsewhere(change: Change, ids: Iterable<string>): void {
	const { word } = change.run.container;
	const why = `an item lists this person for another ${word}, but nothing proves that they are in that other ${word}`;
	protect(change, ids, why);
}

async function addMissing({ run, people, steps, protectedIds }: Change, plan: Plan): Promise<void> {
	const { target, wanted } = plan;
	const missing = () => [...wanted].filter((id) => !plan.before.ids.has(id));
	if (missing().length === 0) return;
	if (target.id === '' && steps.create) {
		plan.before = await steps.create(target);
		limitRemovals(run, [plan], protectedIds);
		if (plan.stopped) return;
	}
	const { replies } = await sendAll(run, asRecipients(missing(), target.recipients), {
		...{ action: 'add', targetId: target.id, by: 'id', isShown: people.idsOf !== undefined },
		member: target.recipients.find(({ key }) => plan.before.ids.has(key)),
	});
	plan.added = replies;
	plan.afterAdding = await readAgain(run, target.id, ({ ids }) =>
		missing().every((id) => ids.has(id) || isRefused(replies.get(id))),
	);
}

async function removeOthers(change: Change): Promise<void> {
	const { run, plans, people, protectedIds } = change;
	const { word } = run.container;
	if (!people.idsOf) hold(change, reasonToHoldAfterAdding(run, plans));
	// If the new target of a person does not show the person, the person stays in all other targets. So a person who moves
	// is always in at least one target.
	for (const { wanted, before, afterAdding } of openIn(plans)) {
		const shown = (afterAdding ?? before).ids;
		const hidden = [...wanted].filter((id) => !shown.has(id));
		protectElsewhere(change, hidden);
	}
	protectStopped(change);
	await eachOpen(run, plans, async (plan) => {
		const leaving = surplusOf(run, plan).filter((id) => !protectedIds.has(id));
		if (plan.heldBack !== undefined || leaving.length === 0) return;
		const now = plan.added.size > 0 ? plan.afterAdding : plan.before;
		const present = leaving.filter((id) => now?.ids.has(id));
		if (!now?.complete) {
			plan.heldBack = `after the additions, the service showed ${now ? `only ${now.shown} members` : 'no members'} of the ${word}`;
		} else if (run.cancelSignal?.aborted) plan.heldBack = 'the execution was canceled';
		else if (now.ids.size === present.length) {
			const replies = [...plan.added.values()];
			if (replies.every(isRefused)) throw wouldBeEmptied(run, replies);
			plan.heldBack = `nobody would be left in the ${word}`;
		} else await remove(run, plan, present);
	});
}

/** Removes people from a target, and reads the target again. */
async function remove(run: SyncRun, plan: Plan, ids: Iterable<string>): Promise<void> {
	const targetId = plan.target.id;
	const people = asRecipients(ids);
	if (people.length === 0) return;
	const isShown = run.mode === 'mirror';
	const sending = { action: 'remove', targetId, by: 'id', isShown } as const;
	const { replies } = await sendAll(run, people, sending);
	plan.removed = replies;
	const isGone = (members: Members) =>
		!people.some(({ key }) => members.ids.has(key) && !isRefused(replies.get(key)));
	plan.afterRemoving = await readAgain(run, targetId, isGone);
}

function planOf(read: ReadTarget, people: Identities): Plan {
	const { target, before } = read;
	const idsIn = ({ key }: Recipient) => (people.problems.has(key) ? [] : idsOf(people, key));
	const wanted = people.done?.has(target) ? before.ids : new Set(target.recipients.flatMap(idsIn));
	const isUnread = read.stopped !== undefined;
	return { ...read, isUnread, wanted, notes: [], added: new Map(), removed: new Map() };
}

/** Returns the IDs of a recipient. */
function idsOf(people: Identities, key: string): string[] {
	return people.idsOf ? (people.idsOf.get(key) ?? []) : [key];
}

function resultOf(change: Change, plan: Plan): TargetResult {
	const { run, people, protectedIds } = change;
	const { target, before, stopped, notes, wanted, heldBack } = plan;
	const statuses = statusesOf(run, plan, people);
	const extras = extrasOf(run, plan, protectedIds);
	if (stopped) return { target, statuses, extras, notes, stopped };
	const { word } = run.container;
	const last = plan.afterRemoving ?? plan.afterAdding;
	const isNew = (id: string) => !before.ids.has(id) && !wanted.has(id);
	const joined = run.mode === 'mirror' ? [...(last?.ids ?? [])].filter(isNew) : [];
	if (joined.length > 0) {
		notes.push(`People who joined the ${word} during the sync stay in it: ${joined.length}.`);
	}
	if (heldBack !== undefined && surplusOf(run, plan).length > 0) {
		notes.push(
			`Nobody ${run.dryRun ? 'would be' : 'was'} removed from the ${word}, because ${heldBack}.`,
		);
	}
	return { target, statuses, extras, notes };
}

/** Returns the status of each recipient of a target, by key, as far as it is known. */
function statusesOf(run: SyncRun, plan: Plan, people: Identities): Map<string, RecipientStatus> {
	const { target, before, stopped, isUnread, overLimit, added, removed } = plan;
	const action: Action = run.mode === 'remove' ? 'remove' : 'add';
	const after = plan.afterRemoving ?? plan.afterAdding;
	const replies = action === 'add' ? added : removed;
	// If somebody left whom no item names, the service may know their ID in another form.
	const isOtherGone =
		action === 'remove' &&
		[...before.ids].some((id) => after?.ids.has(id) === false && !plan.wanted.has(id));
	const ofId = (id: string): RecipientStatus => {
		if (!run.dryRun) {
			const outcome = statusOf(id, action, { before, after, replies });
			return isOtherGone && outcome.status === 'notMember' ? unverified(action) : outcome;
		}
		const outcome = predictionOf(before.ids.has(id), action);
		return overLimit !== undefined && outcome.status === 'added'
			? failedStatus(`Would not be added: ${overLimit}`)
			: outcome;
	};
	const statuses = new Map<string, RecipientStatus>();
	for (const { key } of isUnread ? [] : target.recipients) {
		const reply = stopped && replies.get(key);
		const problem = people.problems.get(key) ?? (isRefused(reply) ? reply : undefined);
		if (problem) statuses.set(key, problem);
		else if (stopped) continue;
		else if (people.done?.has(target)) statuses.set(key, predictionOf(action === 'add', action));
		else statuses.set(key, combine(idsOf(people, key).map(ofId), action, run.dryRun));
	}
	return statuses;
}
