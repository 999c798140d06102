import { messageOf } from '../../shared/failure';
import { cancelableSleep } from '../../shared/transport/retry';
import type { SyncRun } from './parameters';
import { extrasOf, limitRemovals, reasonToHold, surplusOf, type Plan } from './removals';
import { sendAll } from './send';
import { combine, isNotAccepted, neverShown, predictionOf, refused, statusOf } from './status';
import type { Identities, Members, ReadTarget, RecipientStatus, TargetResult } from './types';

const ODD = 'the service does not show clearly whose ID this is; it may belong to a recipient';

/** The plans of all targets. */
type Change = { run: SyncRun; plans: Plan[]; people: Identities };

/**
 * Changes targets by ID: in Mirror, and in Add and Remove if items name IDs. A dry run only predicts the changes.
 * Mirror first adds people to all targets, and then removes the people whom no item names.
 */
export async function changeById(
	run: SyncRun,
	targets: ReadTarget[],
	people: Identities,
): Promise<TargetResult[]> {
	const plans = targets.map((read) => planOf(read, people));
	const change: Change = { run, plans, people };
	if (run.mode === 'mirror') checkRemovals(change);
	if (!run.dryRun) {
		const step = async (plan: Plan) =>
			await (run.mode === 'remove' ? remove(run, plan, plan.wanted) : addMissing(change, plan));
		await Promise.all(openIn(plans).map(step));
		if (run.mode === 'mirror') await removeOthers(change);
	}
	const kept = keptIn(change, !run.dryRun);
	return plans.map((plan) => resultOf(change, plan, kept));
}

/** Returns the targets that are not stopped. */
export function openIn<Some extends Pick<ReadTarget, 'stopped'>>(targets: Some[]): Some[] {
	return targets.filter(({ stopped }) => !stopped);
}

/** Creates a missing target. An error stops only this target. */
export async function createMissing({ api, fail }: SyncRun, missing: ReadTarget): Promise<void> {
	try {
		missing.before = (await api.create?.(missing.target)) ?? missing.before;
	} catch (error) {
		missing.stopped = error instanceof Error ? error : fail(messageOf(error));
	}
}

function planOf(read: ReadTarget, people: Identities): Plan {
	const { target, before } = read;
	const known = target.recipients.filter(({ key }) => !people.problems.has(key));
	const ids = new Set(known.flatMap(({ key }) => idsOf(people, key)));
	const wanted = people.done?.has(target) ? before.ids : ids;
	return { ...read, wanted, notes: [], added: new Map(), removed: new Map() };
}

/** Returns the IDs of a recipient. */
function idsOf(people: Identities, key: string): string[] {
	return people.idsOf ? (people.idsOf.get(key) ?? []) : [key];
}

/** Returns the members whom the last read before the removals shows. */
const shownIn = ({ before, afterAdding }: Plan) => (afterAdding ?? before).ids;

/**
 * Returns the IDs that are removed from no target, and why: they may belong to any recipient, or an item names them for
 * another target that is not changed or does not show them. So a person who moves is always in at least one target.
 *
 * @param isAdded whether the additions are done
 */
function keptIn({ run, plans, people }: Change, isAdded = false): ReadonlyMap<string, string> {
	const { word } = run.container;
	const elsewhere = `an item lists this person for another ${word}, but nothing proves that they are in that other ${word}`;
	const kept = new Map<string, string>();
	for (const plan of plans) {
		const shown = shownIn(plan);
		for (const id of plan.wanted) {
			if (plan.stopped || (isAdded && !shown.has(id))) kept.set(id, elsewhere);
		}
	}
	for (const id of people.odd ?? []) kept.set(id, ODD);
	return kept;
}

/** Finds out before the first change whether nobody may be removed, and stops targets that would lose too many people. */
function checkRemovals(change: Change): void {
	const { run, plans, people } = change;
	limitRemovals(run, openIn(plans), keptIn(change));
	const statuses = new Map(people.problems);
	for (const [key, ids] of people.idsOf ?? [])
		if (ids.length === 0) statuses.set(key, neverShown());
	for (const row of run.rows) {
		// A blank row names nobody.
		if (row.recipient || row.isBlank || row.status !== 'invalid') continue;
		statuses.set(row.given || `item ${row.itemIndex}`, refused(row.reason));
	}
	hold(change, statuses);
}

/** Removes nobody from any target if it is not known who a recipient is. */
function hold({ run, plans }: Change, statuses: ReadonlyMap<string, RecipientStatus>): void {
	const open = openIn(plans);
	const reason = reasonToHold(run, open, statuses);
	if (reason !== undefined) for (const plan of open) plan.heldBack ??= reason;
}

async function addMissing(change: Change, plan: Plan): Promise<void> {
	const { run, people: identities } = change;
	const { target, wanted } = plan;
	const missing = () => [...wanted].filter((id) => !plan.before.ids.has(id));
	if (missing().length === 0) return;
	if (target.id === '') {
		await createMissing(run, plan);
		if (plan.stopped) return;
		limitRemovals(run, [plan], keptIn(change));
		if (plan.stopped) return;
	}
	const written = new Map(target.recipients.map((one) => [one.key, one]));
	const people = missing().map((id) => written.get(id) ?? { key: id, value: id });
	const { replies } = await sendAll(run, people, {
		...{ action: 'add', targetId: target.id, by: 'id', isShown: identities.idsOf !== undefined },
		member: target.recipients.find(({ key }) => plan.before.ids.has(key)),
	});
	plan.added = replies;
	plan.afterAdding = await readAgain(run, target.id, ({ ids }) =>
		missing().every((id) => ids.has(id) || isNotAccepted(replies.get(id))),
	);
}

