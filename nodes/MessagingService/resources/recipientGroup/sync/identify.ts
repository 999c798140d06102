import { messageOf } from '../../../../shared/failure';
import { combine, failed, NEVER_SHOWN, proved, STATUSES_OF } from './outcomes';
import type { Action, GroupResult, Members, Outcome, Recipient, SyncGroup } from './outcomes';
import { lookUp, readInRounds, type KnownAddresses } from './lookUp';
import { append, chunksOf, repliesIn, sendAll } from './send';
import { withStaging } from './staging';
import type { SyncRun } from './syncRun';
import type { LookUp, Thing } from './words';

/** A group with its members before the first change. */
export type ReadGroup = {
	group: SyncGroup;
	before: Members;
	/** Why the group is not changed. Its people are protected everywhere. */
	stopped?: Error | undefined;
};

/** Who the recipients of a run are. */
export type Identities = {
	/** The IDs of each accepted recipient, by key; none if the service never shows the person. */
	idsOf: Map<string, string[]>;
	/** The outcomes of unknown and failed recipients, by key. */
	problems: Map<string, Outcome>;
	/** Groups in which there is nothing to do. `idsOf` may lack their recipients. */
	done: Set<SyncGroup>;
	/** IDs that may be anybody's: wanted nowhere, protected everywhere. */
	odd: Set<string>;
};

/** Returns the outcome of a recipient in a group. @param ofId the outcome of an ID */
export function outcomeOf(
	{ key }: Recipient,
	group: SyncGroup,
	{ idsOf, problems, done }: Identities,
	{ action, dryRun, ofId }: { action: Action; dryRun: boolean; ofId: (id: string) => Outcome },
): Outcome {
	const nothingToDo = done.has(group) ? proved(STATUSES_OF[action][1]) : undefined;
	const ids = idsOf.get(key) ?? [];
	return problems.get(key) ?? nothingToDo ?? combine(ids.map(ofId), action, dryRun);
}

/** Says what an Add or Remove would do, without changing anything. */
export function predict(groups: ReadGroup[], people: Identities, action: Action): GroupResult[] {
	return groups.map(({ group, before, stopped }) => {
		const ofId = (id: string) => predictionOf(before.ids.has(id), action);
		const outcomes = new Map<string, Outcome>();
		for (const one of stopped ? [] : group.recipients) {
			outcomes.set(one.key, outcomeOf(one, group, people, { action, dryRun: true, ofId }));
		}
		return { group, outcomes, extras: [], notes: [], stopped };
	});
}

/** Returns what an action would do with a person. */
export function predictionOf(isMember: boolean, action: Action): Outcome {
	const [changed, unchanged] = STATUSES_OF[action];
	return isMember === (action === 'add')
		? proved(unchanged)
		: proved(changed, `Would be ${changed}`);
}

/** An address, and the places of the groups that name it. */
type Placed = { address: Recipient; places: number[] };

/**
 * Finds the IDs of all addresses. First the classes are told apart, which shows the groups in which there is nothing to do
 * (rule 2). Then the addresses of all other groups are told apart one by one.
 *
 * @param groups all groups of the run; people of stopped groups count, so that they stay protected
 * @throws if a look-up fails
 */
export async function identifyAddresses(run: SyncRun, groups: ReadGroup[]): Promise<Identities> {
	const known: KnownAddresses = { accepted: new Set(), problems: new Map() };
	const { problems } = known;
	const placed = placeAll(groups.map(({ group }) => group.recipients));
	const classes = classesOf(placed);
	const things = classes.flatMap((one) => one.things);
	const isHalved = classes.length === 1;
	const isWorth = 2 * classes.length <= placed.length;
	const first = isWorth ? await lookUp(run, things, { known, isHalved }) : undefined;
	const done = new Set<SyncGroup>();
	for (const [place, read] of groups.entries()) {
		const own = classes.filter(({ places }) => places.includes(place));
		if (first && !read.stopped && hasNothingToDo(run, read, own, first, known))
			done.add(read.group);
	}
	const left = placed.filter(
		({ address, places }) =>
			!problems.has(address.key) &&
			places.some((place) => groups[place] && !done.has(groups[place].group)),
	);
	const isDone = groups.every(({ group, stopped }) => stopped || done.has(group));
	if (isDone || left.length === 0) return { idsOf: new Map(), problems, done, odd: new Set() };

	// If every ID has exactly one class, two people of different classes may share a word: the class tells them apart.
	const isClean = first?.lacking.size === 0 && first.odd.size === 0 && classes.length > 1;
	const people = isClean ? shareWords(left) : left.map(wordOfItsOwn);
	const tagOf = new Map<string, string>();
	for (const { tag, things } of isClean ? classes : []) {
		for (const thing of things) for (const id of first?.idsOf.get(thing) ?? []) tagOf.set(id, tag);
	}
	const second = await lookUp(run, people, { known, isRepaired: true, tagOf });
	const idsOf = new Map<string, string[]>();
	for (const thing of people) {
		for (const { key } of thing.addresses) {
			if (known.accepted.has(key)) idsOf.set(key, second.idsOf.get(thing) ?? []);
		}
	}
	// In two halves, an ID is odd if it is seen in both, which proves nothing. The second look-up has seen everybody then.
	const odd = new Set([...(classes.length > 1 ? (first?.odd ?? []) : []), ...second.odd]);
	for (const ids of idsOf.values()) for (const id of ids) odd.delete(id);
	return { idsOf, problems, done, odd };
}

