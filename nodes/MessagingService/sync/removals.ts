import { failedStatus, isRefused, NEVER_SHOWN, nameSome, proved, statusOf } from './status';
import type { SyncRun } from './parameters';
import { NO_MEMBERS } from './types';
import type { Identities, Line, Members, ReadTarget, RecipientStatus } from './types';

/** The plan for a target that is changed by ID: the wanted members, and what each step has shown. */
export type Plan = ReadTarget & {
	/** Whether the target could not be read before the first change. */
	isUnread: boolean;
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
	overLimit?: string;
};

/** IDs that are removed from no target, and why. */
type Protected = ReadonlyMap<string, string>;

/** Returns the IDs of the members whom Mirror removes, because no item names them. In all other modes, returns no IDs. */
export function surplusOf({ mode }: SyncRun, { before, wanted }: Pick<Plan, 'before' | 'wanted'>) {
	return mode === 'mirror' ? [...before.ids].filter((id) => !wanted.has(id)) : [];
}

/** Stops a target if no recipient is known to be the person of an ID, because Mirror would then remove everybody. */
export function stopIfEmptied(
	run: SyncRun,
	plan: Plan,
	problems: ReadonlyMap<string, RecipientStatus>,
): void {
	const { before, wanted, target } = plan;
	if (before.ids.size === 0 || wanted.size > 0) return;
	stop(
		run,
		plan,
		wouldBeEmptied(
			run,
			target.recipients.map(({ key }) => problems.get(key)),
		),
	);
}

/** Returns the error of a target in which nobody would be left. @param statuses what is known about its recipients */
export function wouldBeEmptied(
	{ container: { word }, fail }: SyncRun,
	statuses: Array<RecipientStatus | undefined>,
): Error {
	const isUnknown = statuses.every((one) => one?.status === 'unknown');
	return fail(
		isUnknown
			? 'The service knows none of the recipients'
			: 'The service shows none of the recipients',
		`Mirror would empty the ${word}, so nobody was removed. Check the source of the input items and the Recipient parameter.`,
	);
}

/** Stops a target because of the removals. A dry run only says so. */
function stop({ dryRun }: SyncRun, plan: Plan, error: Error): void {
	plan.overLimit = error.message;
	if (!dryRun) plan.stopped = error;
}

/**
 * Stops targets that would lose too many members, before they are changed. A target that is over the limit is not
 * changed. If all targets together are over the limit, no target that would lose somebody is changed. If the limit is
 * above 0, one removal is always allowed. In a dry run, a note says what the real run would do.
 */
export function limitRemovals(run: SyncRun, plans: Plan[], protectedIds: Protected): void {
	const { word } = run.container;
	const removals = plans.map((plan) => countRemovals(run, plan, protectedIds));
	const sizes = plans.map(({ before }) => countPeople(before));
	const inTotal = excess(run, sum(removals), sum(sizes), `all ${word}s together`);
	for (const [index, plan] of plans.entries()) {
		const [leaving = 0, size = 0] = [removals[index], sizes[index]];
		const problem =
			excess(run, leaving, size, `the ${word}`) ?? (leaving > 0 ? inTotal : undefined);
		if (problem === undefined) continue;
		const what = plans.length > 1 ? `not change this ${word}` : 'stop here and change nothing';
		if (run.dryRun) plan.notes.push(`${problem}. Without Dry Run, Mirror would ${what}.`);
		const advice = `Nothing was changed in this ${word}. If these removals are intended, raise Maximum Removal (%). Otherwise, check the source of the input items.`;
		stop(run, plan, run.fail(problem, advice));
	}
}

/** Returns how many members Mirror would remove. */
export function countRemovals(run: SyncRun, plan: Plan, protectedIds: Protected): number {
	const leaving = surplusOf(run, plan).filter((id) => !protectedIds.has(id));
	return countPeople(plan.before, leaving);
}

