import { failedStatus, isFailedOrUnknown } from '../../../sync/status';
import { sendInChunks } from '../../../sync/sendInChunks';
import type { RecipientStatus, Recipient } from '../../../sync/types';
import { combinationsFor, MOST_SEPARATE, type Combination } from './combinations';
import { readInRounds, removeIds, touch, withTemporaryGroups } from './temporaryGroups';
import type { GroupRun } from './temporaryGroups';

/** What is looked up together (docs/development/sync.md): one address, or a class of addresses. */
export type LookUpTarget = {
	/** The key of the address, or the groups for which items name the class. */
	key: string;
	addresses: Recipient[];
	/**
	 * The temporary groups into which the addresses are put. No other target has the same groups. The service never shows an
	 * address next to its ID. But if an ID is seen in exactly these groups, it is an ID of this target.
	 */
	groups: Combination;
	/** Its addresses that the service accepted. */
	accepted: Recipient[];
	/** The IDs that were seen in exactly its groups. */
	ids: string[];
};

/** Creates a look-up target, still without groups and results. @param key `LookUpTarget.key` */
export function createLookUpTarget(key: string, addresses: Recipient[]): LookUpTarget {
	return { key, addresses, groups: [], accepted: [], ids: [] };
}

/** What the temporary groups show. The targets have the IDs that are clearly theirs. */
export type Assignment = {
	/** The groups in which each ID was seen. */
	seenIn: ReadonlyMap<string, Combination>;
	/** IDs that were seen in groups that are not those of any target, and these groups. */
	unassigned: Map<string, Combination>;
	/**
	 * IDs that were seen in all groups, or in all that hold somebody. Nobody was put into all of these, so the IDs are those of
	 * the creator of the groups.
	 */
	everywhere: Set<string>;
	/** Whether a group shows fewer people than were put in. */
	isShort: boolean;
};

/** Whether a target has fewer IDs than accepted addresses. */
function isLacking({ ids, accepted }: LookUpTarget): boolean {
	return ids.length < accepted.length;
}

/**
 * Assigns each ID to the target whose groups are exactly those in which the ID was seen. Replaces the `ids` of the targets.
 * The control group is left out of this comparison: it shows only the control person and the creator of the groups.
 *
 * @param seenIn the groups in which each ID was seen
 * @param controlGroup the index of the last group. As groups count from 0, there is one group more
 * @param controlTarget the target whose first accepted address, the control person, is in the control group. Undefined if
 *   nobody was put into the control group
 */
export function assignIds(
	targets: LookUpTarget[],
	seenIn: ReadonlyMap<string, Combination>,
	controlGroup: number,
	controlTarget?: LookUpTarget,
): Assignment {
	const targetAt = new Map(targets.map((target) => [target.groups.join(), target]));
	for (const target of targets) target.ids = [];
	const controlCount = [...seenIn.values()].filter((seen) => seen.includes(controlGroup)).length;
	const unassigned = new Map<string, Combination>();
	const everywhere = new Set<string>();
	const known = targets.filter(({ accepted }) => accepted.length > 0);
	const filled = new Set(known.flatMap((target) => target.groups));
	// A group that holds nobody lacks a creator whom `touch` took out of it. So it is left out, unless somebody was put into all
	// others: then the others do not show who is the creator.
	const isFilledEnough =
		controlTarget !== undefined && known.every((target) => target.groups.length < filled.size);
	for (const [id, groups] of seenIn) {
		const isInControl = groups.includes(controlGroup);
		const target = targetAt.get(groups.filter((group) => group !== controlGroup).join());
		const isOfTarget = target && (!isInControl || target === controlTarget);
		const isInAllGroups = isFilledEnough
			? isInControl && [...filled].every((group) => groups.includes(group))
			: groups.length === controlGroup + 1;
		// With only one other group, the control person is in all groups, too. If the control group shows nobody else, it is them.
		const isControlPerson = isOfTarget && isInControl && controlCount === 1;
		if (isInAllGroups && !isControlPerson) everywhere.add(id);
		else if (isOfTarget) target.ids.push(id);
		else unassigned.set(id, groups);
	}
	// A control group that shows only those who are in all groups lacks the control person.
	const isControlShort = controlTarget !== undefined && controlCount === everywhere.size;
	const isShort = isControlShort || isAnyShort(targets, unassigned);
	return { seenIn, unassigned, everywhere, isShort };
}

