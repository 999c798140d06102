import { messageOf } from '../../../../shared/failure';
import { addToList } from '../../../../shared/listsByKey';
import { createMissingTarget, notStopped } from '../../../sync/changeById';
import { readAgain } from '../../../sync/readAgain';
import { sendInChunks } from '../../../sync/sendInChunks';
import {
	combinedStatus,
	failedStatus,
	isFailedOrUnknown,
	STATUSES,
	statusOf,
	unverifiedStatus,
} from '../../../sync/status';
import type {
	Action,
	Identities,
	Members,
	ReadTarget,
	Recipient,
	TargetResult,
} from '../../../sync/types';
import { MOST_SEPARATE } from './combinations';
import { createLookUpTarget, isAccepted, lookUp, unclearAmong } from './lookUp';
import type { LookUpTarget, Replies } from './lookUp';
import type { GroupRun } from './temporaryGroups';

const UNCLEAR =
	'Addresses and IDs cannot be matched: the service shows too many people under unexpected IDs, or shows them late. Run the sync again later';

const UNASSIGNED =
	'the service does not show clearly whose ID this is; it may belong to a recipient of the input';

const IN_EACH_GROUP =
	'the service adds this person to each new group, so it does not show whether an item names them. This person may be the owner of the access key. If the owner has left, use the key of a technical account';

/**
 * Finds the IDs of all addresses: first whole classes, to find the groups that need no change, then each address of the
 * other groups. If all groups are stopped, looks up nobody.
 *
 * @param groups all groups of the run, including stopped groups, because the people of a stopped group must not be
 *   removed from other groups
 * @throws if a look-up fails
 */
export async function identifyAddresses(run: GroupRun, groups: ReadTarget[]): Promise<Identities> {
	if (notStopped(groups).length === 0) return { idsByKey: new Map(), problems: new Map() };
	// Each look-up adds what the service replies.
	const replies: Replies = new Map();
	const unchanged = await findUnchanged(run, groups, replies);
	const changing = groups.filter(({ target }) => !unchanged.has(target));
	const recipients = changing.flatMap(({ target }) => target.recipients);
	const unrefused = recipients.filter(({ key }) => !isFailedOrUnknown(replies.get(key)));
	const found = await lookUpPeople(run, unrefused, replies);
	const problems = new Map([...replies].filter(([, reply]) => isFailedOrUnknown(reply)));
	return { ...found, problems, unchanged };
}

/**
 * Looks up each class as a whole, and returns the groups that need no change. A class is all addresses that items name for
 * exactly the same groups. If that costs more than it may save, looks up nothing and returns no groups.
 *
 * @param replies gets the reply for each address that is looked up
 * @throws if the look-up fails
 */
async function findUnchanged(run: GroupRun, groups: ReadTarget[], replies: Replies) {
	/** The groups for which items name an address, by index. */
	const groupsOf = new Map<Recipient['key'], number[]>();
	const addresses = new Map<Recipient['key'], Recipient>();
	for (const [group, { target }] of groups.entries()) {
		for (const one of target.recipients) {
			addresses.set(one.key, one);
			addToList(groupsOf, one.key, group);
		}
	}
	const byGroups = new Map<string, Recipient[]>();
	for (const [key, one] of addresses) addToList(byGroups, groupsOf.get(key)?.join() ?? '', one);
	const classes = Array.from(byGroups, ([key, members]) => createLookUpTarget(key, members));
	if (2 * classes.length > addresses.size) return new Set<ReadTarget['target']>();
	await lookUp(run, classes, replies);
	const unchanged = groups.filter(({ before, stoppedBy }, group) => {
		const isOfGroup = ({ addresses: [one] }: LookUpTarget) =>
			one !== undefined && groupsOf.get(one.key)?.includes(group);
		return !stoppedBy && isUnchanged(run, before.ids, classes.filter(isOfGroup));
	});
	return new Set(unchanged.map(({ target }) => target));
}

/**
 * Whether a group needs no change. Equal numbers of IDs and members prove nothing, because an ID without an address can
 * make up for an address without an ID. So its classes must have as many IDs as accepted addresses.
 */