/** Returns how many people some members are. In a channel, several people may have one address. */
function countPeople(
	{ ids, accounts }: Members,
	some: Iterable<string> = accounts?.keys() ?? ids,
): number {
	return [...some].reduce((all, id) => all + (accounts?.get(id)?.length ?? 1), 0);
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

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

/** Recipients whose person is not known. Any member may be one of them. */
type Doubt = {
	recipients: string[];
	/** Why their person is not known, as part of a sentence. */
	why: string;
	/** Whether Remove Despite Invalid does not lift this doubt. */
	isFinal?: boolean;
};

/**
 * Finds out before the additions whether anybody may be removed. If the ID of an item's person is not known, any member
 * may be that person.
 */
export function reasonToHold(
	run: SyncRun,
	plans: Plan[],
	{ idsOf, problems }: Identities,
): string | undefined {
	const open = new Map(problems);
	for (const [key, ids] of idsOf ?? []) {
		if (ids.length === 0) open.set(key, failedStatus(NEVER_SHOWN));
	}
	if (!idsOf) for (const id of idsShown(plans)) open.delete(id);
	// A blank row names nobody.
	const unreadable = run.rows.flatMap((row) =>
		!row.recipient && row.status === 'invalid' && !row.isBlank ? [row.given] : [],
	);
	const why = `${withNoun(unreadable.length, 'item names', 'items name')} a recipient that cannot be read`;
	return reasonIn(run, plans, [{ recipients: unreadable, why }, ...doubtsAbout(open)]);
}

/**
 * Finds out after the additions whether anybody may be removed. If no read shows a key that an item names, the service
 * may show this person under another one. Targets without additions do not matter: their items fail for their target
 * alone.
 */
export function reasonToHoldAfterAdding(run: SyncRun, plans: Plan[]): string | undefined {
	const shown = idsShown(plans);
	const open = new Map<string, RecipientStatus>();
	for (const { added } of plans) {
		for (const [id, reply] of added) {
			if (!shown.has(id)) open.set(id, isRefused(reply) ? reply : failedStatus(NEVER_SHOWN));
		}
	}
	return reasonIn(run, plans, doubtsAbout(open));
}

/** Returns all IDs that a read shows as members. */
function idsShown(plans: Plan[]): Set<string> {
	const reads = plans.flatMap(({ before, afterAdding = NO_MEMBERS }) => [before, afterAdding]);
	return new Set(reads.flatMap(({ ids }) => [...ids]));
}

/** Returns the reasons not to remove anybody that failed recipients give. */
function doubtsAbout(statuses: ReadonlyMap<string, RecipientStatus>): Doubt[] {
	const doubts = {
		lost: (people: string, says: string) => `the IDs of ${people} could not be found out (${says})`,
		refused: (people: string, says: string) =>
			`the service refused ${people}, but may know them (${says})`,
		hidden: (people: string) => `the service accepted ${people} but shows nobody for them`,
	};
	const failing = [...statuses].filter(([, { status }]) => status === 'failed');
	const kindOf = ({ reason, isInWords }: RecipientStatus) =>
		reason.startsWith(NEVER_SHOWN) ? 'hidden' : isInWords ? 'refused' : 'lost';
	return (['lost', 'refused', 'hidden'] as const).map((kind): Doubt => {
		const some = failing.filter(([, outcome]) => kindOf(outcome) === kind);
		const people = withNoun(some.length, 'recipient', 'recipients');
		const why = doubts[kind](people, some[0]?.[1].reason ?? '');
		return { recipients: some.map(([key]) => key), why, isFinal: kind === 'lost' };
	});
}

/**
 * Returns why nobody may be removed, or undefined if there is no doubt. If Remove Despite Invalid lifts the doubts, the
 * targets get a note with their number.
 */
function reasonIn(run: SyncRun, plans: Plan[], doubts: Doubt[]): string | undefined {
	const open = doubts.filter(({ recipients }) => recipients.length > 0);
	const first = open.find(({ isFinal }) => isFinal ?? false) ?? open[0];
	if (!first) return undefined;
	if (first.isFinal || !run.removeDespiteInvalid)
		return `${first.why}: ${nameSome(first.recipients)}`;
	const lifted = open.flatMap(({ recipients }) => recipients);
	const people = withNoun(lifted.length, 'recipient', 'recipients');
	for (const plan of plans) {
		if (surplusOf(run, plan).length === 0) continue;
		plan.notes.push(
			`Remove Despite Invalid allows removals although nobody knows who ${people} are: ${nameSome(lifted)}.`,
		);
	}
	return undefined;
}

/** Returns a number with its noun: `1 item names`, `2 items name`. */
function withNoun(number: number, one: string, several: string): string {
	return `${number} ${number === 1 ? one : several}`;
}

const NOT_AMONG = 'not among the recipients of the input';

/** Returns the members whom no item names: Mirror removed them, or they stay. */
export function extrasOf(run: SyncRun, plan: Plan, safe: Protected): Line[] {
	const { before, stopped, overLimit, removed, heldBack } = plan;
	if (stopped && overLimit === undefined) return [];
	const last = plan.afterRemoving ?? plan.afterAdding;
	const after = removed.size > 0 ? plan.afterRemoving : last;
	return surplusOf(run, plan).map((id): Line => {
		const why = overLimit ?? heldBack ?? safe.get(id);
		if (run.dryRun) {
			return why === undefined
				? { recipient: id, ...proved('removed', `Would be removed: ${NOT_AMONG}`) }
				: { recipient: id, ...failedStatus(`Would not be removed: ${why}`) };
		}
		const { status, reason } =
			why === undefined
				? statusOf(id, 'remove', { before, after, replies: removed })
				: failedStatus(why);
		return status === 'failed'
			? { recipient: id, ...failedStatus(`Not removed: ${reason}`) }
			: { recipient: id, ...proved(status, `Removed: ${NOT_AMONG}`) };
	});
}
