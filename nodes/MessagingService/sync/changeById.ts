import {
	combine,
	failed,
	isRefused,
	predictionOf,
	repliesIn,
	statusOf,
	unverified,
} from './outcomes';
import {
	extrasOf,
	limitRemovals,
	stopIfEmptied,
	wouldBeEmptied,
	type Plan,
	type Protected,
} from './removals';
import { asRecipients } from './chunks';
import { sendAll } from './send';
import type { SyncRun } from './syncRun';
import type {
	Action,
	Identities,
	Members,
	Outcome,
	ReadTarget,
	Recipient,
	Sending,
	Target,
	TargetResult,
} from './types';

const ODD = 'the service does not show clearly whose ID this is; it may belong to a recipient';

/** The steps that are not the same for all containers. */
export type Steps = {
	/** Creates a missing target. Returns its first members. */
	create?: (target: Target) => Promise<Members>;
	/** How people are added. */
	adding: (plan: Plan) => Omit<Sending, 'action' | 'targetId' | 'by'>;
	/** Returns why nobody may be removed, or undefined if removals are allowed or nobody would be removed. */
	reasonToRemoveNobody: (plans: Plan[], safe: Protected) => Promise<string | undefined>;
	/** Returns why nobody may be removed, given what the additions have shown. */
	reasonAfterAdding: (plans: Plan[]) => string | undefined;
};

/**
 * Changes targets by ID: in Mirror, and in Add and Remove if items name IDs. A dry run only predicts the changes.
 * Mirror first adds people to all targets, and then removes the people whom no item names. Returns the result of each
 * target.
 */
export async function changeById(
	run: SyncRun,
	targets: ReadTarget[],
	people: Identities,
	steps: Steps,
) {
	const { word } = run.container;
	const elsewhere = `an item lists this person for another ${word}, but nothing proves that they are in that other ${word}`;
	const plans = targets.map((read) => planOf(run, read, people));
	const open = () => plans.filter(({ stopped }) => !stopped);
	/** IDs that are not removed from any target, and the reason. */
	const protectedIds = new Map<string, string>();
	if (run.mode === 'mirror') {
		protect(people.odd, ODD);
		protectStopped();
		for (const plan of open()) stopIfEmptied(run, plan, people.problems);
		limitRemovals(run, open(), protectedIds);
		protectStopped();
		holdAll(await steps.reasonToRemoveNobody(open(), protectedIds));
	}
	if (!run.dryRun) {
		if (run.mode === 'remove') await each(async (plan) => await remove(run, plan, plan.wanted));
		else await each(addMissing);
		if (run.mode === 'mirror') await removeOthers();
	}
	return plans.map((plan) => resultOf(run, plan, people, protectedIds));

	function holdAll(reason: string | undefined): void {
		if (reason !== undefined) for (const plan of open()) plan.heldBack ??= reason;
	}

	function protect(ids: Iterable<string>, why: string): void {
		for (const id of ids) if (!protectedIds.has(id)) protectedIds.set(id, why);
	}

	function protectStopped(): void {
		for (const { stopped, wanted } of plans) if (stopped) protect(wanted, elsewhere);
	}

	/** Runs a step for all open targets at once. An error stops only the target in which it occurs. */
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
		if (plan.target.id === '' && steps.create) {
			plan.before = await steps.create(plan.target);
			plan.surplus = surplusOf(run, plan);
			limitRemovals(run, [plan], protectedIds);
			if (plan.stopped) return;
		}
		const targetId = plan.target.id;
		const sending = { ...steps.adding(plan), action: 'add', targetId, by: 'id' } as const;
		const people = asRecipients(missing(), plan.target.recipients);
		plan.added = repliesIn(await sendAll(run, people, sending), 'add');
		plan.afterAdding = await run.api.readAgain(targetId, ({ ids }) =>
			missing().every((id) => ids.has(id) || isRefused(plan.added.get(id))),
		);
	}

	async function removeOthers(): Promise<void> {
		holdAll(steps.reasonAfterAdding(plans));
		const leavingFrom = ({ surplus, heldBack }: Plan) =>
			heldBack === undefined ? [...surplus].filter((id) => !protectedIds.has(id)) : [];
		// If the new target of a person does not show the person, the person stays in all other targets.
		// So a person who moves is always in at least one target.
		for (const { wanted, before, afterAdding } of open()) {
			const shown = (afterAdding ?? before).ids;
			protect(
				[...wanted].filter((id) => !shown.has(id)),
				elsewhere,
			);
		}
		protectStopped();
		await each(async (plan) => {
			const now = plan.added.size > 0 ? plan.afterAdding : plan.before;
			const leaving = leavingFrom(plan).filter((id) => now?.ids.has(id));
			if (leavingFrom(plan).length === 0) return;
			if (!now?.complete) {
				plan.heldBack = `after the additions, the service showed ${now ? `only ${now.shown} members` : 'no members'} of the ${word}`;
			} else if (run.cancelSignal?.aborted) plan.heldBack = 'the execution was canceled';
			else if (now.ids.size === leaving.length) {
				const replies = [...plan.added.values()];
				if (replies.every(isRefused)) throw wouldBeEmptied(run, replies);
				plan.heldBack = `nobody would be left in the ${word}`;
			}
			if (plan.heldBack === undefined) await remove(run, plan, leaving);
		});
	}
}