/** Whether a group shows fewer people of the targets than were put in. */
function isAnyShort(targets: LookUpTarget[], unassigned: Assignment['unassigned']): boolean {
	/** How many people each group lacks. */
	const lacking = new Map<number, number>();
	const count = (groups: Combination, people: number) => {
		for (const group of groups) lacking.set(group, (lacking.get(group) ?? 0) + people);
	};
	for (const { groups, accepted, ids } of targets.filter(isLacking))
		count(groups, accepted.length - ids.length);
	// An unassigned ID may be anybody, so it makes up for one address that lacks an ID.
	for (const groups of unassigned.values()) count(groups, -1);
	return [...lacking.values()].some((people) => people > 0);
}

/**
 * Returns the targets to which the unassigned IDs may belong; a target may be there several times. An unassigned ID may be
 * that of a person with several addresses, so the candidates are all targets whose groups all show it. If the candidates that
 * lack an ID account for all groups that show it, only these may own it. Otherwise, a candidate that has an ID may, too.
 */
export function possibleOwners(targets: LookUpTarget[], found: Assignment): LookUpTarget[] {
	return [...found.unassigned.values()].flatMap((seenIn) => {
		const candidates = targets.filter(({ groups }) => groups.every((one) => seenIn.includes(one)));
		const lacking = candidates.filter(isLacking);
		const explained = new Set(lacking.flatMap(({ groups }) => groups));
		return seenIn.every((group) => explained.has(group)) ? lacking : candidates;
	});
}

/**
 * Returns the people whose IDs are not clear. More than `MOST_SEPARATE` are too many:
 *
 * - If too many IDs are unassigned: everybody.
 * - Otherwise, who lacks an ID, who has several, and to whom an unassigned ID may belong. If these are too many and no ID is
 *   unassigned: only those with several IDs, because the service never shows the people who lack one.
 */
export function unclearAmong(people: LookUpTarget[], found: Assignment): LookUpTarget[] {
	if (found.unassigned.size > MOST_SEPARATE) return people;
	const lacking = people.filter(isLacking);
	const several = people.filter(({ ids }) => ids.length > 1);
	const unclear = new Set([...lacking, ...several, ...possibleOwners(people, found)]);
	const areHidden = unclear.size > MOST_SEPARATE && found.unassigned.size === 0;
	return areHidden ? several : [...unclear];
}

/** What the service replied about the addresses of a run, by key. */
export type Replies = Map<string, RecipientStatus>;

/** Whether the service accepted an address. */
export function isAccepted(replies: Replies, { key }: Pick<Recipient, 'key'>): boolean {
	return replies.has(key) && !isFailedOrUnknown(replies.get(key));
}

/**
 * Finds the IDs of targets. Puts the addresses of each target into its combination of temporary groups, and reads all
 * groups. An ID that is seen in exactly these groups belongs to this target. One further group, the control group, holds one
 * person: it shows whether the groups are late, and who is in all groups. If only one person is looked up, the control group
 * is empty: a person in all groups would look like the creator of the groups.
 *
 * @param targets targets whose addresses the service has not refused. Gets their groups, accepted addresses and IDs
 * @param replies what the service replied about addresses. Gets the new replies
 * @param creators if given, each target must have a separate group, out of which these IDs are taken first: those of the
 *   creator of the groups. The control group is then empty, so that only they can be in it
 * @returns the groups in which each ID was seen, and what is not assigned to a target
 * @throws if groups cannot be created, filled or read completely, or if the reads keep changing
 */
