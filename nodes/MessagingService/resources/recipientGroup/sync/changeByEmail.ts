import { messageOf } from '../../../../shared/failure';
import { readAgain } from '../../../sync/calls';
import { eachOpen } from '../../../sync/changeById';
import { sendAll } from '../../../sync/send';
import {
	combine,
	isRefused,
	predictionOf,
	proved,
	STATUSES_OF,
	statusOf,
	unverified,
} from '../../../sync/status';
import type {
	Action,
	Members,
	ReadTarget,
	Recipient,
	Target,
	TargetResult,
} from '../../../sync/types';
import { MOST_SEPARATE } from './code';
import { findDone, lookUpPeople } from './identify';
import { newKnown, type KnownAddresses } from './lookUp';
import { createGroup, type GroupRun } from './temporaryGroups';

/** A group that is changed by email, and what the change has shown. */
type Change = TargetResult & {
	before: Members;
	after: Members | undefined;
	/** Recipients whose status is still open after the counts and the reads. */
	open: Recipient[];
};

/**
 * Adds recipients to their groups by email, or removes them, and finds out whose membership changed. Returns the result
 * of each group. An error stops only the group in which it occurs.
 */
export async function changeByEmail(run: GroupRun, groups: ReadTarget[], action: Action) {
	const { done, known } = await lookUpClasses(run, groups, action);
	const changes = groups.map(({ target, before, stopped }): Change => {
		const result = { target, statuses: new Map(), extras: [], notes: [], stopped };
		return { ...result, before, after: undefined, open: [] };
	});
	await eachOpen(run, changes, async (one) => await change(run, one, action, done, known));
	await resolveOpen(run, changes, action);
	return changes;
}

/**
 * If all people may be in their groups already, finds the groups without changes, because the service's counts do not
 * prove that somebody is a member.
 */
async function lookUpClasses(run: GroupRun, groups: ReadTarget[], action: Action) {
	const isPossible = ({ target: { recipients }, before, stopped }: ReadTarget) =>
		!stopped && before.complete && before.ids.size >= (action === 'add' ? recipients.length : 1);
	const size = groups.reduce((sum, { target }) => sum + target.recipients.length, 0);
	// The status of a few people costs less if their requests do not show it.
	if (size > MOST_SEPARATE && groups.some(isPossible)) {
		try {
			const known = newKnown();
			return { done: await findDone(run, groups, known), known };
		} catch (error) {
			run.log(`Who is a member could not be found out: ${messageOf(error)}`);
		}
	}
	return { done: new Set<Target>(), known: newKnown() };
}

async function change(
	run: GroupRun,
	group: Change,
	action: Action,
	done: ReadonlySet<Target>,
	{ problems }: KnownAddresses,
): Promise<void> {
	const { target, statuses } = group;
	if (target.recipients.length === 0) return;
	for (const { key } of target.recipients) {
		const problem = problems.get(key);
		const isFinal = problem?.status === 'unknown' || (problem?.isInWords && action === 'add');
		if (problem && isFinal) statuses.set(key, problem);
	}
	const recipients = target.recipients.filter(({ key }) => !statuses.has(key));
	if (target.id === '') group.before = await createGroup(run, target);
	// An address that could not be put into a temporary group may be anybody.
	if (done.has(target) && !recipients.some(({ key }) => problems.has(key))) {
		for (const { key } of recipients) statuses.set(key, predictionOf(action === 'add', action));
		return;
	}
	const { before, open } = group;
	const sending = { action, targetId: target.id, by: 'email' } as const;
	const { replies, changed } = await sendAll(run, recipients, sending);
	/** Returns how many IDs joined the group (Add) or left it (Remove). */
	const countChanges = ({ ids }: Members) => {
		const [from, to] = action === 'add' ? [before.ids, ids] : [ids, before.ids];
		return [...to].filter((id) => !from.has(id)).length;
	};
	const isExpected = (members: Members) =>
		Number.isNaN(changed) || countChanges(members) === changed;
	const after = (group.after = await readAgain(run, target.id, isExpected));
	for (const [key, reply] of replies) statuses.set(key, reply);
	if (!before.complete || !after?.complete) return;
	const changesShown = countChanges(after);
	const isCounted = changesShown === changed;
	const isNobody = isCounted && action === 'remove' && before.ids.size === 0;
	for (const one of recipients) {
		const reply = replies.get(one.key);
		const isProved = isCounted && reply?.status === STATUSES_OF[action][0];
		if (isNobody && !isRefused(reply)) statuses.set(one.key, proved('notMember'));
		else if (isRefused(reply) ? reply.mayBeDone && changesShown > 0 : !isProved) open.push(one);
	}
}

/** Finds the IDs of the open recipients of all groups in one look-up, and sets the statuses of these recipients. */
async function resolveOpen(run: GroupRun, groups: Change[], action: Action): Promise<void> {
	const people = new Map<string, Recipient>();
	const known = newKnown();
	for (const { open, statuses } of groups) {
		for (const one of open) people.set(one.key, one);
		for (const [key, outcome] of statuses) if (!isRefused(outcome)) known.accepted.add(key);
	}
	if (people.size === 0 || run.cancelSignal?.aborted) return;
	const { idsOf } = await lookUpPeople(run, [...people.values()], known).catch((error: unknown) => {
		run.log(`Who was added or removed could not be found out: ${messageOf(error)}`);
		return { idsOf: new Map<string, string[]>() };
	});
	for (const { open, statuses, before, after } of groups) {
		for (const { key } of open) {
			const ids = known.problems.has(key) ? undefined : idsOf.get(key);
			if (ids) {
				const reply = statuses.get(key);
				const replies = new Map(reply && ids.map((id) => [id, reply]));
				const ofIds = ids.map((id) => statusOf(id, action, { before, after, replies }));
				statuses.set(key, combine(ofIds, action));
			} else if (!isRefused(statuses.get(key))) statuses.set(key, unverified(action));
		}
	}
}
