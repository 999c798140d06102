import type { Recipient } from './outcomes';

/**
 * Words tell things apart. A thing is a set of addresses; its word says into which of m staging groups these addresses are
 * put. An ID that is seen in exactly the groups of a word belongs to its thing.
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
	/** Whether the addresses fill the first group of each word before they fill the others (rule 5). */
	isFirst: boolean;
	/** Whether each word is a group of its own. */
	isOneEach: boolean;
};

const FEWEST_GROUPS = 3;

/** Larger words never pay: 8 of 19 groups are more than 75,000 words. */
const LONGEST_WORD = 8;

/** How many more groups than necessary are tried: with more groups, each takes fewer requests to fill. */
const MORE_GROUPS = 12;

/** The requests for a staging group besides those that fill it: create, read, delete. */
const REQUESTS_PER_GROUP = 3;

/**
 * Chooses the code that costs the fewest requests (rule 4). A word has fewer than half of all groups. So a person with two
 * addresses is never in all groups, unlike the creator of the groups.
 *
 * @param most maximum number of groups
 * @returns undefined if no code with so few groups has enough words
 */
export function chooseCode(load: Load, most = Infinity): Code | undefined {
	let best: { code: Code; cost: number } | undefined;
	for (let perWord = 1; perWord <= (load.isOneEach ? 1 : LONGEST_WORD); perWord++) {
		const fewest = fewestGroups(perWord, load.words);
		for (let groups = fewest; groups <= Math.min(most, fewest + MORE_GROUPS); groups++) {
			const code = { groups, perWord };
			const cost = costOf(code, load);
			if (!best || cost < best.cost) best = { code, cost };
		}
	}
	return best?.code;
}

/** Returns the fewest groups that make enough words, more than twice as many as a word has. */
function fewestGroups(perWord: number, words: number): number {
	let groups = Math.max(FEWEST_GROUPS, 2 * perWord + 1);
	while (choose(groups, perWord) < words) groups++;
	return groups;
}

function costOf({ groups, perWord }: Code, { addresses, chunkSize, isFirst }: Load): number {
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
	/** The class of its addresses, if an earlier look-up showed the class of each ID. */
	tag?: string | undefined;
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
	const thingAt = byWord(things);
	const idsOf = new Map<Thing, string[]>();
	const odd = new Set<string>();
	for (const [id, groups] of seenIn) {
		const thing = thingAt(groups, tagOf.get(id));
		if (!thing) odd.add(id);
		else if (!idsOf.get(thing)?.push(id)) idsOf.set(thing, [id]);
	}
	return { idsOf, lacking: lackingOf(things, idsOf), odd };
}

/**
 * Rule 7, after the repair: finds the people who have several addresses among the odd IDs. An ID is such a person only if the
 * words of things that lack an ID explain exactly the groups it was seen in, in one way.
 *
 * @param count the number of staging groups. Who is in all of them comes with every write and belongs to nobody
 */
export function explainOdd(
	{ idsOf, lacking, odd }: LookUp,
	seenIn: Map<string, Word>,
	tagOf: ReadonlyMap<string, string>,
	count: number,
): LookUp {
	const candidateAt = byWord([...lacking]);
	const perWord = [...lacking][0]?.word.length ?? 0;
	const explained = new Map(idsOf);
	const left = new Set(odd);
	for (const id of odd) {
		const groups = seenIn.get(id) ?? [];
		if (groups.length >= count || groups.length > MOST_ADDRESSES * perWord) continue;
		const parts: Thing[] = [];
		for (const word of subsets(groups, perWord)) {
			const thing = candidateAt(word, tagOf.get(id));
			if (thing) parts.push(thing);
		}
		if (!isOneWay(groups, parts)) continue;
		left.delete(id);
		for (const thing of parts) explained.set(thing, [...(explained.get(thing) ?? []), id]);
	}
	return { idsOf: explained, lacking: lackingOf([...lacking], explained), odd: left };
}

/** How many addresses one person may have. More would take long to try. */
const MOST_ADDRESSES = 3;

/** Whether the words together are exactly these groups, and no word can be left out. */
function isOneWay(groups: Word, parts: Thing[]): boolean {
	const times = new Map<number, number>();
	for (const { word } of parts) {
		for (const group of word) times.set(group, (times.get(group) ?? 0) + 1);
	}
	const isWhole = groups.every((group) => times.has(group));
	return isWhole && parts.every(({ word }) => word.some((group) => times.get(group) === 1));
}

function byWord(things: Thing[]) {
	const at = new Map(things.map((thing) => [`${thing.tag ?? ''}/${keyOf(thing.word)}`, thing]));
	return (groups: Word, tag = '') => at.get(`${tag}/${keyOf(groups)}`);
}

function lackingOf(things: Thing[], idsOf: ReadonlyMap<Thing, string[]>): Set<Thing> {
	return new Set(things.filter((thing) => (idsOf.get(thing)?.length ?? 0) < thing.accepted.length));
}