function isUnchanged({ mode }: GroupRun, members: Set<string>, classes: LookUpTarget[]): boolean {
	const ids = classes.flatMap((one) => one.ids);
	const accepted = classes.flatMap((one) => one.accepted);
	if (ids.length !== accepted.length) return false;
	const inGroup = ids.filter((id) => members.has(id)).length;
	if (mode === 'remove') return inGroup === 0;
	return inGroup === ids.length && (mode === 'add' || inGroup === members.size);
}

/**
 * Finds the IDs of single addresses. Whose ID is not clear is looked up once more, each address alone in a temporary
 * group. What is shown there is theirs, even if another address has it, too.
 *
 * @param replies gets the reply for each address. If it is still not clear whose ID is whose, this is a failure
 * @returns the IDs of each accepted address, by key, and the IDs that may belong to any of them
 * @throws if a look-up fails
 */
async function lookUpPeople(run: GroupRun, addresses: Recipient[], replies: Replies) {
	const idsByKey = new Map<string, string[]>();
	if (addresses.length === 0) return { idsByKey, unassigned: new Map<string, string>() };
	const byKey = new Map(addresses.map((one) => [one.key, createLookUpTarget(one.key, [one])]));
	const people = [...byKey.values()];
	const found = await lookUp(run, people, replies);
	const alone = new Set<LookUpTarget>();
	// An ID cannot be that of a refused address.
	const accepted = people.filter((one) => isAccepted(replies, one));
	let unclear = unclearAmong(accepted, found);
	while (unclear.length > 0 && alone.size + unclear.length <= MOST_SEPARATE) {
		for (const one of unclear) alone.add(one);
		await lookUpAlone(run, unclear, replies, found.everywhere);
		// If the ID of somebody else is shown for an address alone, it may not be theirs.
		const shown = new Set([...alone].flatMap(({ ids }) => ids));
		unclear = accepted.filter((one) => !alone.has(one) && one.ids.some((id) => shown.has(id)));
	}
	for (const { key } of unclear) replies.set(key, failedStatus(UNCLEAR));
	const unassigned = new Map(Array.from(found.unassigned.keys(), (id) => [id, UNASSIGNED]));
	for (const id of found.everywhere) unassigned.set(id, IN_EACH_GROUP);
	for (const { key, ids } of people.filter((one) => isAccepted(replies, one))) {
		idsByKey.set(key, ids);
		for (const id of ids) unassigned.delete(id);
	}
	return { idsByKey, unassigned };
}

/** Looks up accepted addresses, each alone in a temporary group, out of which the creators are taken. */
async function lookUpAlone(
	run: GroupRun,
	people: LookUpTarget[],
	replies: Replies,
	creators: ReadonlySet<string>,
): Promise<void> {
	const { seenIn } = await lookUp(run, people, replies, creators);
	// Only the creator of the groups is in the control group, the last one.
	const controlGroup = people.length;
	const shown = [...seenIn].filter(([, groups]) => !groups.includes(controlGroup));
	for (const one of people) {
		const own = shown.filter(([, groups]) => groups.includes(one.groups[0] ?? 0));
		one.ids = own.map(([id]) => id);
	}
}

/** A group that is changed by email, and what the change has shown. */
type GroupChange = TargetResult & {
	before: Members;
	after?: Members | undefined;
	/** Recipients whose status the counts and the reads do not prove. */
	unproved: Recipient[];
};

/**
 * Adds recipients to their groups by email, or removes them, and finds out whose membership changed. Never throws: a group
 * that cannot be created is stopped, and all other failures are statuses.
 *
 * @returns the result of each group, in the order of `groups`
 */
export async function changeByEmail(run: GroupRun, groups: ReadTarget[], action: Action) {
	const replies: Replies = new Map();
	const unchanged = await findUnchangedIfLikely(run, groups, replies);
	const changes = groups.map((read): GroupChange => {
		return { ...read, statuses: new Map(), surplus: [], notes: [], unproved: [] };
	});
	const changing = notStopped(changes).map(async (one) => {
		const { target, statuses } = one;
		// An unknown address is nobody, but an address that failed may be anybody.
		const isClear = target.recipients.every(({ key }) => replies.get(key)?.status !== 'failed');
		if (unchanged.has(target) && isClear) {
			for (const { key } of target.recipients) {
				const reply = replies.get(key);
				statuses.set(key, reply?.status === 'unknown' ? reply : STATUSES[action].unchanged);
			}
		} else if (target.recipients.length > 0) await changeGroup(run, one, action);
	});
	await Promise.all(changing);
	await proveByIds(run, changes, action);
	return changes;
}

