import { messageOf } from '../../../../shared/failure';
import {
	CANCELED,
	combine,
	failed,
	proved,
	repliesIn,
	statusOf,
	unverified,
} from '../../../sync/outcomes';
import { append, sendAll } from '../../../sync/send';
import type {
	Action,
	Members,
	Outcome,
	ReadTarget,
	Recipient,
	TargetResult,
} from '../../../sync/types';
import { createGroup } from './createGroup';
import type { GroupRun } from './groupRun';
import { holdersOf } from './identify';
import { lookUp, type KnownAddresses } from './lookUp';
import type { LookUp, Holder } from './words';

/** What a change by email has shown about a group. */
type Changed = Awaited<ReturnType<typeof change>>;

/**
 * Adds recipients to their groups by email, or removes them, and finds out whose membership changed. Returns the result
 * of each group. An error stops only the group in which it occurs.
 */
export async function changeByEmail(run: GroupRun, groups: ReadTarget[], action: Action) {
	const open: Changed[] = [];
	const results = groups.map(async ({ target, before, stopped }): Promise<TargetResult> => {
		const result: TargetResult = { target, outcomes: new Map(), extras: [], notes: [], stopped };
		if (stopped || target.recipients.length === 0) return result;
		try {
			const changed = await change(run, { target, before }, action);
			if (changed.open.length > 0) open.push(changed);
			return { ...result, outcomes: changed.outcomes };
		} catch (error) {
			return { ...result, stopped: error instanceof Error ? error : run.fail(String(error)) };
		}
	});
	const settled = await Promise.all(results);
	if (open.length > 0) await settleOpen(run, open, action);
	return settled;
}

async function change(run: GroupRun, { target, before: read }: ReadTarget, action: Action) {
	const before = target.id === '' ? await createGroup(run, target) : read;
	const { id: targetId, recipients } = target;
	const responses = await sendAll(run, recipients, { action, targetId, by: 'email' });
	const { accepted, mayBeDone } = responses;
	/** How many people the requests changed, or NaN if the counts do not show this. */
	const sum = accepted.reduce(
		(all, { changed = NaN }) => all + changed,
		mayBeDone.size > 0 ? NaN : 0,
	);
	/** The IDs that joined the group (Add) or left it (Remove). */
	const changedIn = ({ ids }: Members) => {
		const [from, to] = action === 'add' ? [before.ids, ids] : [ids, before.ids];
		return [...to].filter((id) => !from.has(id));
	};
	const isExpected = (members: Members) => Number.isNaN(sum) || changedIn(members).length === sum;
	const after = await run.api.readAgain(targetId, isExpected);
	const replies = repliesIn(responses, action);
	const isWhole = before.complete && after?.complete === true;
	const people = accepted.reduce((all, one) => all + one.recipients.length, 0);
	// Only people whom both reads show can be alreadyMember.
	const inBoth = [...before.ids].filter((id) => after?.ids.has(id)).length;
	const isPossible = action === 'remove' || people - sum <= inBoth;
	/** Whether the counts and the reads agree. */
	const isCounted = isWhole && changedIn(after).length === sum && isPossible;
	/**
	 * Recipients whose status is still open after the counts and the reads. If counts and reads agree, these are the
	 * recipients of requests that changed only some people.
	 */
	const open: Recipient[] = [];
	for (const { recipients: all, changed = NaN } of isWhole ? accepted : []) {
		if (!isCounted || (changed !== 0 && changed !== all.length)) append(open, all);
	}
	if (isWhole && changedIn(after).length > 0) append(open, mayBeDone);
	const outcomes = new Map(replies);
	if (isCounted && !run.perRecipient && action === 'add') {
		// The summary of an Add needs only the counts.
		for (const { recipients: all, changed: count = 0 } of accepted) {
			for (const [index, { key }] of all.entries()) {
				outcomes.set(key, proved(index < count ? 'added' : 'alreadyMember'));
			}
		}
		open.length = 0;
	}
	return { before, after, accepted, replies, isCounted, open, outcomes };
}

/**
 * Finds the IDs of the open recipients of all groups in one look-up, and sets the statuses of these recipients.
 *
 * @param mayShare whether recipients of different groups may share a word, that is, be put into the same temporary
 *   groups
 */
async function settleOpen(
	run: GroupRun,
	groups: Changed[],
	action: Action,
	mayShare = action === 'add',
): Promise<void> {
	const requests = groups.flatMap(({ accepted }) => accepted);
	const keys = requests.flatMap(({ recipients }) => recipients.map(({ key }) => key));
	const known: KnownAddresses = { accepted: new Set(keys), problems: new Map() };
	const lists = groups.map(({ open }) => open);
	const holders = holdersOf(lists, mayShare);
	const found = run.cancelSignal?.aborted
		? undefined
		: await lookUp(run, holders, { known, isRepaired: true }).catch((error: unknown) => {
				run.log(`Who was added or removed could not be found out: ${messageOf(error)}`);
				return undefined;
			});
	const holderOf = new Map<string, Holder>();
	for (const holder of holders) for (const { key } of holder.addresses) holderOf.set(key, holder);
	const again: Changed[] = [];
	for (const group of groups) {
		const unclear = group.open.filter(({ key }) => {
			const holder = holderOf.get(key);
			const outcome =
				found && holder && !known.problems.has(key)
					? outcomeOf(group, holder, found, action)
					: withoutIds(run, action, group.replies.get(key), known.problems.get(key));
			if (outcome) group.outcomes.set(key, outcome);
			return !outcome;
		});
		if (unclear.length > 0) again.push({ ...group, open: unclear });
	}
	// If a shared word leaves the status of recipients open, each of them is looked up again with a separate word.
	if (again.length > 0) await settleOpen(run, again, action, false);
}

/**
 * Returns the status of an open recipient whose IDs were looked up. Returns undefined if the status is not clear,
 * because other addresses share the word.
 */
function outcomeOf(
	group: Changed,
	holder: Holder,
	found: LookUp,
	action: Action,
): Outcome | undefined {
	const { before, after } = group;
	const ids = found.idsOf.get(holder) ?? [];
	if (holder.addresses.length === 1) {
		// The service counted as many removals as the group shows, so it removed nobody without an ID.
		if (group.isCounted && ids.length === 0 && action === 'remove') return unverified(action);
		return combine(
			ids.map((id) => statusOf(id, action, { before, after })),
			action,
		);
	}
	// Several addresses share the word. The status is clear only if each has an ID, and this group shows at most one of
	// these IDs.
	const [only, another] = ids.filter((id) => before.ids.has(id) || after?.ids.has(id));
	if (found.lacking.has(holder) || another !== undefined) return undefined;
	return statusOf(only ?? ids[0] ?? '', action, { before, after });
}

/** Returns the status of an open recipient whose IDs could not be looked up. @param problem what the look-up showed */
function withoutIds(run: GroupRun, action: Action, reply?: Outcome, problem?: Outcome): Outcome {
	if (reply?.status === 'failed') return problem?.status === 'unknown' ? problem : reply;
	return run.cancelSignal?.aborted ? failed(CANCELED) : unverified(action);
}