export async function lookUp(
	run: GroupRun,
	targets: LookUpTarget[],
	replies: Replies,
	creators?: ReadonlySet<string>,
): Promise<Assignment> {
	const combinations = combinationsFor(targets.length);
	for (const [index, target] of targets.entries()) target.groups = combinations[index] ?? [];
	// The index of the last group.
	const controlGroup = new Set(combinations.flat()).size;
	return await withTemporaryGroups(run, controlGroup + 1, async (groupIds) => {
		const inEach: EachGroup = async (work) => void (await Promise.all(groupIds.map(work)));
		if (creators?.size) await inEach(async (groupId) => await removeIds(run, groupId, creators));
		await fill(run, inEach, targets, replies);
		const [person, ...others] = targets.flatMap(({ accepted }) => accepted);
		const isControlEmpty = creators !== undefined || others.length === 0;
		const isOfPerson = ({ accepted: [first] }: LookUpTarget) => first === person;
		const controlTarget = isControlEmpty ? undefined : targets.find(isOfPerson);
		const assign = (seenIn: Assignment['seenIn']) =>
			assignIds(targets, seenIn, controlGroup, controlTarget);
		// If the service accepted nobody, no ID is theirs.
		if (!person) return assign(new Map());
		// The creator of a group may appear with its first change, so a group that holds nobody is changed, too.
		await inEach(async (groupId, group) => {
			const isFilled = targets.some(({ groups, accepted: [one] }) => one && groups.includes(group));
			if (group === controlGroup && !isControlEmpty) await put(run, groupId, [person], replies);
			else if (!isFilled) await touch(run, groupId, person);
		});
		return await readInRounds(run, groupIds, (seenIn) => {
			const found = assign(seenIn);
			// An empty control group does not show whether the groups are late. So this round counts as short: the reads must stay
			// unchanged for some time.
			if (isControlEmpty || found.isShort) return { ...found, shows: 'short' };
			const isEqual = targets.every(({ ids, accepted }) => ids.length === accepted.length);
			const isExact = isEqual && found.unassigned.size + found.everywhere.size === 0;
			return { ...found, shows: isExact ? 'exact' : 'full' };
		});
	});
}

/** Runs work for all temporary groups at once. */
type EachGroup = (work: (groupId: string, group: number) => Promise<void>) => Promise<void>;

/**
 * Puts the addresses of targets into their groups, and sets `accepted` of the targets. First, each new address goes only into
 * the first of its groups. This finds the unknown addresses.
 */
async function fill(run: GroupRun, inEach: EachGroup, targets: LookUpTarget[], replies: Replies) {
	const isNew = ({ key }: Recipient) => !replies.has(key);
	const fresh = new Set(targets.flatMap(({ addresses }) => addresses.filter(isNew)));
	await inEach(async (groupId, group) => {
		const starting = targets.filter(({ groups }) => groups[0] === group);
		const people = starting.flatMap(({ addresses }) => addresses.filter((one) => fresh.has(one)));
		await put(run, groupId, people, replies);
	});
	for (const target of targets) {
		target.accepted = target.addresses.filter((one) => isAccepted(replies, one));
	}
	await inEach(async (groupId, group) => {
		const inGroup = targets.filter(({ groups }) => groups.includes(group));
		const people = inGroup.flatMap(({ groups, accepted }) =>
			accepted.filter((one) => groups[0] !== group || !fresh.has(one)),
		);
		await put(run, groupId, people, replies);
	});
}

/** Puts addresses into a temporary group, and records the replies. An earlier failure stays recorded. */
async function put(run: GroupRun, targetId: string, people: Recipient[], replies: Replies) {
	const options = { action: 'add', targetId, identifyBy: 'email' } as const;
	const sent = await sendInChunks(run, people, options);
	for (const [key, reply] of sent.replies) {
		const before = replies.get(key);
		// If an address was accepted before and is refused now, its look-up fails: nothing proves that it is unknown, and Remove
		// Despite Invalid does not allow removals.
		const isUnsure = before && isFailedOrUnknown(reply);
		if (!isFailedOrUnknown(before)) replies.set(key, isUnsure ? failedStatus(reply.reason) : reply);
	}
}