/** A class: the addresses that are named for exactly the same groups. A single class is two things (rule 4). */
type Class = { places: number[]; tag: string; things: Thing[] };

/**
 * Rule 2: a count proves one thing only, that there is nothing to do: where the IDs of a group's classes are exactly its
 * members, and as many as accepted addresses. One address without an ID and one ID without an address cancel out in a
 * count, so every group that would gain or lose anybody is told apart address by address.
 */
function hasNothingToDo(
	{ mode }: SyncRun,
	{ before: { ids: members } }: ReadGroup,
	classes: Class[],
	{ idsOf }: LookUp,
	{ accepted }: KnownAddresses,
): boolean {
	const things = classes.flatMap((one) => one.things);
	const ids = things.flatMap((thing) => idsOf.get(thing) ?? []);
	const addresses = things.flatMap((thing) => thing.addresses);
	if (ids.length !== addresses.filter(({ key }) => accepted.has(key)).length) return false;
	if (mode === 'remove') return !ids.some((id) => members.has(id));
	return ids.every((id) => members.has(id)) && (mode === 'add' || ids.length === members.size);
}

/** Returns each address once, with the places of the lists that it is in. */
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

function classesOf(placed: Placed[]): Class[] {
	const classes = new Map<string, { places: number[]; addresses: Recipient[] }>();
	for (const { address, places } of placed) {
		const tag = places.join(' ');
		const known = classes.get(tag);
		if (known) known.addresses.push(address);
		else classes.set(tag, { places, addresses: [address] });
	}
	return Array.from(classes, ([tag, { places, addresses }], index): Class => {
		if (classes.size > 1) return { places, tag, things: [thingOf(addresses, index)] };
		const halves = chunksOf(addresses, Math.ceil(addresses.length / 2));
		return { places, tag, things: halves.map((half, number) => thingOf(half, number)) };
	});
}

function thingOf(addresses: Recipient[], wordNumber: number, tag?: string): Thing {
	return { addresses, wordNumber, tag, word: [], accepted: [] };
}

function wordOfItsOwn({ address }: Placed, wordNumber: number): Thing {
	return thingOf([address], wordNumber);
}

/** Rule 4: gives each address a word. Two addresses never share a word if any group names both. */
function shareWords(placed: Placed[]): Thing[] {
	const next: number[] = [];
	return placed.map(({ address, places }) => {
		const wordNumber = Math.max(...places.map((place) => next[place] ?? 0));
		for (const place of places) next[place] = wordNumber + 1;
		return thingOf([address], wordNumber, places.join(' '));
	});
}

/**
 * Gives addresses words for an Add or a Remove. In Add, addresses of different groups share words, because each group shows
 * who is new in it. In Remove, no two addresses share a word.
 *
 * @param lists the addresses of each group
 * @param mayShare whether addresses of different groups may share a word
 */
export function thingsOf(lists: Recipient[][], mayShare: boolean): Thing[] {
	const placed = placeAll(lists);
	if (!mayShare) return placed.map(wordOfItsOwn);
	const things: Thing[] = [];
	for (const { addresses, wordNumber } of shareWords(placed)) {
		const known = things[wordNumber];
		if (known) append(known.addresses, addresses);
		else things[wordNumber] = thingOf(addresses, wordNumber);
	}
	return things;
}

/**
 * Rule 3, for a dry run by ID: puts the IDs that are not members into a staging group. One that does not
 * appear is `failed`, or `unknown` if the service says so.
 */
export async function checkIds(run: SyncRun, groups: ReadGroup[]): Promise<Identities> {
	const missing = new Map<string, Recipient>();
	const idsOf = new Map<string, string[]>();
	for (const { group, before } of groups) {
		for (const one of group.recipients) {
			idsOf.set(one.key, [one.key]);
			if (!before.ids.has(one.key)) missing.set(one.key, one);
		}
	}
	const problems = new Map<string, Outcome>();
	const toCheck = [...missing.values()];
	try {
		if (toCheck.length > 0) {
			await withStaging(run, 1, async ([groupId = '']) => {
				const sent = await sendAll(run, toCheck, { action: 'add', groupId, by: 'id' });
				const size = sent.accepted.reduce((sum, { recipients }) => sum + recipients.length, 0);
				const seen = await readInRounds(run, [{ groupId, size }]);
				const replies = repliesIn(sent, 'add');
				for (const { key } of toCheck) {
					const reply = replies.get(key);
					if (seen.has(key)) continue;
					problems.set(key, reply?.status === 'unknown' ? reply : failed(NEVER_SHOWN));
				}
			});
		}
	} catch (error) {
		for (const { key } of toCheck) problems.set(key, failed(messageOf(error)));
	}
	return { idsOf, problems, done: new Set(), odd: new Set() };
}
