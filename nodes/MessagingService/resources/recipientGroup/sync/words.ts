import type { Recipient } from './outcomes';

/**
 * A word finds the ID of a holder. A holder is one address, or several addresses that are looked up together. Its word
 * lists the temporary groups into which these addresses are put. If an ID is seen in exactly these groups, it belongs to
 * the holder.
 */
export type Word = number[];

/** How many temporary groups there are, and how many of them are in a word. */
export type Code = { groups: number; perWord: number };

/** What a code is chosen for. */
export type Load = {
	/** How many different words are needed. */
	words: number;
	addresses: number;
	/** Recipients per request. */
	chunkSize: number;
	/** Whether the addresses are put into only the first group of their word at first. */
	isFirst: boolean;
	/**
	 * Whether the holders are the two halves of a single class. Two groups are then enough, but they
	 * prove less.
	 */
	isHalved?: boolean;
	/**
	 * Whether each holder gets a separate group if there are few holders. A person with two addresses is then always found.
	 */
	isAgain?: boolean;
};

/** Up to this number of holders, each holder may get a separate group. */
const FEW = 12;

/** Longer words are not needed: 8 of 19 groups already give more than 75,000 words. */
const LONGEST_WORD = 8;

/** The requests for a temporary group, apart from filling it: create, read, delete. */
const REQUESTS_PER_GROUP = 3;

/**
 * Chooses the code that costs the fewest requests. A word has fewer than half of all groups. So a person with two
 * addresses is never in all groups, unlike the creator of the groups.
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
 * Returns `count` words of a code. Takes one pattern after the other, and moves the pattern by one group for each word.
 * So the words fill all groups evenly.
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
 * The holder of a word (docs/sync.md): one address, a class, or addresses of different groups that share the word. A
 * class is the addresses that are named for exactly the same groups.
 */
export type Holder = {
	addresses: Recipient[];
	/** The number of its word. Two holders with the same number have different tags. */
	wordNumber: number;
	/** The class of its addresses: the indexes of the groups for which they are named. */
	tag: string;
	word: Word;
	/** Its addresses that the service accepted. */
	accepted: Recipient[];
};

/** The IDs of the holders, if the temporary groups show them. */
export type LookUp = {
	/** The IDs of each holder. A holder without IDs is missing from this map. */
	idsOf: Map<Holder, string[]>;
	/** Holders with fewer IDs than accepted addresses. */
	lacking: Set<Holder>;
	/** IDs that were seen in groups that are not exactly one word. Sync never guesses whose IDs these are. */
	odd: Set<string>;
};

/**
 * Gives each ID to the holder whose word lists the groups in which the ID was seen.
 *
 * @param seenIn the groups in which each ID was seen
 * @param tagOf the class of each ID, if known: the ID then belongs only to a holder with this tag
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
 * Finds people with several addresses among the odd IDs. Looks for lacking holders whose words together are exactly the
 * groups in which an ID was seen. The ID belongs to these holders only if no other holders fit.
 *
 * @param count the number of temporary groups. An ID in all of them belongs to nobody: the service adds it at every
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

/** How many addresses of one person are tried at most, because more would take too long. */
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

/** Returns a function that finds the holder of an ID: by its groups and, where the tags of IDs are known, by its tag. */
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
