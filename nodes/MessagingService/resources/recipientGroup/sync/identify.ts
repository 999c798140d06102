import { messageOf } from '../../../../shared/failure';
import { addToList } from '../../../../shared/listsByKey';
import { createMissing, openIn, readAgain } from '../../../sync/changeById';
import { sendAll } from '../../../sync/send';
import {
	combine,
	failedStatus,
	isNotAccepted,
	predictionOf,
	STATUSES_OF,
	statusOf,
	unverified,
} from '../../../sync/status';
import type {
	Action,
	Identities,
	Members,
	ReadTarget,
	Recipient,
	Target,
	TargetResult,
} from '../../../sync/types';
import { isAccepted, lookUp, lookUpTarget, meantBy, MOST_SEPARATE, suspectsIn } from './lookUp';
import type { Known, LookUpTarget, Sorted } from './lookUp';
import type { GroupRun } from './temporaryGroups';

const UNCLEAR =
	'It is not clear whose ID is whose: the service shows too many people under unexpected IDs, or shows them late. Run the sync again later';

/**
 * Finds the IDs of all addresses: first whole classes, to find the groups that need no change, then each address of the
 * other groups.
 *
 * @param groups all groups of the run, including stopped groups, because the people of a stopped group must not be
 *   removed from other groups
 * @throws if a look-up fails
 */
export async function identifyAddresses(run: GroupRun, groups: ReadTarget[]): Promise<Identities> {
	if (!groups.some(({ stopped }) => !stopped)) return { idsOf: new Map(), problems: new Map() };
	const known: Known = new Map();
	const done = await findDone(run, groups, known);
	const recipients = groups.flatMap(({ target }) => (done.has(target) ? [] : target.recipients));
	const unrefused = recipients.filter(({ key }) => !isNotAccepted(known.get(key)));
	const found = await lookUpPeople(run, unrefused, known);
	const problems = new Map([...known].filter(([, reply]) => isNotAccepted(reply)));
	return { ...found, problems, done };
}

/**
 * Looks up each class as a whole, and finds the groups that need no change. A class is all addresses that items name for
 * exactly the same groups. Does nothing if that costs more than it may save.
 *
 * @throws if the look-up fails
 */
async function findDone(run: GroupRun, groups: ReadTarget[], known: Known) {
	const placesOf = new Map<Recipient['key'], number[]>();
	const addresses = new Map<Recipient['key'], Recipient>();
	for (const [place, { target }] of groups.entries()) {
		for (const one of target.recipients) {
			addresses.set(one.key, one);
			addToList(placesOf, one.key, place);
		}
	}
	const byPlaces = new Map<string, Recipient[]>();
	for (const [key, one] of addresses) addToList(byPlaces, placesOf.get(key)?.join() ?? '', one);
	const classes = Array.from(byPlaces, ([places, people]) => lookUpTarget(places, people));
	if (2 * classes.length > placesOf.size) return new Set<Target>();
	await lookUp(run, classes, known);
	const done = groups.filter(({ before, stopped }, place) => {
		const isNamedIn = ({ key }: LookUpTarget) => key.split(',').includes(String(place));
		const own = classes.filter(isNamedIn);
		return !stopped && isUnchanged(run, before.ids, own);
	});
	return new Set(done.map(({ target }) => target));
}

/**
 * Whether a group needs no change. Equal numbers of IDs and members prove nothing, because an ID without an address can
 * make up for an address without an ID. So its classes must have as many IDs as accepted addresses.
 */
function isUnchanged({ mode }: GroupRun, members: Set<string>, classes: LookUpTarget[]): boolean {
	const all = classes.flatMap(({ ids }) => ids);
	const inGroup = all.filter((id) => members.has(id)).length;
	if (all.length !== classes.flatMap(({ accepted }) => accepted).length) return false;
	if (mode === 'remove') return inGroup === 0;
	return inGroup === all.length && (mode === 'add' || inGroup === members.size);
}

/**
 * Finds the IDs of single addresses. Whose ID is not clear is looked up once more, each address alone in a temporary
 * group. What is shown there is theirs, even if another address has it, too.
 *
 * @returns the IDs of each accepted address, by key, and the IDs that may belong to any of them. Addresses whose IDs
 *   are still not clear are failed in `known`
 * @throws if a look-up fails
 */
async function lookUpPeople(run: GroupRun, addresses: Recipient[], known: Known) {
	if (addresses.length === 0) return { idsOf: new Map<string, string[]>(), odd: new Set<string>() };
	const byKey = new Map(addresses.map((one) => [one.key, lookUpTarget(one.key, [one])]));
	const people = [...byKey.values()];
	const found = await lookUp(run, people, known);
	const lookedUp = new Set<LookUpTarget>();
	let open = unclearAmong(people, found);
	while (open.length > 0 && lookedUp.size + open.length <= MOST_SEPARATE) {
		for (const one of open) lookedUp.add(one);
		await lookUpAlone(run, open, known, found.everywhere);
		// If the ID of somebody else is shown for an address alone, it may not be theirs.
		const shown = new Set([...lookedUp].flatMap(({ ids }) => ids));
		open = people.filter((one) => !lookedUp.has(one) && one.ids.some((id) => shown.has(id)));
	}
	for (const { key } of open) known.set(key, failedStatus(UNCLEAR));
	const clear = people.filter((one) => isAccepted(known, one));
	const odd = new Set([...found.odd.keys(), ...found.everywhere]);
	for (const { ids } of clear) for (const id of ids) odd.delete(id);
	return { idsOf: new Map(clear.map(({ key, ids }) => [key, ids])), odd };
}

