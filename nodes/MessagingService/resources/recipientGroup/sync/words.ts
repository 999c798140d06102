import type { Recipient } from '../../../sync/types';

/**
 * The temporary groups into which Sync puts an address, by index. The service never shows an address next to its ID.
 * But if an ID is seen in exactly the groups of a word, it is the ID of the address with this word. Addresses that are
 * looked up together share a word.
 */
export type Word = number[];

/** How many temporary groups there are, and how many of them each word has. */
export type Code = { groups: number; perWord: number };

/** What the choice of a code depends on. */
export type Load = {
	/** How many different words are needed. */
	words: number;
	addresses: number;
	/** Recipients per request. */
	chunkSize: number;
	/** Whether any address is new. New addresses are first put into only the first group of their word. */
	isFirst: boolean;
	/**
	 * Whether there are only two words, one for each half of all addresses. Two groups are then enough, but prove
	 * less.
	 */
	isHalved?: boolean;
	/**
	 * Whether this is the second look-up of these addresses. If it needs few words, each word is one separate group. A
	 * person with two addresses can then be recognized.
	 */
	isAgain?: boolean;
};

/** If a second look-up needs at most this many words, each word is one separate group. */
const FEW = 12;

/** Longer words are not needed: 8 of 19 groups already give more than 75,000 words. */
const LONGEST_WORD = 8;

/** The requests for a temporary group, apart from filling it: create, read, delete. */
const REQUESTS_PER_GROUP = 3;

/**
 * Chooses the code that costs the fewest requests. Except for two halves, each word has fewer than half of all groups.
 * So a person with two addresses is never in all groups, but the creator of the groups may be.
 *
 * @param most maximum number of groups
 * @returns the code, or undefined if `most` groups are too few for the words
 */
export function chooseCode(load: Load, most = Infinity): Code | undefined {
	const codes = Array.from({ length: LONGEST_WORD }, (_, index): Code => {
		const perWord = index + 1;
		let groups = load.isHalved ? 2 : 2 * perWord + 1;
		while (choose(groups, perWord) < load.words) groups++;
		return { groups, perWord };
	});
	const [best] = codes
		.filter(({ groups }) => groups <= most)
		.sort((one, other) => costOf(one, load) - costOf(other, load));
	return best;
}

function costOf({ groups, perWord }: Code, load: Load): number {
	const { words, addresses, chunkSize, isFirst, isAgain } = load;
	if (isAgain && perWord === 1 && words <= FEW) return 0;
	const requestsFor = (share: number) => Math.ceil((addresses * share) / groups / chunkSize);
	const filling = isFirst ? requestsFor(1) + requestsFor(perWord - 1) : requestsFor(perWord);
	return groups * (REQUESTS_PER_GROUP + filling);
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

/**
 * What is looked up with one word (docs/sync.md): one address, a class, or addresses of different groups. A class is
 * all addresses that items name for exactly the same groups.
 */
export type Holder = {
	addresses: Recipient[];
	/** The number of its word. Two holders with the same number have different tags. */
	wordNumber: number;
	/**
	 * Identifies the class of its addresses by the indexes of the groups for which items name them. Empty if the class
	 * does not matter.
	 */
	tag: string;
	word: Word;
	/** Its addresses that the service accepted. */
	accepted: Recipient[];
};

/** What the temporary groups show about the holders. */
export type LookUp = {
	/** The IDs of each holder. A holder without IDs is missing from this map. */
	idsOf: Map<Holder, string[]>;
	/** Holders with fewer IDs than accepted addresses. */
	lacking: Set<Holder>;
	/** IDs that were seen in groups that are not the word of any holder. Sync never guesses whose IDs these are. */
	odd: Set<string>;
};

/**
 * Assigns each ID to the holder whose word is exactly the groups in which the ID was seen. If there is no such holder,
 * the ID is odd.
 *
 * @param seenIn the groups in which each ID was seen
 * @param tagOf the tag of each ID, if tags are known: the ID then belongs only to a holder with this tag
 */
export function sortIds(
	holders: Holder[],
	seenIn: Map<string, Word>,
	tagOf: ReadonlyMap<string, string>,
): LookUp {
	const holderAt = byWord(holders, tagOf);
	const idsOf = new Map<Holder, string[]>();
	const odd = new Set<string>();
	for (const [id, groups] of seenIn) {
		const holder = holderAt(id, groups);
		if (!holder) odd.add(id);
		else if (!idsOf.get(holder)?.push(id)) idsOf.set(holder, [id]);
	}
	return { idsOf, lacking: lackingOf(holders, idsOf), odd };
}

/**
 * Finds odd IDs of people with several addresses. Looks for holders that lack an ID, and whose words together
 * are exactly the groups of the odd ID. If several choices of holders are possible, the ID stays odd.
 *
 * @param count the number of temporary groups. An ID in all of them stays odd, because the service may add it at every
 *   change
 */
export function explainOdd(
	{ idsOf, lacking, odd }: LookUp,
	seenIn: Map<string, Word>,
	tagOf: ReadonlyMap<string, string>,
	count: number,
): LookUp {
	const candidateAt = byWord(lacking, tagOf);
	const perWord = [...lacking][0]?.word.length ?? 0;
	const explained = new Map(idsOf);
	const unexplained = new Set(odd);
	for (const id of odd) {
		const groups = seenIn.get(id) ?? [];
		if (groups.length >= count || groups.length > MOST_ADDRESSES * perWord) continue;
		const parts: Holder[] = [];
		for (const word of subsets(groups, perWord)) {
			const holder = candidateAt(id, word);
			if (holder) parts.push(holder);
		}
		for (const holder of neededWords(groups, parts)) {
			unexplained.delete(id);
			explained.set(holder, [...(explained.get(holder) ?? []), id]);
		}
	}
	return { idsOf: explained, lacking: lackingOf([...lacking], explained), odd: unexplained };
}

/** For a person with more addresses, trying all combinations would take too long. */
const MOST_ADDRESSES = 3;

/**
 * Returns the holders whose words together are exactly these groups. Returns none if several choices of holders are
 * possible. If a group is in only one of the words, every choice needs this word. If the needed words together cover all
 * groups, their holders are the answer.
 */
function neededWords(groups: Word, parts: Holder[]): Holder[] {
	const timesIn = (group: number) => parts.filter(({ word }) => word.includes(group)).length;
	const once = new Set(groups.filter((group) => timesIn(group) === 1));
	const needed = parts.filter(({ word }) => word.some((group) => once.has(group)));
	const isWhole = groups.every((group) => needed.some(({ word }) => word.includes(group)));
	return isWhole ? needed : [];
}

/** Returns a function that finds the holder of an ID by the groups of the ID and, if tags are known, by its tag. */
function byWord(holders: Iterable<Holder>, tagOf: ReadonlyMap<string, string>) {
	const isTagged = tagOf.size > 0;
	const at = new Map<string, Holder>();
	for (const holder of holders)
		at.set(`${isTagged ? holder.tag : ''}/${keyOf(holder.word)}`, holder);
	return (id: string, groups: Word) => at.get(`${tagOf.get(id) ?? ''}/${keyOf(groups)}`);
}

function lackingOf(holders: Holder[], idsOf: ReadonlyMap<Holder, string[]>): Set<Holder> {
	return new Set(
		holders.filter((holder) => (idsOf.get(holder)?.length ?? 0) < holder.accepted.length),
	);
}
