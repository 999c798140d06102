import { nameSome } from '../../shared/truncate';
import { normalizeName } from '../../shared/values';
import { failedStatus, statusWith, statusOf } from './status';
import type { SyncRun } from './parameters';
import type { Line, Members, ReadTarget, RecipientStatus } from './types';

/** The plan for a target that is changed by ID: the wanted members, and what each step has shown. */
export type Plan = ReadTarget & {
	/** The IDs of the target's recipients, as far as they are known. */
	wanted: Set<string>;
	notes: string[];
	/** The replies to the additions and to the removals, by ID. */
	added: Map<string, RecipientStatus>;
	removed: Map<string, RecipientStatus>;
	/** The last read after the additions, and the last read after the removals. */
	afterAdding?: Members | undefined;
	afterRemoving?: Members | undefined;
	/** Why nobody is removed from this target. */
	heldBack?: string;
	/** Why the target is not changed, or would not be changed without Dry Run: it would lose too many members. */
	overLimit?: string | undefined;
};

/** IDs that are removed from no target, and why. */
type Kept = ReadonlyMap<string, string>;

/**
 * Returns the IDs of the members whom Mirror removes, because no item names them. In all other modes, returns no IDs. A
 * service may show an ID in another case than an item: such a member is not removed.
 */
export function surplusOf({ mode }: SyncRun, { before, wanted }: Pick<Plan, 'before' | 'wanted'>) {
	const others = mode === 'mirror' ? [...before.ids].filter((id) => !wanted.has(id)) : [];
	const looks = new Set(others.length > 0 ? Array.from(wanted, normalizeName) : []);
	return others.filter((id) => !looks.has(normalizeName(id)));
}

/**
 * Stops targets that would lose too many members, before they are changed: all members, because no recipient is known to
 * be the person of an ID, or more than the limit. If all targets together are over the limit, no target that would lose
 * somebody is changed. If the limit is above 0, one removal is always allowed. In a dry run, a note says what the real
 * run would do.
 */
export function limitRemovals(run: SyncRun, plans: Plan[], kept: Kept): void {
	const { word } = run.container;
	const removals = plans.map((plan) => {
		// A target that would be emptied is stopped in any case, so it does not count in the total.
		const wouldBeEmptied = plan.before.ids.size > 0 && plan.wanted.size === 0;
		const size = wouldBeEmptied ? 0 : countPeople(plan.before);
		const leaving = surplusOf(run, plan).filter((id) => !wouldBeEmptied && !kept.has(id));
		return { plan, wouldBeEmptied, size, leaving: countPeople(plan.before, leaving) };
	});
	const total = (of: 'leaving' | 'size') => removals.reduce((all, one) => all + one[of], 0);
	const inTotal = excess(run, total('leaving'), total('size'), `all ${word}s together`);
	for (const { plan, wouldBeEmptied, size, leaving } of removals) {
		const tooMany =
			excess(run, leaving, size, `the ${word}`) ?? (leaving > 0 ? inTotal : undefined);
		plan.overLimit = wouldBeEmptied ? 'The service shows none of the recipients' : tooMany;
		if (plan.overLimit === undefined) continue;
		const advice = wouldBeEmptied
			? `Mirror would empty the ${word}, so nobody was removed. Check the source of the input items and the Recipient parameter.`
			: `Nothing was changed in this ${word}. If these removals are intended, raise Maximum Removal (%). Otherwise, check the source of the input items.`;
		const what = plans.length > 1 ? `not change this ${word}` : 'stop here and change nothing';
		if (!run.dryRun) plan.stopped = run.fail(plan.overLimit, advice);
		else plan.notes.push(`${plan.overLimit}. Without Dry Run, Mirror would ${what}.`);
	}
}

/** Returns how many people some members are. In a channel, several people may have one address. */
function countPeople({ ids, accounts }: Members, some: Iterable<string> = accounts?.keys() ?? ids) {
	return [...some].reduce((all, id) => all + (accounts?.get(id)?.length ?? 1), 0);
}

function excess(
	{ maxRemovalPercent }: SyncRun,
	removals: number,
	size: number,
	where: string,
): string | undefined {
	if (removals * 100 <= maxRemovalPercent * size) return undefined;
	if (removals === 1 && maxRemovalPercent > 0) return undefined;
	// The percentage is rounded up, so that the shown percentage never equals the limit.
	const percent = Math.ceil((removals * 1000) / size) / 10;
	return `Mirror would remove ${removals} of the ${size} people in ${where} (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}

/**
 * Returns why nobody may be removed, or undefined if everybody may be: if the person of an item is not known, any member
 * may be that person. Remove Despite Invalid lifts this, unless a look-up failed. The targets then get a note.
 *
 * @param statuses what is known about recipients, by key
 */
export function reasonToHold(
	run: SyncRun,
	plans: Plan[],
	statuses: ReadonlyMap<string, RecipientStatus>,
): string | undefined {
	const failed = [...statuses].filter(([, { status }]) => status === 'failed');
	const lost = failed.filter(([, { isAnswer }]) => !isAnswer);
	const some = lost.length > 0 ? lost : failed;
	const [first] = some;
	if (!first) return undefined;
	const who = `${some.length}: ${nameSome(some.map(([key]) => key))}`;
	if (lost.length > 0 || !run.removeDespiteInvalid) {
		return `nobody knows whom some items mean (${who}). First reason: ${first[1].reason}`;
	}
	const note = `Remove Despite Invalid allows removals although nobody knows whom some items mean (${who}).`;
	for (const plan of plans) if (surplusOf(run, plan).length > 0) plan.notes.push(note);
	return undefined;
}

const NOT_AMONG = 'not among the recipients of the input';

/** Returns the members whom no item names: Mirror removed them, or they stay. */
export function extrasOf(run: SyncRun, plan: Plan, kept: Kept): Line[] {
	const { before, stopped, overLimit, removed, heldBack } = plan;
	if (stopped && overLimit === undefined) return [];
	const after = plan.afterRemoving ?? (removed.size > 0 ? undefined : plan.afterAdding);
	const [done, not] = run.dryRun
		? ['Would be removed', 'Would not be removed']
		: ['Removed', 'Not removed'];
	return surplusOf(run, plan).map((recipient): Line => {
		const why = overLimit ?? heldBack ?? kept.get(recipient);
		const { status, reason } =
			why !== undefined
				? failedStatus(why)
				: run.dryRun
					? statusWith('removed')
					: statusOf(recipient, 'remove', { before, after, replies: removed });
		return status === 'failed'
			? { recipient, ...failedStatus(`${not}: ${reason}`) }
			: { recipient, ...statusWith(status, `${done}: ${NOT_AMONG}`) };
	});
}
