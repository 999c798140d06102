import { failedStatus, isNotAccepted } from '../../../sync/status';
import { sendAll } from '../../../sync/send';
import type { RecipientStatus, Recipient } from '../../../sync/types';
import { readInRounds, takeOut, touch, withTemporaryGroups } from './temporaryGroups';
import type { GroupRun } from './temporaryGroups';

/**
 * The temporary groups into which Sync puts an address, by index, in ascending order. The service never shows an address
 * next to its ID. But if an ID is seen in exactly the groups of a word, it is the ID of the address with this word.
 */
export type Word = number[];

/** What is looked up with one word (docs/development/sync.md): one address, or a class of addresses. */
export type LookUpTarget = {
	/** The key of the address, or the groups for which items name the class. */
	key: string;
	addresses: Recipient[];
	word: Word;
	/** Its addresses that the service accepted. */
	accepted: Recipient[];
	/** The IDs that were seen in exactly the groups of its word. */
	ids: string[];
};

/** Returns what is looked up for some addresses together. */
export function lookUpTarget(key: string, addresses: Recipient[]): LookUpTarget {
	return { key, addresses, word: [], accepted: [], ids: [] };
}

/** Up to this many words, each word is one separate group. */
export const MOST_SEPARATE = 12;

/**
 * Longer words have four groups: if some groups show people late, what they show of one person is then hardly ever the
 * word of another.
 */
const LONG_WORD = 4;

/** Returns this many different words, with the fewest groups that give enough of them. */
export function wordsFor(count: number): Word[] {
	const length = count <= MOST_SEPARATE ? 1 : LONG_WORD;
	let groups = length;
	while (choose(groups, length) < count) groups++;
	const words = wordsOf(length, groups);
	return Array.from({ length: count }, () => words.next().value ?? []);
}

/** Returns the binomial coefficient: in how many ways `few` of `many` can be chosen. */
function choose(many: number, few: number): number {
	return few === 0 ? 1 : (choose(many - 1, few - 1) * many) / few;
}

/** Yields all words of some length, in lexical order. */
function* wordsOf(length: number, groups: number, first = 0): Generator<Word> {
	if (length === 0) return yield [];
	for (let group = first; group <= groups - length; group++) {
		for (const rest of wordsOf(length - 1, groups, group + 1)) yield [group, ...rest];
	}
}

