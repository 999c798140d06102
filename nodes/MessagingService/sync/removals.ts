import { nameSome } from '../../shared/truncate';
import { normalizeName } from '../../shared/values';
import { failedStatus, isFailedOrUnknown, neverShownStatus, statusOf, STATUSES } from './status';
import type { SyncRun } from './parameters';
import type { Identities, Members, ReadTarget, RecipientStatus, Statuses } from './types';

/** The plan for a target that is changed by ID: whom items name, and what each step has shown. */
export type TargetPlan = ReadTarget & {
	/** The IDs of the target's recipients, as far as they are known. If it needs no change, the IDs of its members. */
	namedIds: Set<string>;
	notes: string[];
	/** The replies to the additions and to the removals, by ID. */
	added: Statuses;
	removed: Statuses;
	/** The last read after the additions, and the last read after the removals. */
	afterAdding?: Members | undefined;
	afterRemoving?: Members | undefined;
	/** The statuses of unlisted recipients, by key (unlisted.ts). */
	unlisted: Map<string, RecipientStatus>;
	/** Members whom Mirror removed, and who came back because an item names them under another address. */
	cameBack?: ReadonlySet<string>;
	/** Why nobody is removed from this target, although it is changed. */
	noRemovalsBecause?: string;
	/** Why this target would lose too many members. It is not changed. In a dry run, it would not be changed. */
	overLimit?: string;
};

/** The plans of all targets. */
export type SyncPlan = { run: SyncRun; plans: TargetPlan[]; identities: Identities };

/** The stage of a sync at which somebody may have to stay. */
type Stage = 'beforeAdding' | 'afterAdding';

/** Returns why an ID stays in all targets, or undefined if it may be removed. */
export type ReasonToStay = (id: string) => string | undefined;

/** Returns the IDs that are not in `others`. The service may show an ID in another case than an item. */
function idsNotIn(ids: Iterable<string>, others: ReadonlySet<string>): string[] {
	const unequal = [...ids].filter((id) => !others.has(id));
	// Usually, the faster exact comparison leaves nobody.
	if (unequal.length === 0) return [];
	const othersInAnyCase = new Set(Array.from(others, normalizeName));
	return unequal.filter((id) => !othersInAnyCase.has(normalizeName(id)));
}

/**
 * Returns the members whom no item names, and whom Mirror therefore removes unless they must stay (`findStaying`). In all
 * other modes, returns nobody.
 */
export function surplusOf({ mode }: SyncRun, { before, namedIds }: TargetPlan): string[] {
	return mode === 'mirror' ? idsNotIn(before.ids, namedIds) : [];
}

/**
 * Stops targets that Mirror would empty, because the service shows none of their recipients, or that would lose more people
 * than the limit. If all targets together are over the limit, stops each target that would lose somebody. In a dry run, a
 * note says this instead. In the modes Add and Remove, stops nothing.
 */
export function limitRemovals(sync: SyncPlan, plans: TargetPlan[], staying: ReasonToStay): void {
	const { run, identities } = sync;
	if (run.mode !== 'mirror') return;
	const { word } = run.targetKind;
	const stop = (plan: TargetPlan, reason: string, advice: string) => {
		plan.overLimit = reason;
		const what = plans.length > 1 ? `not change this ${word}` : 'stop here and change nothing';
		if (!run.dryRun) plan.stoppedBy = run.fail(reason, advice);
		else plan.notes.push(`${reason}. Without Dry Run, Mirror would ${what}.`);
	};
	const adviceIfEmptied = `Mirror would empty the ${word}, so nobody was removed. Check the source of the input items and the Recipient parameter.`;
	const isEmptied = (plan: TargetPlan) => plan.before.ids.size > 0 && plan.namedIds.size === 0;
	for (const plan of plans.filter(isEmptied)) {
		const problems = plan.target.recipients.map(({ key }) => identities.problems.get(key));
		// A failed look-up says nothing about the recipients.
		plan.stoppedBy = problems.find((problem) => problem?.error)?.error;
		if (!plan.stoppedBy) stop(plan, 'The service shows none of the recipients', adviceIfEmptied);
	}
	// A target that would be emptied is stopped in any case, so it does not count in the totals.
	const others = plans.filter((plan) => !isEmptied(plan));
	const counts = others.map((plan) => {
		const { ids, accounts } = plan.before;
		const leaving = surplusOf(run, plan).filter((id) => staying(id) === undefined);
		const removals = countPeople(leaving, accounts);
		// In a channel, members without an address are only in `accounts`.
		return { plan, removals, size: countPeople(accounts?.keys() ?? ids, accounts) };
	});
	const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
	const totalRemovals = sum(counts.map(({ removals }) => removals));
	const totalSize = sum(counts.map(({ size }) => size));
	const totalExcess = describeExcess(run, totalRemovals, totalSize, `all ${word}s together`);
	const adviceIfTooMany = `Nothing was changed in this ${word}. If these removals are intended, raise Maximum Removal (%). Otherwise, check the source of the input items.`;
	for (const { plan, removals, size } of counts) {
		const excess = describeExcess(run, removals, size, `the ${word}`);
		const tooMany = excess ?? (removals > 0 ? totalExcess : undefined);
		if (tooMany !== undefined) stop(plan, tooMany, adviceIfTooMany);
	}
}

