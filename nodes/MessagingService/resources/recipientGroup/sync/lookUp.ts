import { wait } from '../../../../shared/transport/retry';
import { CANCELED, failed, isMissingGroup, type Outcome } from './outcomes';
import { append, chunksOf, sendAll } from './send';
import { withStaging } from './staging';
import type { Recipient } from './outcomes';
import type { SyncRun } from './syncRun';
import { chooseCode, explainOdd, sortIds, wordsOf } from './words';
import type { Code, LookUp, Thing, Word } from './words';

/** What is known about the addresses of a run. */
export type KnownAddresses = {
	/** Keys of the addresses that the service accepted. */
	accepted: Set<string>;
	/** The outcomes of unknown and failed addresses, by key. */
	problems: Map<string, Outcome>;
};

type Options = {
	known: KnownAddresses;
	/** Whether the things are the two halves of a single class: two groups are enough then (rule 4). */
	isHalved?: boolean;
	/** Whether to repair what is odd (rule 7). */
	isRepaired?: boolean;
	/** Whether each thing gets a group of its own, so that the groups of an ID always name its addresses. */
	isOneEach?: boolean;
	/** The tag of each ID, if the things have tags. */
	tagOf?: ReadonlyMap<string, string>;
};

/** A staging group, the things that have accepted addresses in it, and how many addresses these are. */
type StagingGroup = { groupId: string; things: Thing[]; size: number };

/** So many things that lack an ID are looked up again alone, which takes fewer requests than a repair of all groups. */
const FEW = 12;

const HALVES: Code = { groups: 2, perWord: 1 };

/** Rule 6. */
const MOST_ROUNDS = 4;
const BETWEEN_ROUNDS_MS = 1_000;

/**
 * Finds the IDs of things: puts the addresses of each thing into the staging groups of its word, and reads all groups.
 *
 * @param things without addresses that are known to have problems
 * @throws if the look-up fails: groups cannot be created, filled or read whole, or two reads of all groups never agree
 */
export async function lookUp(run: SyncRun, things: Thing[], options: Options): Promise<LookUp> {
	const { known, isHalved, isRepaired, isOneEach = false } = options;
	const words = things.reduce((most, { wordNumber }) => Math.max(most, wordNumber + 1), 0);
	const people = things.flatMap(({ addresses }) => addresses);
	const isFirst = people.some((one) => isFresh(one, known));
	const { chunkSize } = run;
	const load = { words, addresses: people.length, chunkSize, isFirst, isOneEach };
	const choose = (most: number) =>
		!isHalved ? chooseCode(load, most) : most >= HALVES.groups ? HALVES : undefined;
	const found = await withStaging(run, choose(Infinity)?.groups ?? 1, async (groupIds) => {
		// Rule 14: if the service takes fewer groups than the words need, fewer are used, with longer words.
		const code = choose(groupIds.length);
		if (!code) {
			throw run.fail(
				`The service takes only ${groupIds.length} temporary groups at once, too few to find out who is who`,
				'Nothing was changed. Sync fewer people at once.',
			);
		}
		const list = wordsOf(code, words);
		for (const thing of things) thing.word = list[thing.wordNumber] ?? [];
		return await tellApart(run, groupIds.slice(0, code.groups), things, options);
	});
	if (!isRepaired || isOneEach || !isUnsettled(found) || found.lacking.size > FEW) return found;
	// The few things that lack an ID are looked up once more, each in a group of its own.
	const lacking = [...found.lacking];
	for (const [wordNumber, thing] of lacking.entries())
		Object.assign(thing, { wordNumber, tag: '' });
	const again = await lookUp(run, lacking, { known, isRepaired, isOneEach: true });
	const odd = new Set([...found.odd, ...again.odd]);
	for (const id of [...again.idsOf.values()].flat()) odd.delete(id);
	for (const thing of lacking) found.idsOf.delete(thing);
	return { idsOf: new Map([...found.idsOf, ...again.idsOf]), lacking: again.lacking, odd };
}

/** Whether some ID may belong to a thing that lacks one. */
function isUnsettled({ odd, lacking }: LookUp): boolean {
	return odd.size > 0 && lacking.size > 0;
}

async function tellApart(
	run: SyncRun,
	groupIds: string[],
	things: Thing[],
	{ known, isHalved, isRepaired, isOneEach, tagOf = new Map() }: Options,
): Promise<LookUp> {
	const firstPut = await fillFirst(run, groupIds, things, known);
	for (const thing of things) {
		thing.accepted = thing.addresses.filter(({ key }) => known.accepted.has(key));
	}
	const anyone = things.find(({ accepted }) => accepted.length > 0)?.accepted[0];
	if (!anyone) return { idsOf: new Map(), lacking: new Set(), odd: new Set() };
	const groups = byGroup(groupIds, things);
	const fill = async (peopleOf: (thing: Thing, group: number) => Recipient[]) =>
		await Promise.all(
			groups.map(async ({ groupId, things: own }, group) => {
				await put(
					run,
					groupId,
					own.flatMap((thing) => peopleOf(thing, group)),
					known,
				);
				// Rule 4: every group is written to, because its creator may appear with the first write.
				if (own.length === 0) await touch(run, groupId, anyone);
			}),
		);
	await fill(({ accepted, word }, group) =>
		word[0] === group ? accepted.filter((one) => !firstPut.has(one)) : accepted,
	);
	const seenIn = await readInRounds(run, groups);
	const found = sortIds(things, seenIn, tagOf);
	// If every address has its ID, who is in all groups is nobody's: the creator of the groups.
	if (found.lacking.size === 0 && !isHalved) {
		for (const id of found.odd)
			if (seenIn.get(id)?.length === groupIds.length) found.odd.delete(id);
	}
	if (!isRepaired || !isUnsettled(found) || (found.lacking.size <= FEW && !isOneEach)) return found;

	// Rule 7: the odd IDs are taken out of all groups, the people of things that lack an ID are put in again, and every group
	// is written to.
	const odd = chunksOf([...found.odd], run.chunkSize);
	const takeOut = async (groupId: string) => {
		for (const ids of odd) await run.api.change('remove', groupId, 'id', ids);
	};
	await Promise.all(groupIds.map(takeOut));
	await fill((thing, group) =>
		found.lacking.has(thing) || thing === groups[group]?.things[0] ? thing.accepted : [],
	);
	const seenAgain = await readInRounds(run, groups);
	return explainOdd(sortIds(things, seenAgain, tagOf), seenAgain, tagOf, groupIds.length);
}

