import type { Recipient } from './outcomes';

/**
 * A word finds the ID of a thing. A thing is one address, or several that are looked up together. Its word says into which
 * of m staging groups these addresses are put. If an ID is seen in exactly these groups, it belongs to the thing.
 */
export type Word = number[];

/** How many staging groups there are (m), and how many of them are in a word (w). */
export type Code = { groups: number; perWord: number };

/** The work that a code is chosen for. */
export type Load = {
	/** How many different words are needed. */
	words: number;
	addresses: number;
	/** Recipients per request. */
	chunkSize: number;
	/** Whether the addresses fill the first group of each word before they fill the others. */
	isFirst: boolean;
	/** Whether the things are the two halves of a single class. Two groups are then enough, which prove less. */
	isHalved?: boolean;
	/** Whether few things get a group each, if there are enough groups: who has two addresses is then always found. */
	isAgain?: boolean;
};

/** Up to this number, each thing may get a group of its own. */
const FEW = 12;

/** Larger words never pay: 8 of 19 groups are more than 75,000 words. */
const LONGEST_WORD = 8;

/** The requests for a staging group besides those that fill it: create, read, delete. */
const REQUESTS_PER_GROUP = 3;

/**
 * Chooses the code that costs the fewest requests. A word has fewer than half of all groups. So a person with two
 * addresses is never in all groups, unlike the creator of the groups.
 *
 * @param most maximum number of groups
 * @returns undefined if no code with so few groups has enough words
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
 * Returns words of a code. They come as rotations of one pattern after the other, and begin with each group in turn. So
 * words in this order fill all groups evenly.
 */
export function wordsOf({ groups, perWord }: Code, count: number): Word[] {
	const words: Word[] = [];
	const seen = new Set<string>();
	for (const pattern of patterns(groups, perWord)) {
		for (let shift = 0; shift < groups && words.length < count; shift++) {
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

/** What is to be told apart: a class (all people named for exactly the same groups) or one person (docs/sync.md). */
export type Thing = {
	addresses: Recipient[];
	/** The number of its word. Two things with the same number have different tags. */
	wordNumber: number;
	/** The class of its addresses: the places of the groups that name them. */
	tag: string;
	word: Word;
	/** Those of its addresses that the service accepted. */
	accepted: Recipient[];
};

/** Who is who, as far as the staging groups show it. */
export type LookUp = {
	/** The IDs of each thing; a thing without IDs is missing. */
	idsOf: Map<Thing, string[]>;
	/** Things with fewer IDs than accepted addresses. */
	lacking: Set<Thing>;
	/** IDs that were seen in other groups than those of one word. They are never guessed. */
	odd: Set<string>;
};

/**
 * Gives each ID to the thing whose word it was seen under.
 *
 * @param seenIn the groups in which each ID was seen
 * @param tagOf the class of each ID, if known: the ID then belongs only to a thing with this tag
 */
export function sortIds(
	things: Thing[],
	seenIn: Map<string, Word>,
	tagOf: ReadonlyMap<string, string>,
): LookUp {
	const thingAt = byWord(things, tagOf);
	const idsOf = new Map<Thing, string[]>();
	const odd = new Set<string>();
	for (const [id, groups] of seenIn) {
		const thing = thingAt(id, groups);
		if (!thing) odd.add(id);
		else if (!idsOf.get(thing)?.push(id)) idsOf.set(thing, [id]);
	}
	return { idsOf, lacking: lackingOf(things, idsOf), odd };
}

/**
 * Rule 7, after the repair: finds the people who have several addresses among the odd IDs. An ID is such a person only if
 * the words of things without an ID explain exactly its groups, in one way.
 *
 * @param count the number of staging groups. Who is in all of them comes with every write and belongs to nobody
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
	const left = new Set(odd);
	for (const id of odd) {
		const groups = seenIn.get(id) ?? [];
		if (groups.length >= count || groups.length > MOST_ADDRESSES * perWord) continue;
		const parts: Thing[] = [];
		for (const word of subsets(groups, perWord)) {
			const thing = candidateAt(id, word);
			if (thing) parts.push(thing);
		}
		for (const thing of neededWords(groups, parts)) {
			left.delete(id);
			explained.set(thing, [...(explained.get(thing) ?? []), id]);
		}
	}
	return { idsOf: explained, lacking: lackingOf([...lacking], explained), odd: left };
}

/** How many addresses one person may have. More would take long to try. */
const MOST_ADDRESSES = 3;

/**
 * Whether the words are exactly these groups, in one way. If a group is in one word alone, every explanation needs that
 * word. If the words needed explain all groups, they surely belong to the person.
 */
function neededWords(groups: Word, parts: Thing[]): Thing[] {
	const timesIn = (group: number) => parts.filter(({ word }) => word.includes(group)).length;
	const once = new Set(groups.filter((group) => timesIn(group) === 1));
	const needed = parts.filter(({ word }) => word.some((group) => once.has(group)));
	const isWhole = groups.every((group) => needed.some(({ word }) => word.includes(group)));
	return isWhole ? needed : [];
}

/** Returns a function that finds the thing of an ID: by its groups and, where the tags of IDs are known, by its tag. */
function byWord(things: Iterable<Thing>, tagOf: ReadonlyMap<string, string>) {
	const isTagged = tagOf.size > 0;
	const at = new Map<string, Thing>();
	for (const thing of things) at.set(`${isTagged ? thing.tag : ''}/${keyOf(thing.word)}`, thing);
	return (id: string, groups: Word) => at.get(`${tagOf.get(id) ?? ''}/${keyOf(groups)}`);
}

function lackingOf(things: Thing[], idsOf: ReadonlyMap<Thing, string[]>): Set<Thing> {
	return new Set(things.filter((thing) => (idsOf.get(thing)?.length ?? 0) < thing.accepted.length));
}