/** What the temporary groups show beside the IDs of the targets. */
export type Sorted = {
	/** IDs that were seen in groups that are not the word of any target, and these groups. */
	odd: Map<string, Word>;
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
 * Assigns each ID to the target whose word is exactly the groups in which the ID was seen.
 *
 * @param seenIn the groups in which each ID was seen
 * @param further the index of the last group, which holds only one known person, or nobody
 * @param inFurther the target whose first accepted address is in the further group
 */
export function sortIds(
	targets: LookUpTarget[],
	seenIn: ReadonlyMap<string, Word>,
	further: number,
	inFurther?: LookUpTarget,
): Sorted {
	const targetAt = new Map(targets.map((target) => [target.word.join(), target]));
	for (const target of targets) target.ids = [];
	const idsInFurther = [...seenIn.values()].filter((word) => word.includes(further)).length;
	const [odd, everywhere] = [new Map<string, Word>(), new Set<string>()];
	for (const [id, word] of seenIn) {
		const isFurther = word.includes(further);
		const target = targetAt.get(word.filter((group) => group !== further).join());
		const isIn = target && (!isFurther || target === inFurther);
		// The known person is in all groups, too, if there is only one other group.
		const isKnown = isIn && isFurther && idsInFurther === 1;
		if (word.length === further + 1 && !isKnown) everywhere.add(id);
		else if (isIn) target.ids.push(id);
		else odd.set(id, word);
	}
	// An odd ID may be anybody, so it makes up for one address that lacks an ID.
	const missing = Array.from({ length: further + 1 }, () => 0);
	const count = (word: Word, change: number) => {
		for (const group of word) missing[group] = (missing[group] ?? 0) + change;
	};
	if (inFurther) count([further], 1 + everywhere.size - idsInFurther);
	for (const one of targets.filter(isLacking))
		count(one.word, one.accepted.length - one.ids.length);
	for (const word of odd.values()) count(word, -1);
	const short = new Set(missing.flatMap((number, group) => (number > 0 ? group : [])));
	return { odd, everywhere, short };
}

/**
 * Returns the targets whose ID may belong to somebody else: to a person with several addresses who lack an ID. In the
 * groups of the target, such a person is shown. In the other groups of their words, which are all short, they are not
 * shown yet.
 */
export function suspectsIn(targets: LookUpTarget[], { short }: Sorted): LookUpTarget[] {
	const lacking = targets.filter(isLacking);
	return targets.filter(({ ids, word }) => {
		const isOpen = (other: LookUpTarget) =>
			other.word.every((group) => short.has(group) || word.includes(group));
		const covered = new Set(lacking.filter(isOpen).flatMap((other) => other.word));
		return ids.length > 0 && word.every((group) => covered.has(group));
	});
}

/**
 * Returns the targets to which the odd IDs may belong; a target may be there several times. For each ID, these are the
 * targets that lack an ID and whose words are part of its groups. If these words do not explain all its groups, they are
 * all targets whose words are part of its groups.
 */
export function meantBy(targets: LookUpTarget[], { odd }: Sorted): LookUpTarget[] {
	return [...odd.values()].flatMap((groups) => {
		const parts = targets.filter(({ word }) => word.every((group) => groups.includes(group)));
		const lacking = parts.filter(isLacking);
		const explained = new Set(lacking.flatMap(({ word }) => word));
		return groups.every((group) => explained.has(group)) ? lacking : parts;
	});
}

/** What the service said about the addresses of a run, by key. */
export type Known = Map<string, RecipientStatus>;

/** Whether the service accepted an address. */
export function isAccepted(known: Known, { key }: Pick<Recipient, 'key'>): boolean {
	return known.has(key) && !isNotAccepted(known.get(key));
}

/** What is seen in temporary groups: the groups in which each ID was seen, and what this means. */
type Found = Sorted & { seenIn: ReadonlyMap<string, Word> };

/**
 * Finds the IDs of targets. Puts the addresses of each target into some temporary groups, called its word, and reads
 * all groups. An ID that is seen in exactly the groups of a word belongs to the target of this word. One further group
 * holds one known person: it shows whether the groups are late, and who is in all groups.
 *
 * @param targets targets whose addresses the service has not refused. Gets their words and IDs
 * @param creators if given, each target must have a separate group, out of which these IDs are taken first: those of the
 *   creator of the groups. The further group is then empty
 * @throws if groups cannot be created, filled or read completely, or if the reads keep changing
 */
export async function lookUp(
	run: GroupRun,
	targets: LookUpTarget[],
	known: Known,
	creators?: ReadonlySet<string>,
): Promise<Found> {
	const words = wordsFor(targets.length);
	for (const [index, target] of targets.entries()) target.word = words[index] ?? [];
	const further = new Set(words.flat()).size;
	let found: Found = { ...sortIds(targets, new Map(), further), seenIn: new Map() };
	await withTemporaryGroups(run, further + 1, async (groupIds) => {
		const eachGroup: EachGroup = async (work) => void (await Promise.all(groupIds.map(work)));
		if (creators && creators.size > 0) {
			await eachGroup(async (groupId) => await takeOut(run, groupId, creators));
		}
		await fill(run, eachGroup, targets, known);
		const holder = targets.find(({ accepted }) => accepted.length > 0);
		const anyone = holder?.accepted[0];
		if (!anyone) return;
		const isAlone = targets.flatMap(({ accepted }) => accepted).length === 1;
		const isEmpty = creators !== undefined || isAlone;
		// The creator of a group may appear with its first change, so each group gets a change.
		await eachGroup(async (groupId, group) => {
			const isFilled = targets.some(({ word, accepted: [one] }) => one && word.includes(group));
			if (group === further && !isEmpty) await put(run, groupId, [anyone], known);
			else if (!isFilled) await touch(run, groupId, anyone);
		});
		await readInRounds(run, groupIds, (seenIn) => {
			found = { ...sortIds(targets, seenIn, further, isEmpty ? undefined : holder), seenIn };
			// If the further group holds nobody, it does not show whether it is late.
			if (isEmpty || found.short.size > 0) return 'short';
			const isEqual = targets.every(({ ids, accepted }) => ids.length === accepted.length);
			return isEqual && found.odd.size + found.everywhere.size === 0 ? 'exact' : 'full';
		});
	});
	return found;
}

type EachGroup = (work: (groupId: string, group: number) => Promise<void>) => Promise<void>;

/**
 * Puts the addresses of targets into the groups of their words. First, each new address goes only into the first group of
 * its word. This finds the unknown addresses.
 */
async function fill(
	run: GroupRun,
	eachGroup: EachGroup,
	targets: LookUpTarget[],
	known: Known,
): Promise<void> {
	const isNew = ({ key }: Recipient) => !known.has(key);
	const fresh = new Set(targets.flatMap(({ addresses }) => addresses.filter(isNew)));
	const putInto = async (peopleOf: (target: LookUpTarget, isFirst: boolean) => Recipient[]) =>
		await eachGroup(async (groupId, group) => {
			const inGroup = targets.filter(({ word }) => word.includes(group));
			const people = inGroup.flatMap((one) => peopleOf(one, one.word[0] === group));
			await put(run, groupId, people, known);
		});
	await putInto(({ addresses }, isFirst) => addresses.filter((one) => isFirst && fresh.has(one)));
	for (const target of targets) {
		target.accepted = target.addresses.filter((one) => isAccepted(known, one));
	}
	await putInto((one, isFirst) => one.accepted.filter((two) => !(isFirst && fresh.has(two))));
}

/** Puts addresses into a temporary group, and records whom the service accepted. */
async function put(run: GroupRun, targetId: string, people: Recipient[], known: Known) {
	const { replies } = await sendAll(run, people, { action: 'add', targetId, by: 'email' });
	for (const [key, reply] of replies) {
		const before = known.get(key);
		// If an address was accepted before and is refused now, nothing proves that it is unknown.
		const isDoubtful = before && reply.status === 'unknown';
		if (!isNotAccepted(before)) known.set(key, isDoubtful ? failedStatus(reply.reason) : reply);
	}
}