/**
 * Rule 5: puts the addresses that the service has not accepted yet into the first group of their word, and searches for
 * unknown ones there. The other groups then take accepted addresses alone.
 *
 * @returns the addresses that were put in
 */
async function fillFirst(
	run: SyncRun,
	groupIds: string[],
	things: Thing[],
	known: KnownAddresses,
): Promise<Set<Recipient>> {
	const freshIn = groupIds.map((): Recipient[] => []);
	for (const thing of things) {
		const fresh = thing.addresses.filter((one) => isFresh(one, known));
		append(freshIn[thing.word[0] ?? 0] ?? [], fresh);
	}
	await Promise.all(
		freshIn.map(async (fresh, group) => await put(run, groupIds[group] ?? '', fresh, known)),
	);
	return new Set(freshIn.flat());
}

function isFresh({ key }: Recipient, { accepted, problems }: KnownAddresses): boolean {
	return !accepted.has(key) && !problems.has(key);
}

function byGroup(groupIds: string[], things: Thing[]): StagingGroup[] {
	const groups = groupIds.map((groupId): StagingGroup => ({ groupId, things: [], size: 0 }));
	for (const thing of things) {
		if (thing.accepted.length === 0) continue;
		for (const index of thing.word) {
			const group = groups[index];
			if (!group) continue;
			group.things.push(thing);
			group.size += thing.accepted.length;
		}
	}
	return groups;
}

/** Puts addresses into a staging group, and records whom the service accepted. */
async function put(
	run: SyncRun,
	groupId: string,
	people: Recipient[],
	{ accepted, problems }: KnownAddresses,
): Promise<void> {
	const sent = await sendAll(run, people, { action: 'add', groupId, by: 'email' });
	for (const { recipients } of sent.accepted) {
		for (const { key } of recipients) if (!problems.has(key)) accepted.add(key);
	}
	for (const [{ key }, { status, reason }] of sent.problems) {
		// An address that was accepted before and is refused now is not proved to be unknown.
		const isUnknown = status === 'unknown' && !accepted.has(key);
		accepted.delete(key);
		problems.set(key, isUnknown ? { status, reason } : failed(reason));
	}
}

/** Writes to a staging group without leaving anybody in it: adds an accepted address and removes it again. */
async function touch(run: SyncRun, groupId: string, { value }: Recipient): Promise<void> {
	await run.api.change('add', groupId, 'email', [value]);
	await run.api.change('remove', groupId, 'email', [value]);
}

/**
 * Rule 6: reads all staging groups until two whole rounds agree, a second apart, because reads that come at once may be
 * stale together. One round is enough where every group has the number of people that was put in. Reading one group more
 * often than the others would make whoever appears meanwhile look like a word.
 *
 * @returns the groups in which each ID was seen
 */
export async function readInRounds(
	run: SyncRun,
	groups: Array<{ groupId: string; size: number }>,
): Promise<Map<string, Word>> {
	let last: Map<string, Word> | undefined;
	for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
		if (rounds > 0) await wait(BETWEEN_ROUNDS_MS, run.cancelSignal);
		if (run.cancelSignal?.aborted) throw run.fail(CANCELED);
		const round = await Promise.all(
			groups.map(async ({ groupId }) => await readWhole(run, groupId)),
		);
		const seenIn = new Map<string, Word>();
		for (const [group, ids] of round.entries()) {
			for (const id of ids) {
				const seen = seenIn.get(id);
				if (seen) seen.push(group);
				else seenIn.set(id, [group]);
			}
		}
		if (round.every((ids, group) => ids.size === groups[group]?.size)) return seenIn;
		if (last && isSame(last, seenIn)) return seenIn;
		last = seenIn;
	}
	throw run.fail(
		'The service does not show the same people twice, so Sync cannot find out who is who',
		'Run the sync again later.',
	);
}

function isSame(one: Map<string, Word>, other: Map<string, Word>): boolean {
	if (one.size !== other.size) return false;
	for (const [id, groups] of one) if (other.get(id)?.join() !== groups.join()) return false;
	return true;
}

async function readWhole(run: SyncRun, groupId: string): Promise<Set<string>> {
	const { ids, complete, shown } = await run.api.read(groupId).catch((error: unknown) => {
		if (!isMissingGroup(error)) throw error;
		throw run.fail(
			'A temporary group of this sync no longer exists',
			'Another sync or a user of the service deleted it. Run the sync again. If it takes longer than an hour, sync fewer people at once.',
		);
	});
	if (complete) return ids;
	throw run.fail(
		`The service shows only ${shown} members of a temporary group, so Sync cannot find out who is who`,
		'With Identify By "ID", Add, Remove and Mirror need no temporary groups.',
	);
}