/** Returns how many people some members are. In a channel, several people may have one address. */
function countPeople(ids: Iterable<string>, accounts: Members['accounts']): number {
	let count = 0;
	for (const id of ids) count += accounts?.get(id)?.length ?? 1;
	return count;
}

/** Returns a sentence if the removals exceed the limit, else undefined. One removal is allowed, unless the limit is 0. */
function describeExcess(run: SyncRun, removals: number, size: number, where: string) {
	const limit = run.maxRemovalPercent;
	if (removals * 100 <= limit * size || (removals === 1 && limit > 0)) return undefined;
	// The percentage is rounded up, so that the shown percentage never equals the limit.
	const percent = Math.ceil((removals * 1000) / size) / 10;
	return `Mirror would remove ${removals} of the ${size} people in ${where} (${percent} %), more than the ${limit} % allowed`;
}

const CORRECT_OR_LIFT =
	'. Correct these items. Otherwise, only Remove Despite Invalid allows removals';

/**
 * Forbids removals from targets as long as it is not known who an item's person is: any member may be this person. In a
 * channel, a recipient whom the service refuses, or whom no read shows, forbids only the removals from this channel.
 */
export function holdRemovals({ run, identities, plans }: SyncPlan, open: TargetPlan[]): void {
	const { mayBeAlias } = identities;
	const unshown = [...unshownAmong(plans, identities)];
	const isForAll = ({ isAboutRecipient }: RecipientStatus) => !mayBeAlias || !isAboutRecipient;
	const forAll = [
		...unclearRecipients(run, identities),
		...unshown.filter(([, status]) => isForAll(status)),
	];
	for (const plan of open) {
		const own = mayBeAlias ? unshownAmong([plan], identities) : [];
		holdRemovalsFrom(plan, run, new Map([...forAll, ...own]));
	}
}

/**
 * If some statuses are `failed`, forbids removals from a target. Remove Despite Invalid lifts this if all failures are about
 * recipients. A target that may lose somebody then gets a note.
 *
 * @param statuses of recipients, by the text that names each of them: key, value or ID
 */
function holdRemovalsFrom(plan: TargetPlan, run: SyncRun, statuses: Statuses): void {
	const failed = [...statuses].filter(([, { status }]) => status === 'failed');
	const byRequest = failed.filter(([, { isAboutRecipient }]) => !isAboutRecipient);
	const shown = byRequest.length > 0 ? byRequest : failed;
	const [first] = shown;
	if (!first) return;
	const unclear = `some items match no person (${shown.length}: ${nameSome(shown.map(([key]) => key))})`;
	const advice = byRequest.length > 0 ? '' : CORRECT_OR_LIFT;
	const reason = `${unclear}. First reason: ${first[1].reason}${advice}`;
	const note = `Remove Despite Invalid allows removals although ${unclear}.`;
	if (byRequest.length > 0 || !run.removeDespiteInvalid) plan.noRemovalsBecause = reason;
	else if (surplusOf(run, plan).length > 0) plan.notes.push(note);
}

/**
 * Returns the statuses of recipients and items whose person is not known, by key or value: the service refuses them, a
 * look-up fails, the service never shows them, or their value is invalid. All but the unknown ones are `failed`.
 */
