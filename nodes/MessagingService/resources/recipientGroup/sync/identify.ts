import { messageOf } from '../../../../shared/failure';
import { failed, NEVER_SHOWN, repliesIn } from '../../../sync/outcomes';
import { append, chunksOf, sendAll } from '../../../sync/send';
import type { Identities, Outcome, ReadTarget, Recipient, Target } from '../../../sync/types';
import type { GroupRun } from './groupRun';
import { countAccepted, lookUp, readInRounds, type KnownAddresses } from './lookUp';
import { withTemporaryGroups } from './temporaryGroups';
import type { LookUp, Holder } from './words';

/** An address, and the indexes of the groups for which items name it. */
type Placed = { address: Recipient; places: number[] };

/**
 * Finds the IDs of all addresses. A class is all addresses that items name for exactly the same groups. If there are
 * few classes, it first looks up each class as a whole, to find the groups that need no change. Then it looks up each
 * address of the other groups.
 *
 * @param groups all groups of the run, including stopped groups, because the people of a stopped group must not be
 *   removed from other groups
 * @throws if a look-up fails
 */
export async function identifyAddresses(run: GroupRun, groups: ReadTarget[]): Promise<Identities> {
	const known: KnownAddresses = { accepted: new Set(), problems: new Map() };
	const { problems, accepted } = known;
	const placed = placeAll(groups.map(({ target }) => target.recipients));
	const { classes, isHalved } = classesOf(placed);
	const isWorth = 2 * (isHalved ? 1 : classes.length) <= placed.length;
	const first = isWorth ? await lookUp(run, classes, { known, isHalved }) : undefined;
	const done = new Set<Target>();
	for (const [place, { target, before, stopped }] of groups.entries()) {
		const ownClasses = classes.filter(({ tag }) => tag.split(' ').includes(String(place)));
		if (first && !stopped && hasNothingToDo(run, before.ids, ownClasses, first)) done.add(target);
	}
	const isOpen = (place: number) => groups[place] && !done.has(groups[place].target);
	const unresolved = placed.filter(
		({ address, places }) => !problems.has(address.key) && places.some(isOpen),
	);
	if (unresolved.length === 0) return { idsOf: new Map(), problems, done, odd: new Set() };

	// If the first look-up found an ID for every address, the class of each ID is known. It tells IDs apart. So
	// addresses of different classes may share a word, that is, be put into the same temporary groups.
	const isClean = first?.lacking.size === 0 && !isHalved;
	const people = isClean
		? shareWords(unresolved)
		: unresolved.map(({ address }, index) => newHolder([address], index));
	const tagOf = new Map<string, string>();
	for (const [{ tag }, ids] of isClean ? first.idsOf : []) for (const id of ids) tagOf.set(id, tag);
	const second = await lookUp(run, people, { known, isRepaired: true, tagOf });
	const idsOf = new Map<string, string[]>();
	for (const holder of people) {
		for (const { key } of holder.addresses) {
			if (accepted.has(key)) idsOf.set(key, second.idsOf.get(holder) ?? []);
		}
	}
	// With two halves, the first look-up treats every ID in both halves as odd. So only the odd IDs of the second
	// look-up are used.
	const odd = new Set([...(isHalved ? [] : (first?.odd ?? [])), ...second.odd]);
	for (const ids of idsOf.values()) for (const id of ids) odd.delete(id);
	return { idsOf, problems, done, odd };
}

/**
 * Whether a group needs no change. Its classes must have as many IDs as accepted addresses. In Mirror, these IDs must
 * be exactly its members. In Add, all of them must be members. In Remove, none of them may be a member. Equal numbers
 * alone are no proof, because an ID without an address can make up for an address without an ID.
 */
function hasNothingToDo(
	{ mode }: GroupRun,
	members: ReadonlySet<string>,
	classes: Holder[],
	{ idsOf }: LookUp,
): boolean {
	const ids = classes.flatMap((one) => idsOf.get(one) ?? []);
	if (ids.length !== countAccepted(classes)) return false;
	if (mode === 'remove') return !ids.some((id) => members.has(id));
	return ids.every((id) => members.has(id)) && (mode === 'add' || ids.length === members.size);
}