async function removeOthers(change: Change): Promise<void> {
	const { run, plans, people } = change;
	const { word } = run.container;
	if (!people.idsOf) {
		// If no read shows an ID that an item names, the service may show this person under another one.
		const shown = new Set(plans.flatMap((plan) => [...plan.before.ids, ...shownIn(plan)]));
		const statuses = new Map<string, RecipientStatus>();
		for (const [id, reply] of plans.flatMap(({ added }) => [...added])) {
			if (!shown.has(id)) statuses.set(id, isNotAccepted(reply) ? reply : neverShown());
		}
		hold(change, statuses);
	}
	const kept = keptIn(change, true);
	const removing = openIn(plans).map(async (plan) => {
		const leaving = surplusOf(run, plan).filter((id) => !kept.has(id));
		if (plan.heldBack !== undefined || leaving.length === 0) return;
		const now = plan.added.size > 0 ? plan.afterAdding : plan.before;
		const present = leaving.filter((id) => now?.ids.has(id));
		if (!now?.complete) {
			plan.heldBack = `after the additions, the service showed ${now ? `only ${now.shown} members` : 'no members'} of the ${word}`;
		} else if (run.cancelSignal?.aborted) plan.heldBack = 'the execution was canceled';
		else if (now.ids.size === present.length) {
			plan.heldBack = `nobody would be left in the ${word}`;
		} else await remove(run, plan, present);
	});
	await Promise.all(removing);
}

/** How often a target is read at most until it shows a change, and the wait between two reads. */
const MOST_READS = 3;
const BETWEEN_READS_MS = 1_000;

/**
 * Reads the members of a target until `isExpected` accepts them, at most three times, a second apart: a read may return
 * older data. Returns the last read, or undefined if a read fails.
 */
export async function readAgain(
	{ api, cancelSignal, log }: SyncRun,
	targetId: string,
	isExpected: (members: Members) => boolean,
): Promise<Members | undefined> {
	try {
		for (let reads = 1; ; reads++) {
			const members = await api.read(targetId);
			if (isExpected(members) || reads === MOST_READS || cancelSignal?.aborted) return members;
			await cancelableSleep(BETWEEN_READS_MS, cancelSignal);
		}
	} catch (error) {
		log(`The members could not be read again: ${messageOf(error)}`);
		return undefined;
	}
}

/** Removes people from a target, and reads the target again. */
async function remove(run: SyncRun, plan: Plan, ids: Iterable<string>): Promise<void> {
	const targetId = plan.target.id;
	const people = Array.from(ids, (id) => ({ key: id, value: id }));
	if (people.length === 0) return;
	const isShown = run.mode === 'mirror';
	const { replies } = await sendAll(run, people, { action: 'remove', targetId, by: 'id', isShown });
	plan.removed = replies;
	const isGone = (members: Members) =>
		!people.some(({ key }) => members.ids.has(key) && !isNotAccepted(replies.get(key)));
	plan.afterRemoving = await readAgain(run, targetId, isGone);
}

function resultOf(
	{ run, people }: Change,
	plan: Plan,
	kept: ReadonlyMap<string, string>,
): TargetResult {
	const { target, before, stopped, notes, wanted, heldBack } = plan;
	const statuses = statusesOf(run, plan, people);
	const extras = extrasOf(run, plan, kept);
	const { word } = run.container;
	const last = plan.afterRemoving ?? plan.afterAdding;
	const isNew = (id: string) => !before.ids.has(id) && !wanted.has(id);
	const joined = run.mode === 'mirror' ? [...(last?.ids ?? [])].filter(isNew) : [];
	if (joined.length > 0) {
		notes.push(`People who joined the ${word} during the sync stay in it: ${joined.length}.`);
	}
	if (!stopped && heldBack !== undefined && extras.length > 0) {
		const nobody = `Nobody ${run.dryRun ? 'would be' : 'was'} removed from the ${word}`;
		notes.push(`${nobody}, because ${heldBack}.`);
	}
	return { target, statuses, extras, notes, stopped };
}

/** Returns the status of each recipient of a target, by key, as far as it is known. */
function statusesOf(run: SyncRun, plan: Plan, people: Identities): Map<string, RecipientStatus> {
	const { target, before, stopped, overLimit, added, removed } = plan;
	const action = run.mode === 'remove' ? 'remove' : 'add';
	const after = plan.afterRemoving ?? plan.afterAdding;
	const replies = action === 'add' ? added : removed;
	const ofId = (id: string): RecipientStatus =>
		run.dryRun
			? predictionOf(before.ids.has(id), action, overLimit)
			: statusOf(id, action, { before, after, replies });
	const statuses = new Map<string, RecipientStatus>();
	if (stopped && overLimit === undefined) return statuses;
	for (const { key } of target.recipients) {
		const problem = people.problems.get(key);
		if (problem) statuses.set(key, problem);
		else if (stopped) continue;
		else if (people.done?.has(target)) statuses.set(key, predictionOf(action === 'add', action));
		else statuses.set(key, combine(idsOf(people, key).map(ofId), action, run.dryRun));
	}
	return statuses;
}
