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

/** Creates what is looked up for some addresses together. */
export function createLookUpTarget(key: string, addresses: Recipient[]): LookUpTarget {
	return { key, addresses, groups: [], accepted: [], ids: [] };
}

/** What the temporary groups show beside the IDs of the targets. */
export type Assignment = {
	/** IDs that were seen in groups that are not those of any target, and these groups. */
	unassigned: Map<string, Combination>;
	/** IDs that were seen in all groups, where nobody was put into all of them: the creator of the groups. */
	everywhere: Set<string>;
	/** Groups that show fewer people than were put in. */
	short: Set<number>;
};

/** Whether a target has fewer IDs than accepted addresses. */
function isLacking({ ids, accepted }: LookUpTarget): boolean {
	return ids.length < accepted.length;
}

/**
 * Assigns each ID to the target whose groups are exactly those in which the ID was seen. Earlier `ids` of the targets are
 * replaced.
 *
 * @param seenIn the groups in which each ID was seen
 * @param furtherGroup the index of the last group, which holds only one known person, or nobody
 * @param targetInFurther the target whose first accepted address is in the further group
 */
export function assignIds(
	targets: LookUpTarget[],
	seenIn: ReadonlyMap<string, Combination>,
	furtherGroup: number,
	targetInFurther?: LookUpTarget,
): Assignment {
	const targetAt = new Map(targets.map((target) => [target.groups.join(), target]));
	for (const target of targets) target.ids = [];
	const furtherCount = [...seenIn.values()].filter((seen) => seen.includes(furtherGroup)).length;
	const unassigned = new Map<string, Combination>();
	const everywhere = new Set<string>();
	for (const [id, groups] of seenIn) {
		const isInFurther = groups.includes(furtherGroup);
		const target = targetAt.get(groups.filter((group) => group !== furtherGroup).join());
		const isOfTarget = target && (!isInFurther || target === targetInFurther);
		// If there is only one other group, the known person is in all groups, too.
		const isKnownPerson = isOfTarget && isInFurther && furtherCount === 1;
		const isInAllGroups = groups.length === furtherGroup + 1;
		if (isInAllGroups && !isKnownPerson) everywhere.add(id);
		else if (isOfTarget) target.ids.push(id);
		else unassigned.set(id, groups);
	}
	/** How many people each group lacks. */
	const lacking = Array.from({ length: furtherGroup + 1 }, () => 0);
	const count = (groups: Combination, people: number) => {
		for (const group of groups) lacking[group] = (lacking[group] ?? 0) + people;
	};
	// The further group should show the known person, and whoever is in all groups.
	if (targetInFurther) count([furtherGroup], 1 + everywhere.size - furtherCount);
	for (const { groups, accepted, ids } of targets.filter(isLacking))
		count(groups, accepted.length - ids.length);
	// An unassigned ID may be anybody, so it makes up for one address that lacks an ID.
	for (const groups of unassigned.values()) count(groups, -1);
	const short = new Set(lacking.flatMap((people, group) => (people > 0 ? group : [])));
	return { unassigned, everywhere, short };
}

/**
 * Returns the targets whose ID may belong to somebody else: a person with several addresses that all lack an ID, whom the
 * groups of the target show, while all other groups of these addresses are short. For example, a person was put into
 * `[0, 1, 2, 3]` and `[4, 5, 6, 7]`. As long as only the groups 2 to 5 show this person, the ID seems to be that of the
 * target `[2, 3, 4, 5]`.
 */
export function targetsInDoubt(targets: LookUpTarget[], { short }: Assignment): LookUpTarget[] {
	const lacking = targets.filter(isLacking);
	return targets.filter(({ ids, groups }) => {
		const mayBeShownHere = (other: LookUpTarget) =>
			other.groups.every((group) => short.has(group) || groups.includes(group));
		const covered = new Set(lacking.filter(mayBeShownHere).flatMap((other) => other.groups));
		return ids.length > 0 && groups.every((group) => covered.has(group));
	});
}

/**
 * Returns the targets to which the unassigned IDs may belong; a target may be there several times. For each ID, these are
 * the targets that lack an ID and whose groups all show it. If a group that none of them has shows it, too, these are all
 * targets whose groups all show it.
 */
export function possibleOwners(targets: LookUpTarget[], found: Assignment): LookUpTarget[] {
	return [...found.unassigned.values()].flatMap((seenIn) => {
		const shown = targets.filter(({ groups }) => groups.every((group) => seenIn.includes(group)));
		const lacking = shown.filter(isLacking);
		const explained = new Set(lacking.flatMap(({ groups }) => groups));
		return seenIn.every((group) => explained.has(group)) ? lacking : shown;
	});
}

/**
 * Returns the people whose IDs are not clear: who has no ID or more than one, to whom an unassigned ID may belong, and whose
 * ID may be that of somebody else. If these are too many, leaves out first the last kind. If they are still too many and no
 * ID is unassigned, only those with several IDs are not clear: the others are never shown. If too many IDs are
 * unassigned, nobody's ID is clear.
 */
export function unclearAmong(people: LookUpTarget[], found: Assignment): LookUpTarget[] {
	if (found.unassigned.size > MOST_SEPARATE) return people;
	const several = people.filter(({ ids }) => ids.length > 1);
	const lacking = people.filter(isLacking);
	const unclear = new Set([...lacking, ...several, ...possibleOwners(people, found)]);
	if (unclear.size > MOST_SEPARATE) return found.unassigned.size > 0 ? [...unclear] : several;
	const withDoubtful = new Set([...unclear, ...targetsInDoubt(people, found)]);
	return [...(withDoubtful.size <= MOST_SEPARATE ? withDoubtful : unclear)];
}

