import type { Recipient } from '../../../sync/types';

/**
 * The temporary groups into which Sync puts an address, by index. The service never shows an address next to its ID.
 * But if an ID is seen in exactly the groups of a word, it is the ID of the address with this word.
 */
export type Word = number[];

/** How many temporary groups there are, and how many of them each word has. */
export type Code = { groups: number; perWord: number };

/** Up to this many words, each word is one separate group. */
export const MOST_SEPARATE = 12;

/**
 * Longer words have at least four groups: if some groups show people late, what they show of one person is then hardly
 * ever the word of another.
 */
const SHORTEST_WORD = 4;

/** Longer words are not needed: 8 of 19 groups already give more than 75,000 words. */
const LONGEST_WORD = 8;

/**
 * Chooses the code with the fewest groups per word, and then the fewest groups.
 *
 * @param words how many different words are needed
 * @param most maximum number of groups
 * @returns the code, or undefined if `most` groups are too few for the words
 */
export function chooseCode(words: number, most = Infinity): Code | undefined {
	if (words <= MOST_SEPARATE && words <= most) return { groups: words, perWord: 1 };
	for (let perWord = SHORTEST_WORD; perWord <= LONGEST_WORD; perWord++) {
		let groups = perWord + 1;
		while (choose(groups, perWord) < words) groups++;
		if (groups <= most) return { groups, perWord };
	}
	return undefined;
}

/** Returns the binomial coefficient: in how many ways `few` of `many` can be chosen. */
function choose(many: number, few: number): number {
	let ways = 1;
	for (let index = 1; index <= few; index++) ways = (ways * (many - few + index)) / index;
	return Math.round(ways);
}

/**
 * Returns `count` words of a code. Takes a pattern, and moves it by one group for each further word, so that the words
 * fill all groups evenly. Then takes the next pattern.
 */
export function wordsOf({ groups, perWord }: Code, count: number): Word[] {
	const words: Word[] = [];
	const seen = new Set<string>();
	for (const pattern of patterns(groups, perWord)) {
		for (let shift = 0; words.length < count; shift++) {
			const word = pattern.map((group) => (group + shift) % groups);
			const key = keyOf(word);
			if (seen.has(key)) break;
			seen.add(key);
			words.push(word);
		}
		if (words.length === count) break;
	}
	return words;
}

/** Yields all words that begin with group 0, in lexical order. */
function* patterns(groups: number, perWord: number): Generator<Word> {
	const others = Array.from({ length: groups - 1 }, (_, index) => index + 1);
	for (const rest of subsets(others, perWord - 1)) yield [0, ...rest];
}

function* subsets(list: number[], size: number): Generator<number[]> {
	if (size === 0) return yield [];
	for (let first = 0; first <= list.length - size; first++) {
		for (const rest of subsets(list.slice(first + 1), size - 1)) yield [list[first] ?? 0, ...rest];
	}
}

/** Returns a text that is the same for the same groups in any order. */
function keyOf(groups: Word): string {
	return [...groups].sort((a, b) => a - b).join(' ');
}

/** What is looked up with one word (docs/development/sync.md): one address, or a class of addresses. */
export type LookUpTarget = {
	addresses: Recipient[];
	word: Word;
	/** Its addresses that the service accepted. */
	accepted: Recipient[];
};

/** Returns what is looked up for some addresses together. */
export function lookUpTarget(addresses: Recipient[]): LookUpTarget {
	return { addresses, word: [], accepted: [] };
}

/** What the temporary groups show about the targets. */
export type Sorted<Target extends LookUpTarget = LookUpTarget> = {
	/** The IDs of each target: those that were seen in exactly the groups of its word. */
	idsOf: Map<Target, string[]>;
	/** Targets with fewer IDs than accepted addresses. */
	lacking: Set<Target>;
	/** IDs that were seen in groups that are not the word of any target, and these groups. */
	odd: Map<string, Word>;
	/** IDs that were seen in all groups, where nobody was put into all of them: the creator of the groups. */
	everywhere: Set<string>;
	/** Groups that show fewer people than were put in. */
	short: Set<number>;
	/** The groups in which each ID was seen. */
	seenIn: ReadonlyMap<string, Word>;
	/** The index of the group that holds only one known person, or nobody. */
	further: number;
};