function unclearRecipients({ rows }: SyncRun, { problems, idsByKey }: Identities): Statuses {
	const statuses = new Map(problems);
	for (const [key, ids] of idsByKey ?? [])
		if (ids.length === 0) statuses.set(key, neverShownStatus());
	for (const row of rows) {
		// A blank row names nobody.
		if (row.recipient || row.isBlank || row.status !== 'invalid') continue;
		const given = row.given || `item ${row.itemIndex}`;
		statuses.set(given, { ...failedStatus(row.reason), isAboutRecipient: true });
	}
	return statuses;
}

/**
 * Returns the status of each recipient who was sent to be added by the key of an item, whom no read of the targets shows, and
 * who may be another member: the reply if it is failed or unknown, otherwise `neverShownStatus`.
 */
function unshownAmong(plans: TargetPlan[], { idsByKey, mayBeAlias }: Identities): Statuses {
	const shown = new Set(plans.flatMap((one) => [...one.before.ids, ...shownBeforeRemoving(one)]));
	const added = idsByKey ? [] : plans.flatMap((one) => [...one.added]);
	const isOther = ([id, { isNobodyElse }]: [string, RecipientStatus]) =>
		!shown.has(id) && (!isNobodyElse || mayBeAlias?.(id));
	return new Map(
		added
			.filter(isOther)
			.map(([id, reply]) => [id, isFailedOrUnknown(reply) ? reply : neverShownStatus()]),
	);
}

/** Returns the members whom the last read before the removals shows. */
const shownBeforeRemoving = ({ before, afterAdding }: TargetPlan) => (afterAdding ?? before).ids;

/**
 * Finds the IDs that stay in all targets:
 *
 * - An item names the ID for a stopped target (in a dry run, one over the limit) or, `afterAdding`, for a target that does
 *   not show it. So a person who moves is always in at least one target.
 * - The ID is unassigned: it may belong to any recipient.
 */
export function findStaying({ run, plans, identities }: SyncPlan, stage: Stage): ReasonToStay {
	const { word } = run.targetKind;
	const staying = new Map<string, string>();
	for (const plan of plans) {
		const where = `${word} "${plan.target.name || plan.target.id}"`;
		const elsewhere = `an item lists this person for the ${where}, but nothing proves that they are in it`;
		const isStopped = plan.stoppedBy !== undefined || plan.overLimit !== undefined;
		const expected = stage === 'afterAdding' ? shownBeforeRemoving(plan) : plan.namedIds;
		const proved = isStopped ? new Set<string>() : expected;
		for (const id of idsNotIn(plan.namedIds, proved)) staying.set(normalizeName(id), elsewhere);
	}
	for (const [id, reason] of identities.unassigned ?? []) staying.set(normalizeName(id), reason);
	return (id) => staying.get(normalizeName(id));
}

const UNLESS_ALIAS = ' (unless the input has a new address of this person)';

/** Returns a line of the report for each member whom no item names: whether Mirror removed them, or why not. */
export function surplusLines(
	{ run, identities }: SyncPlan,
	plan: TargetPlan,
	staying: ReasonToStay,
) {
	const { before, stoppedBy, overLimit, removed, noRemovalsBecause, cameBack } = plan;
	// An error stopped this target, and not the limit of removals.
	if (stoppedBy && overLimit === undefined) return [];
	// After removals, only a later read counts.
	const after = plan.afterRemoving ?? (removed.size > 0 ? undefined : plan.afterAdding);
	const statusOfSurplus = (id: string) => {
		const reasonToStay = overLimit ?? noRemovalsBecause ?? staying(id);
		if (reasonToStay !== undefined) return failedStatus(reasonToStay);
		if (run.dryRun) return STATUSES.remove.changed;
		return statusOf(id, 'remove', { before, after, replies: removed });
	};
	const not = run.dryRun ? 'Would not be removed' : 'Not removed';
	const isNewAlias = (id: string) => !before.ids.has(id) && identities.mayBeAlias?.(id);
	const unless = [...plan.namedIds].some(isNewAlias) ? UNLESS_ALIAS : '';
	const done = run.dryRun ? `Would be removed${unless}` : 'Removed';
	const others = surplusOf(run, plan).filter((id) => !cameBack?.has(id));
	return others.map((recipient) => {
		const { status, reason } = statusOfSurplus(recipient);
		// A shown ID is never `unknown`, and a read shows these members, so each is removed or failed.
		if (status !== 'removed') return { recipient, ...failedStatus(`${not}: ${reason}`) };
		return { recipient, status, reason: `${done}: not among the recipients of the input` };
	});
}