/** What the service replied about the addresses of a run, by key. */
export type Replies = Map<string, RecipientStatus>;

/** Whether the service accepted an address. */
export function isAccepted(known: Replies, { key }: Pick<Recipient, 'key'>): boolean {
	return known.has(key) && !isFailedOrUnknown(known.get(key));
}

/** What is seen in temporary groups: the groups in which each ID was seen, and what this means. */
type Found = Assignment & { seenIn: ReadonlyMap<string, Combination> };

/**
 * Finds the IDs of targets. Puts the addresses of each target into its combination of temporary groups, and reads all
 * groups. An ID that is seen in exactly these groups belongs to this target. One further group holds one known person: it
 * shows whether the groups are late, and who is in all groups. If only one person is looked up, the further group is empty.
 *
 * @param targets targets whose addresses the service has not refused. Gets their groups, accepted addresses and IDs
 * @param known what the service replied about addresses. Gets the new replies
 * @param creators if given, each target must have a separate group, out of which these IDs are taken first: those of the
 *   creator of the groups. The further group is then empty, too
 * @returns the groups in which each ID was seen, and what is not assigned to a target
 * @throws if groups cannot be created, filled or read completely, or if the reads keep changing
 */
export async function lookUp(
	run: GroupRun,
	targets: LookUpTarget[],
	known: Replies,
	creators?: ReadonlySet<string>,
): Promise<Found> {
	const combinations = combinationsFor(targets.length);
	for (const [index, target] of targets.entries()) target.groups = combinations[index] ?? [];
	// The index of the last group.
	const furtherGroup = new Set(combinations.flat()).size;
	return await withTemporaryGroups(run, furtherGroup + 1, async (groupIds) => {
		const eachGroup: EachGroup = async (work) => void (await Promise.all(groupIds.map(work)));
		if (creators?.size) await eachGroup(async (groupId) => await removeIds(run, groupId, creators));
		await fill(run, eachGroup, targets, known);
		const knownTarget = targets.find(({ accepted }) => accepted.length > 0);
		// The first address of `knownTarget`, and all other accepted addresses.
		const [knownPerson, ...others] = targets.flatMap(({ accepted }) => accepted);
		const isFurtherEmpty = creators !== undefined || others.length === 0;
		const targetInFurther = isFurtherEmpty ? undefined : knownTarget;
		const assign = (seenIn: Found['seenIn']) => {
			return { seenIn, ...assignIds(targets, seenIn, furtherGroup, targetInFurther) };
		};
		// If the service accepted nobody, no ID is theirs.
		if (!knownPerson) return assign(new Map());
		// The creator of a group may appear with its first change, so each group gets a change.
		await eachGroup(async (groupId, group) => {
			const isFilled = targets.some(({ groups, accepted: [one] }) => one && groups.includes(group));
			if (group === furtherGroup && !isFurtherEmpty) await put(run, groupId, [knownPerson], known);
			else if (!isFilled) await touch(run, groupId, knownPerson);
		});
		return await readInRounds(run, groupIds, (seenIn) => {
			const found = assign(seenIn);
			// If the further group holds nobody, no group shows whether it is late. So this round counts as short: the reads must
			// stay unchanged for some time.
			if (isFurtherEmpty || found.short.size > 0) return { ...found, shows: 'short' };
			const isEqual = targets.every(({ ids, accepted }) => ids.length === accepted.length);
			const isExact = isEqual && found.unassigned.size + found.everywhere.size === 0;
			return { ...found, shows: isExact ? 'exact' : 'full' };
		});
	});
}

/** Runs work for all temporary groups at once. */
type EachGroup = (work: (groupId: string, group: number) => Promise<void>) => Promise<void>;

/**
 * Puts the addresses of targets into their groups. First, each new address goes only into the first of its groups. This
 * finds the unknown addresses.
 */
async function fill(run: GroupRun, eachGroup: EachGroup, targets: LookUpTarget[], known: Replies) {
	const isNew = ({ key }: Recipient) => !known.has(key);
	const fresh = new Set(targets.flatMap(({ addresses }) => addresses.filter(isNew)));
	await eachGroup(async (groupId, group) => {
		const starting = targets.filter(({ groups }) => groups[0] === group);
		const people = starting.flatMap(({ addresses }) => addresses.filter((one) => fresh.has(one)));
		await put(run, groupId, people, known);
	});
	for (const target of targets) {
		target.accepted = target.addresses.filter((one) => isAccepted(known, one));
	}
	await eachGroup(async (groupId, group) => {
		const inGroup = targets.filter(({ groups }) => groups.includes(group));
		const people = inGroup.flatMap(({ groups, accepted }) =>
			accepted.filter((one) => groups[0] !== group || !fresh.has(one)),
		);
		await put(run, groupId, people, known);
	});
}

/** Puts addresses into a temporary group, and records whom the service accepted. */
async function put(run: GroupRun, targetId: string, people: Recipient[], known: Replies) {
	const options = { action: 'add', targetId, identifyBy: 'email' } as const;
	const { replies } = await sendInChunks(run, people, options);
	for (const [key, reply] of replies) {
		const before = known.get(key);
		// If an address was accepted before and is refused now, nothing proves that it is unknown.
		const isDoubtful = before && reply.status === 'unknown';
		if (!isFailedOrUnknown(before)) known.set(key, isDoubtful ? failedStatus(reply.reason) : reply);
	}
}