/**
 * Finds the groups that need no change, if all people may be members already: counts do not prove that somebody is one.
 * If the look-up fails or is not worth it, returns no groups. Adds the replies to `replies`.
 */
async function findUnchangedIfLikely(run: GroupRun, groups: ReadTarget[], replies: Replies) {
	const isPossible = ({ target, before, stoppedBy }: ReadTarget) => {
		const fewest = run.mode === 'add' ? target.recipients.length : 1;
		return !stoppedBy && before.complete && before.ids.size >= fewest;
	};
	const size = groups.reduce((sum, { target }) => sum + target.recipients.length, 0);
	// The status of a few people costs less if their requests do not show it.
	if (size <= MOST_SEPARATE || !groups.some(isPossible)) return new Set<ReadTarget['target']>();
	return await findUnchanged(run, groups, replies).catch((error: unknown) => {
		run.log(`Who is a member could not be found out: ${messageOf(error)}`);
		return new Set<ReadTarget['target']>();
	});
}

/** Changes a group by email. The counts of the responses and the reads prove some statuses. */
async function changeGroup(run: GroupRun, group: GroupChange, action: Action): Promise<void> {
	const { target, statuses, unproved } = group;
	if (target.id === '') await createMissingTarget(run, group);
	if (group.stoppedBy) return;
	const { before } = group;
	const options = { action, targetId: target.id, identifyBy: 'email' } as const;
	const { replies, changedCount } = await sendInChunks(run, target.recipients, options);
	/** Returns how many IDs joined the group (Add) or left it (Remove). */
	const countChanges = ({ ids }: Members) => {
		const [from, to] = action === 'add' ? [before.ids, ids] : [ids, before.ids];
		return [...to].filter((id) => !from.has(id)).length;
	};
	const isExpected = (members: Members) =>
		Number.isNaN(changedCount) || countChanges(members) === changedCount;
	const after = (group.after = await readAgain(run, target.id, isExpected));
	for (const [key, reply] of replies) statuses.set(key, reply);
	if (!before.complete || !after?.complete) return;
	const shownCount = countChanges(after);
	for (const one of target.recipients) {
		const reply = replies.get(one.key);
		const isChanged = reply?.status === STATUSES[action].changed.status;
		// A failure is no proof if the change may have been carried out and the group did change.
		const isProved = isFailedOrUnknown(reply)
			? !reply.mayBeDone || shownCount === 0
			: isChanged && shownCount === changedCount;
		if (!isProved) unproved.push(one);
	}
}

/** Finds the IDs of the unproved recipients of all groups in one look-up, and sets the statuses of these recipients. */
async function proveByIds(run: GroupRun, groups: GroupChange[], action: Action): Promise<void> {
	if (run.cancelSignal?.aborted) return;
	const people = groups.flatMap(({ unproved }) => unproved);
	const entries = groups.flatMap(({ statuses }) => [...statuses]);
	const accepted: Replies = new Map(entries.filter(([, reply]) => !isFailedOrUnknown(reply)));
	const { idsByKey } = await lookUpPeople(run, people, accepted).catch((error: unknown) => {
		run.log(`Who was added or removed could not be found out: ${messageOf(error)}`);
		return { idsByKey: new Map<string, string[]>() };
	});
	for (const { unproved, statuses, before, after } of groups) {
		for (const { key } of unproved) {
			const ids = idsByKey.get(key);
			const reply = statuses.get(key);
			if (ids) {
				const replies = new Map(reply && ids.map((id) => [id, reply]));
				const ofIds = ids.map((id) => statusOf(id, action, { before, after, replies }));
				statuses.set(key, combinedStatus(ofIds, action));
			} else if (!isFailedOrUnknown(reply)) statuses.set(key, unverifiedStatus(action));
		}
	}
}