/**
 * Assigns each ID to the target whose word is exactly the groups in which the ID was seen.
 *
 * @param seenIn the groups in which each ID was seen
 * @param further the index of the group that holds only one known person, or nobody
 * @param inFurther the target whose first accepted address is in the further group
 */
export function sortIds<Target extends LookUpTarget>(
	targets: Target[],
	seenIn: ReadonlyMap<string, Word>,
	further: number,
	inFurther: Target | undefined,
): Sorted<Target> {
	const targetAt = new Map<string, Target>();
	for (const target of targets) targetAt.set(keyOf(target.word), target);
	const groups = new Set(targets.flatMap(({ word }) => word)).size;
	const idsInFurther = [...seenIn.values()].filter((word) => word.includes(further)).length;
	const sorted: Sorted<Target> = {
		...{ idsOf: new Map(), lacking: new Set(), odd: new Map() },
		...{ everywhere: new Set(), short: new Set(), seenIn, further },
	};
	for (const [id, word] of seenIn) {
		const isFurther = word.includes(further);
		const target = targetAt.get(keyOf(word.filter((group) => group !== further)));
		const isIn = target && (!isFurther || target === inFurther);
		// The known person is in all groups, too, if there is only one other group.
		const isKnown = isIn && isFurther && idsInFurther === 1;
		if (isFurther && word.length === groups + 1 && !isKnown) sorted.everywhere.add(id);
		else if (!isIn) sorted.odd.set(id, word);
		else if (!sorted.idsOf.get(target)?.push(id)) sorted.idsOf.set(target, [id]);
	}
	for (const target of targets) {
		const ids = sorted.idsOf.get(target)?.length ?? 0;
		if (ids < target.accepted.length) sorted.lacking.add(target);
	}
	return { ...sorted, short: shortGroups(sorted, inFurther ? idsInFurther : Infinity) };
}

/**
 * Returns the groups that show fewer people than were put in. An odd ID may be anybody, so it makes up for one address
 * that lacks an ID.
 */
function shortGroups(
	{ idsOf, lacking, odd, everywhere, further }: Sorted,
	idsInFurther: number,
): Set<number> {
	const missing = new Map([[further, 1 + everywhere.size - idsInFurther]]);
	const count = (word: Word, change: number) => {
		for (const group of word) missing.set(group, (missing.get(group) ?? 0) + change);
	};
	for (const target of lacking) {
		count(target.word, target.accepted.length - (idsOf.get(target)?.length ?? 0));
	}
	for (const word of odd.values()) count(word, -1);
	return new Set(Array.from(missing).flatMap(([group, number]) => (number > 0 ? group : [])));
}

/**
 * Returns the targets whose ID may belong to somebody else: to a person with several addresses who lack an ID. In the
 * groups of the target, such a person is shown. In the other groups of their words, which are all short, they are not
 * shown yet.
 */
export function suspectsIn<Target extends LookUpTarget>(found: Sorted<Target>): Target[] {
	const { idsOf, lacking, short } = found;
	return [...idsOf.keys()].filter(({ word }) => {
		const open = new Set(word);
		for (const { word: other } of lacking) {
			if (!other.every((group) => short.has(group) || word.includes(group))) continue;
			for (const group of other) open.delete(group);
			if (open.size === 0) return true;
		}
		return false;
	});
}

/**
 * Returns the targets to which an odd ID may belong: those that lack an ID and whose words are part of its groups. If
 * these words do not explain all its groups, returns all targets whose words are part of its groups.
 */
export function meantBy<Target extends LookUpTarget>(targets: Target[], found: Sorted<Target>) {
	const meant = new Set<Target>();
	for (const groups of found.odd.values()) {
		const parts = targets.filter(({ word }) => word.every((group) => groups.includes(group)));
		const lacking = parts.filter((target) => found.lacking.has(target));
		const explained = new Set(lacking.flatMap(({ word }) => word));
		const isWhole = groups.every((group) => explained.has(group));
		for (const target of isWhole ? lacking : parts) meant.add(target);
	}
	return meant;
}