/**
 * Returns the people whose IDs are not clear: who has no ID or more than one, whom an odd ID may mean, and whose ID may
 * be that of somebody else. If there are too many to look up each alone and no ID is odd, only those with several IDs
 * are not clear: the others are never shown.
 */
function unclearAmong(people: LookUpTarget[], found: Sorted): LookUpTarget[] {
	if (found.odd.size > MOST_SEPARATE) return people;
	const several = people.filter(({ ids }) => ids.length > 1);
	const lacking = people.filter(({ ids, accepted }) => ids.length < accepted.length);
	const unclear = new Set([...lacking, ...several, ...meantBy(people, found)]);
	if (unclear.size > MOST_SEPARATE) return found.odd.size > 0 ? [...unclear] : several;
	const all = new Set([...unclear, ...suspectsIn(people, found)]);
	return [...(all.size <= MOST_SEPARATE ? all : unclear)];
}

/** Looks up addresses, each alone in a temporary group, out of which the creators are taken. */
async function lookUpAlone(
	run: GroupRun,
	people: LookUpTarget[],
	known: Known,
	creators: ReadonlySet<string>,
): Promise<void> {
	const open = people.filter((one) => isAccepted(known, one));
	if (open.length === 0) return;
	const { seenIn } = await lookUp(run, open, known, creators);
	for (const one of open) {
		// Only the creator of the groups is in the further group, the last one.
		const isTheirs = ([, groups]: [string, number[]]) =>
			groups.includes(one.word[0] ?? 0) && !groups.includes(open.length);
		one.ids = [...seenIn].filter(isTheirs).map(([id]) => id);
	}
}

/** A group that is changed by email, and what the change has shown. */
type Change = TargetResult & {
	before: Members;
	after?: Members | undefined;
	/** Recipients whose status is still open after the counts and the reads. */
	open: Recipient[];
};

/** Adds recipients to their groups by email, or removes them, and finds out whose membership changed. */
export async function changeByEmail(run: GroupRun, groups: ReadTarget[], action: Action) {
	const known: Known = new Map();
	const done = await findUnchanged(run, groups, action, known);
	const changes = groups.map((read): Change => {
		return { ...read, statuses: new Map(), extras: [], notes: [], open: [] };
	});
	const changing = openIn(changes).map(async (one) => {
		const { target, statuses } = one;
		// An address that could not be put into a temporary group may be anybody.
		const isClear = target.recipients.every(({ key }) => known.get(key)?.status !== 'failed');
		if (done.has(target) && isClear) {
			const unchanged = predictionOf(action === 'add', action);
			for (const { key } of target.recipients) {
				const reply = known.get(key);
				statuses.set(key, reply?.status === 'unknown' ? reply : unchanged);
			}
		} else if (target.recipients.length > 0) await change(run, one, action);
	});
	await Promise.all(changing);
	await resolveOpen(run, changes, action);
	return changes;
}

/** If all may be in their groups already, finds the groups without changes: counts do not prove that somebody is a member. */
async function findUnchanged(
	run: GroupRun,
	groups: ReadTarget[],
	action: Action,
	known: Known,
): Promise<ReadonlySet<Target>> {
	const isPossible = ({ target: { recipients }, before, stopped }: ReadTarget) =>
		!stopped && before.complete && before.ids.size >= (action === 'add' ? recipients.length : 1);
	const size = groups.reduce((sum, { target }) => sum + target.recipients.length, 0);
	// The status of a few people costs less if their requests do not show it.
	if (size <= MOST_SEPARATE || !groups.some(isPossible)) return new Set();
	return await findDone(run, groups, known).catch((error: unknown) => {
		run.log(`Who is a member could not be found out: ${messageOf(error)}`);
		return new Set<Target>();
	});
}

/** Changes a group by email. The counts of the responses and the reads prove some statuses, and all others are open. */
async function change(run: GroupRun, group: Change, action: Action): Promise<void> {
	const { target, statuses, open } = group;
	if (target.id === '') await createMissing(run, group);
	if (group.stopped) return;
	const { before } = group;
	const sending = { action, targetId: target.id, by: 'email' } as const;
	const { replies, changed } = await sendAll(run, target.recipients, sending);
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
	for (const one of target.recipients) {
		const reply = replies.get(one.key);
		const isProved = changesShown === changed && reply?.status === STATUSES_OF[action][0];
		if (isNotAccepted(reply) ? reply.mayBeDone && changesShown > 0 : !isProved) open.push(one);
	}
}

/** Finds the IDs of the open recipients of all groups in one look-up, and sets the statuses of these recipients. */
async function resolveOpen(run: GroupRun, groups: Change[], action: Action): Promise<void> {
	if (run.cancelSignal?.aborted) return;
	const people = groups.flatMap(({ open }) => open);
	const replies = groups.flatMap(({ statuses }) => [...statuses]);
	const known: Known = new Map(replies.filter(([, reply]) => !isNotAccepted(reply)));
	const { idsOf } = await lookUpPeople(run, people, known).catch((error: unknown) => {
		run.log(`Who was added or removed could not be found out: ${messageOf(error)}`);
		return { idsOf: new Map<string, string[]>() };
	});
	for (const { open, statuses, before, after } of groups) {
		for (const { key } of open) {
			const ids = idsOf.get(key);
			const reply = statuses.get(key);
			if (ids) {
				const replies = new Map(reply && ids.map((id) => [id, reply]));
				const ofIds = ids.map((id) => statusOf(id, action, { before, after, replies }));
				statuses.set(key, combine(ofIds, action));
			} else if (!isNotAccepted(reply)) statuses.set(key, unverified(action));
		}
	}
}