/** Returns each address once, with the indexes of the lists that contain it. */
function placeAll(lists: Recipient[][]): Placed[] {
	const placed = new Map<string, Placed>();
	for (const [place, addresses] of lists.entries()) {
		for (const address of addresses) {
			const known = placed.get(address.key);
			if (known) known.places.push(place);
			else placed.set(address.key, { address, places: [place] });
		}
	}
	return [...placed.values()];
}

/** Returns the classes. If there is only one class, returns its two halves. */
function classesOf(placed: Placed[]): { classes: Holder[]; isHalved: boolean } {
	const lists = new Map<string, Recipient[]>();
	for (const { address, places } of placed) {
		const tag = places.join(' ');
		if (!lists.get(tag)?.push(address)) lists.set(tag, [address]);
	}
	const [[tag, all] = ['', []], ...others] = lists;
	const isHalved = others.length === 0;
	const parts = chunksOf(all, Math.ceil(all.length / 2)).map((half) => [tag, half] as const);
	// The groups of the first words may get one class more than the other groups. So the smallest classes get the first
	// words.
	const bySize = [...lists].sort(([, one], [, other]) => one.length - other.length);
	const classes = (isHalved ? parts : bySize).map(([name, addresses], index) =>
		newHolder(addresses, index, name),
	);
	return { classes, isHalved };
}

function newHolder(addresses: Recipient[], wordNumber: number, tag = ''): Holder {
	return { addresses, wordNumber, tag, word: [], accepted: [] };
}

/** Gives each address a word. Two addresses with a place in common never share a word. */
function shareWords(placed: Placed[]): Holder[] {
	const next: number[] = [];
	return placed.map(({ address, places }) => {
		const wordNumber = Math.max(...places.map((place) => next[place] ?? 0));
		for (const place of places) next[place] = wordNumber + 1;
		return newHolder([address], wordNumber, places.join(' '));
	});
}

/**
 * Returns what an Add or a Remove looks up: single addresses, or addresses that share a word. In Add, addresses of
 * different groups can share a word, because each group shows who is new in it.
 *
 * @param lists the addresses of each group
 * @param mayShare whether addresses of different groups may share a word
 */
export function holdersOf(lists: Recipient[][], mayShare: boolean): Holder[] {
	const placed = placeAll(lists);
	if (!mayShare) return placed.map(({ address }, index) => newHolder([address], index));
	const holders: Holder[] = [];
	for (const { addresses, wordNumber } of shareWords(placed)) {
		const holder = (holders[wordNumber] ??= newHolder([], wordNumber));
		append(holder.addresses, addresses);
	}
	return holders;
}

/**
 * For a dry run by ID: puts the IDs that are not members into a temporary group. If an ID does not appear there, its
 * outcome is `failed`, or `unknown` if the service says so.
 *
 * @returns the outcomes of the IDs that did not appear
 */
export async function checkIds(
	run: GroupRun,
	groups: ReadTarget[],
): Promise<Identities['problems']> {
	const missing = new Map<string, Recipient>();
	for (const { target, before } of groups) {
		for (const one of target.recipients) if (!before.ids.has(one.key)) missing.set(one.key, one);
	}
	const problems = new Map<string, Outcome>();
	if (missing.size === 0) return problems;
	try {
		await withTemporaryGroups(run, 1, async ([targetId = '']) => {
			const sent = await sendAll(run, [...missing.values()], { action: 'add', targetId, by: 'id' });
			const size = missing.size - sent.problems.size;
			const seen = await readInRounds(run, [targetId], [size]);
			const replies = repliesIn(sent, 'add');
			for (const key of missing.keys()) {
				const reply = replies.get(key);
				if (seen.has(key)) continue;
				problems.set(key, reply?.status === 'unknown' ? reply : failed(NEVER_SHOWN));
			}
		});
	} catch (error) {
		for (const key of missing.keys()) problems.set(key, failed(messageOf(error)));
	}
	return problems;
}