/** Removes people from a target, and reads the target again. */
async function remove(run: SyncRun, plan: Plan, ids: Iterable<string>): Promise<void> {
	const targetId = plan.target.id;
	const people = asRecipients(ids);
	if (people.length === 0) return;
	const isShown = run.mode === 'mirror';
	const sent = await sendAll(run, people, { action: 'remove', targetId, by: 'id', isShown });
	plan.removed = repliesIn(sent, 'remove');
	const isGone = (members: Members) =>
		!people.some(({ key }) => members.ids.has(key) && !isRefused(plan.removed.get(key)));
	plan.afterRemoving = await run.api.readAgain(targetId, isGone);
}

function planOf(run: SyncRun, read: ReadTarget, people: Identities): Plan {
	const { target, before } = read;
	const { problems, done } = people;
	const idsIn = ({ key }: Recipient) => (problems.has(key) ? [] : idsOf(run, people, key));
	const wanted = done.has(target) ? before.ids : new Set(target.recipients.flatMap(idsIn));
	const surplus = surplusOf(run, { before, wanted });
	const isUnread = read.stopped !== undefined;
	return { ...read, isUnread, wanted, surplus, notes: [], added: new Map(), removed: new Map() };
}

/** Returns the IDs of a recipient. If recipients are identified by ID, the key is the ID. */
function idsOf({ identifyBy }: SyncRun, people: Identities, key: string): string[] {
	return identifyBy === 'id' ? [key] : (people.idsOf.get(key) ?? []);
}

/** Returns the IDs of the members whom Mirror removes, because no item names them. In all other modes, returns no IDs. */
function surplusOf({ mode }: SyncRun, { before, wanted }: Pick<Plan, 'before' | 'wanted'>) {
	const isLeaving = (id: string) => mode === 'mirror' && !wanted.has(id);
	return new Set([...before.ids].filter(isLeaving));
}

function resultOf(run: SyncRun, plan: Plan, people: Identities, safe: Protected): TargetResult {
	const { target, before, stopped, notes, wanted, heldBack } = plan;
	const outcomes = outcomesOf(run, plan, people);
	const extras = extrasOf(run, plan, safe);
	if (stopped) return { target, outcomes, extras, notes, stopped };
	const { word } = run.container;
	const last = plan.afterRemoving ?? plan.afterAdding;
	const isNew = (id: string) => !before.ids.has(id) && !wanted.has(id);
	const joined = run.mode === 'mirror' ? [...(last?.ids ?? [])].filter(isNew) : [];
	if (joined.length > 0) {
		notes.push(`People who joined the ${word} during the sync stay in it: ${joined.length}.`);
	}
	if (heldBack !== undefined && plan.surplus.size > 0) {
		notes.push(
			`Nobody ${run.dryRun ? 'would be' : 'was'} removed from the ${word}, because ${heldBack}.`,
		);
	}
	return { target, outcomes, extras, notes };
}

/** Returns the outcome of each recipient of a target, by key, as far as it is known. */
function outcomesOf(run: SyncRun, plan: Plan, people: Identities): Map<string, Outcome> {
	const { target, before, stopped, isUnread, limit, added, removed } = plan;
	const { dryRun } = run;
	const action: Action = run.mode === 'remove' ? 'remove' : 'add';
	const after = plan.afterRemoving ?? plan.afterAdding;
	const evidence = { before, after, replies: action === 'add' ? added : removed };
	// If somebody left whom no item names, the service may know their ID in another form.
	const isOtherGone =
		action === 'remove' &&
		[...before.ids].some((id) => after?.ids.has(id) === false && !plan.wanted.has(id));
	const ofId = (id: string): Outcome => {
		if (!dryRun) {
			const outcome = statusOf(id, action, evidence);
			return isOtherGone && outcome.status === 'notMember' ? unverified(action) : outcome;
		}
		const outcome = predictionOf(before.ids.has(id), action);
		return limit !== undefined && outcome.status === 'added'
			? failed(`Would not be added: ${limit}`)
			: outcome;
	};
	const outcomes = new Map<string, Outcome>();
	for (const { key } of isUnread ? [] : target.recipients) {
		const reply = stopped && evidence.replies.get(key);
		const problem = people.problems.get(key) ?? (isRefused(reply) ? reply : undefined);
		if (problem) outcomes.set(key, problem);
		else if (stopped) continue;
		else if (people.done.has(target)) outcomes.set(key, predictionOf(action === 'add', action));
		else outcomes.set(key, combine(idsOf(run, people, key).map(ofId), action, dryRun));
	}
	return outcomes;
}
