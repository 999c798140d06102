import { messageOf } from '../../../../shared/failure';
import {
	CANCELED,
	combine,
	failed,
	predictionOf,
	proved,
	repliesIn,
	statusOf,
	unverified,
} from '../../../sync/outcomes';
import { append } from '../../../sync/chunks';
import { sendAll } from '../../../sync/send';
import type {
	Action,
	Members,
	Outcome,
	ReadTarget,
	Recipient,
	TargetResult,
} from '../../../sync/types';
import { MOST_SEPARATE } from './code';
import { createGroup, type GroupRun } from './groupRun';
import { findDone, lookUpPeople } from './identify';
import type { KnownAddresses } from './lookUp';

/** What a change by email has shown about a group. */
type Changed = Awaited<ReturnType<typeof change>>;

/** What a look-up before the change has shown: the groups without changes, and how many each group must change. */
type Classes = Awaited<ReturnType<typeof findDone>> & { known: KnownAddresses };

/**
 * Adds recipients to their groups by email, or removes them, and finds out whose membership changed. Returns the result
 * of each group. An error stops only the group in which it occurs.
 */
export async function changeByEmail(run: GroupRun, groups: ReadTarget[], action: Action) {
	const classes = await lookUpClasses(run, groups, action);
	const open: Changed[] = [];
	const results = groups.map(async ({ target, before, stopped }): Promise<TargetResult> => {
		const result: TargetResult = { target, outcomes: new Map(), extras: [], notes: [], stopped };
		if (stopped || target.recipients.length === 0) return result;
		try {
			const changed = await change(run, { target, before }, action, classes);
			if (changed.open.length > 0) open.push(changed);
			return { ...result, outcomes: changed.outcomes };
		} catch (error) {
			return { ...result, stopped: error instanceof Error ? error : run.fail(String(error)) };
		}
	});
	const settled = await Promise.all(results);
	if (open.length > 0) await resolveOpen(run, open, action);
	return settled;
}

/**
 * If all people may be in their groups already, finds the groups without changes, because the service's counts do not
 * prove that somebody is a member.
 */
async function lookUpClasses(
	run: GroupRun,
	groups: ReadTarget[],
	action: Action,
): Promise<Classes> {
	const known: KnownAddresses = { accepted: new Set(), problems: new Map() };
	const nothing: Classes = { done: new Set(), changes: new Map(), known };
	const isPossible = ({ target: { recipients }, before, stopped }: ReadTarget) =>
		!stopped && before.complete && before.ids.size >= (action === 'add' ? recipients.length : 1);
	const count = groups.reduce((sum, { target }) => sum + target.recipients.length, 0);
	// The status of a few people costs less if their requests do not show it.
	if (count <= MOST_SEPARATE || !groups.some(isPossible)) return nothing;
	try {
		return { ...(await findDone(run, groups, known)), known };
	} catch (error) {
		run.log(`Who is a member could not be found out: ${messageOf(error)}`);
		return { ...nothing, known: { accepted: new Set(), problems: new Map() } };
	}
}

async function change(
	run: GroupRun,
	{ target, before: read }: ReadTarget,
	action: Action,
	{ done, changes, known }: Classes,
) {
	/** Recipients whom the look-up has shown to be unknown, or whom the service refuses to add. */
	const problems = new Map<string, Outcome>();
	for (const { key } of target.recipients) {
		const problem = known.problems.get(key);
		const isFinal = problem?.status === 'unknown' || (problem?.refusedAt && action === 'add');
		if (problem && isFinal) problems.set(key, problem);
	}
	const recipients = target.recipients.filter(({ key }) => !problems.has(key));
	const before = target.id === '' ? await createGroup(run, target) : read;
	if (done.has(target)) {
		const nothing = predictionOf(action === 'add', action);
		const outcomes = new Map([
			...problems,
			...recipients.map(({ key }) => [key, nothing] as const),
		]);
		return {
			before,
			after: before,
			accepted: [],
			replies: outcomes,
			isCounted: true,
			open: [],
			outcomes,
		};
	}
	const responses = await sendAll(run, recipients, { action, targetId: target.id, by: 'email' });
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
	const after = await run.api.readAgain(target.id, isExpected);
	const isWhole = before.complete && after?.complete === true;
	const people = accepted.reduce((all, one) => all + one.recipients.length, 0);
	// Only people whom both reads show can be alreadyMember.
	const inBoth = [...before.ids].filter((id) => after?.ids.has(id)).length;
	const isPossible = action === 'remove' || people - sum <= inBoth;
	/** Whether the counts and the reads agree. */
	const isCounted = isWhole && changedIn(after).length === sum && isPossible;
	/**
	 * Whether a request that changed nobody proves this for each of its people: the group was empty, or the look-up before
	 * has found all of them, and as many as it must have changed were changed.
	 */
	const isNobodyProved =
		isCounted && (sum === changes.get(target) || (action === 'remove' && before.ids.size === 0));
	const replies = repliesIn(responses, action);
	/** Recipients whose status is still open after the counts and the reads. */
	const open: Recipient[] = [];
	for (const { recipients: all, changed = NaN } of accepted) {
		const isProved = changed === 0 ? isNobodyProved : isCounted && changed === all.length;
		if (changed === 0 && !isProved) {
			for (const { key } of all) replies.set(key, unverified(action));
		}
		if (isWhole && !isProved) append(open, all);
	}
	if (isWhole && changedIn(after).length > 0) append(open, mayBeDone);
	const outcomes = new Map([...problems, ...replies]);
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

/** Finds the IDs of the open recipients of all groups in one look-up, and sets the statuses of these recipients. */
async function resolveOpen(run: GroupRun, groups: Changed[], action: Action): Promise<void> {
	const requests = groups.flatMap(({ accepted }) => accepted);
	const keys = requests.flatMap(({ recipients }) => recipients.map(({ key }) => key));
	const known: KnownAddresses = { accepted: new Set(keys), problems: new Map() };
	const people = new Map<string, Recipient>();
	for (const { open } of groups) for (const one of open) people.set(one.key, one);
	const found = run.cancelSignal?.aborted
		? undefined
		: await lookUpPeople(run, [...people.values()], known).catch((error: unknown) => {
				run.log(`Who was added or removed could not be found out: ${messageOf(error)}`);
				return undefined;
			});
	for (const group of groups) {
		for (const { key } of group.open) {
			const ids = known.problems.has(key) ? undefined : found?.idsOf.get(key);
			const outcome = ids
				? outcomeOf(group, ids, action)
				: withoutIds(run, action, group.replies.get(key), known.problems.get(key));
			group.outcomes.set(key, outcome);
		}
	}
}

/** Returns the status of an open recipient with these IDs. */
function outcomeOf(group: Changed, ids: string[], action: Action): Outcome {
	const { before, after } = group;
	// The service counted as many removals as the group shows, so it removed nobody without an ID.
	if (group.isCounted && ids.length === 0 && action === 'remove') return unverified(action);
	return combine(
		ids.map((id) => statusOf(id, action, { before, after })),
		action,
	);
}

/** Returns the status of an open recipient whose IDs could not be looked up. @param problem what the look-up showed */
function withoutIds(run: GroupRun, action: Action, reply?: Outcome, problem?: Outcome): Outcome {
	if (reply?.status === 'failed') return problem?.status === 'unknown' ? problem : reply;
	return run.cancelSignal?.aborted ? failed(CANCELED) : unverified(action);
}
