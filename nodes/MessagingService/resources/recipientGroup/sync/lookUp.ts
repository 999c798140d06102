import { wait } from '../../../../shared/transport/retry';
import { isMissing } from '../../../sync/calls';
import { CANCELED, failed } from '../../../sync/outcomes';
import { chunksOf, sendAll } from '../../../sync/send';
import type { Outcome, Recipient } from '../../../sync/types';
import type { GroupRun } from './groupRun';
import { withTemporaryGroups } from './temporaryGroups';
import { chooseCode, explainOdd, sortIds, wordsOf } from './words';
import type { LookUp, Holder, Word } from './words';

/** What is known about the addresses of a run. */
export type KnownAddresses = {
	/** Keys of the addresses that the service accepted. */
	accepted: Set<string>;
	/** The outcomes of unknown and failed addresses, by key. */
	problems: Map<string, Outcome>;
};

/** How to look up holders. A holder is one address, or several addresses that are looked up together. */
type Options = {
	known: KnownAddresses;
	/** Whether the holders are the two halves of all addresses. Two temporary groups are then enough. */
	isHalved?: boolean;
	/** Whether to look up holders without an ID once more if there are odd IDs: IDs whose holder is not clear. */
	isRepaired?: boolean;
	/** Whether this is the second look-up, of the holders that had no ID after the first. */
	isAgain?: boolean;
	/** The tag of each ID, if known: the groups for which items name the person. */
	tagOf?: ReadonlyMap<string, string>;
};

/** How often all temporary groups are read at most. */
const MOST_ROUNDS = 4;
const BETWEEN_ROUNDS_MS = 1_000;

/**
 * Finds the IDs of holders. Puts the addresses of each holder into some temporary groups, called its word, and reads
 * all groups. An ID that is seen in exactly the groups of a word belongs to the holder of this word.
 *
 * @param holders holders whose addresses are not in `known.problems`
 * @throws if groups cannot be created, filled or read completely, or if no two rounds of reads agree
 */
export async function lookUp(run: GroupRun, holders: Holder[], options: Options): Promise<LookUp> {
	const { known, isHalved, isAgain } = options;
	const { chunkSize } = run;
	const words = holders.reduce((most, { wordNumber }) => Math.max(most, wordNumber + 1), 0);
	const people = holders.flatMap(({ addresses }) => addresses);
	const isFirst = people.some((one) => isFresh(one, known));
	const load = { words, addresses: people.length, chunkSize, isFirst, isHalved, isAgain };
	const found = await withTemporaryGroups(run, chooseCode(load)?.groups ?? 1, async (groupIds) => {
		// If the service allows fewer groups than the words need, the words get longer.
		const code = chooseCode(load, groupIds.length);
		if (!code) {
			throw run.fail(
				`The service takes only ${groupIds.length} temporary groups at once, too few to find out who is who`,
				'Nothing was changed. Sync fewer people at once.',
			);
		}
		const list = wordsOf(code, words);
		for (const holder of holders) holder.word = list[holder.wordNumber] ?? [];
		return await tellApart(run, groupIds.slice(0, code.groups), holders, options);
	});
	if (!options.isRepaired || isAgain || isSettled(found)) return found;
	// The holders that lack an ID are looked up once more, in new groups.
	const lacking = [...found.lacking];
	for (const [wordNumber, holder] of lacking.entries()) {
		Object.assign(holder, { wordNumber });
		found.idsOf.delete(holder);
	}
	const again = await lookUp(run, lacking, { known, isRepaired: true, isAgain: true });
	const odd = new Set([...found.odd, ...again.odd]);
	for (const ids of again.idsOf.values()) for (const id of ids) odd.delete(id);
	return { idsOf: new Map([...found.idsOf, ...again.idsOf]), lacking: again.lacking, odd };
}

/** Whether another look-up would find no further IDs, because no ID is odd or no holder lacks an ID. */
function isSettled({ odd, lacking }: LookUp): boolean {
	return odd.size === 0 || lacking.size === 0;
}

async function tellApart(
	run: GroupRun,
	groupIds: string[],
	holders: Holder[],
	{ known, isAgain, tagOf = new Map() }: Options,
): Promise<LookUp> {
	/** For each group, the holders put into it. */
	const groups = arrange(groupIds, holders);
	let anyone: Recipient | undefined;
	/**
	 * Puts the people that `peopleOf` returns into each group. If it returns undefined, the group is changed without
	 * leaving anybody in it, because its creator may appear with the first change.
	 */
	const fill = async (peopleOf: (inGroup: Holder[], group: number) => Recipient[] | undefined) =>
		await Promise.all(
			groups.map(async (inGroup, group) => {
				const groupId = groupIds[group] ?? '';
				const people = peopleOf(inGroup, group);
				if (people) await put(run, groupId, people, known);
				else if (anyone) await touch(run, groupId, anyone);
			}),
		);
	// First, each new address goes only into the first group of its word. This finds the unknown
	// addresses.
	const people = holders.flatMap(({ addresses }) => addresses);
	const fresh = new Set(people.filter((one) => isFresh(one, known)));
	await fill((inGroup, group) =>
		inGroup.flatMap(({ addresses, word }) =>
			word[0] === group ? addresses.filter((one) => fresh.has(one)) : [],
		),
	);
	for (const holder of holders) {
		holder.accepted = holder.addresses.filter(({ key }) => known.accepted.has(key));
		anyone ??= holder.accepted[0];
	}
	if (!anyone) return { idsOf: new Map(), lacking: new Set(), odd: new Set() };
	await fill((inGroup, group) => {
		if (countAccepted(inGroup) === 0) return undefined;
		return inGroup.flatMap(({ accepted, word }) =>
			word[0] === group ? accepted.filter((one) => !fresh.has(one)) : accepted,
		);
	});
	const seenIn = await readInRounds(run, groupIds, groups.map(countAccepted));
	const found = sortIds(holders, seenIn, tagOf);
	if (!isAgain || isSettled(found)) return found;

	// Takes odd IDs out of all groups, and puts addresses that lack an ID in again. Every group gets a change: an
	// address that is in it anyway (`present`) is put in again.
	const odd = chunksOf([...found.odd], run.chunkSize);
	const takeOut = async (groupId: string) => {
		for (const ids of odd) {
			const { errorCount } = await run.api.change('remove', groupId, 'id', ids);
			// A person who stays in some of the groups would look like a person with several addresses.
			if (errorCount > 0) throw run.fail('People could not be taken out of a temporary group');
		}
	};
	await Promise.all(groupIds.map(takeOut));
	await fill((inGroup) => {
		const present = inGroup.find(({ accepted }) => accepted.length > 0);
		const putAgain = inGroup.filter((holder) => found.lacking.has(holder) || holder === present);
		return present && putAgain.flatMap(({ accepted }) => accepted);
	});
	const seenAgain = await readInRounds(run, groupIds, groups.map(countAccepted));
	return explainOdd(sortIds(holders, seenAgain, tagOf), seenAgain, tagOf, groupIds.length);
}

/** Returns the holders that are put into each temporary group. */
function arrange(groupIds: string[], holders: Holder[]): Holder[][] {
	const groups = groupIds.map((): Holder[] => []);
	for (const holder of holders) for (const group of holder.word) groups[group]?.push(holder);
	return groups;
}

/** Returns how many addresses of the holders the service accepted. */
export function countAccepted(holders: Holder[]): number {
	return holders.reduce((sum, { accepted }) => sum + accepted.length, 0);
}

function isFresh({ key }: Recipient, { accepted, problems }: KnownAddresses): boolean {
	return !accepted.has(key) && !problems.has(key);
}

/** Puts addresses into a temporary group, and records whom the service accepted. */
async function put(
	run: GroupRun,
	groupId: string,
	people: Recipient[],
	{ accepted, problems }: KnownAddresses,
): Promise<void> {
	const sent = await sendAll(run, people, { action: 'add', targetId: groupId, by: 'email' });
	for (const { recipients } of sent.accepted) {
		for (const { key } of recipients) if (!problems.has(key)) accepted.add(key);
	}
	for (const [{ key }, { status, reason }] of sent.problems) {
		// If an address was accepted before and is refused now, nothing proves that it is unknown.
		const isUnknown = status === 'unknown' && !accepted.has(key);
		accepted.delete(key);
		problems.set(key, isUnknown ? { status, reason } : failed(reason));
	}
}

/**
 * Changes a temporary group without leaving anybody in it: adds an accepted address and removes it
 * again.
 */
async function touch(run: GroupRun, groupId: string, { value }: Recipient): Promise<void> {
	await run.api.change('add', groupId, 'email', [value]);
	await run.api.change('remove', groupId, 'email', [value]);
}

/**
 * Reads all temporary groups in rounds, a second apart, until two rounds agree, because the reads of one round may all
 * return older data. If every group shows as many people as were put in, one round is enough. Each round reads every
 * group. Otherwise, a person who appears in the meantime would be seen in only some groups, as if these groups were a
 * word.
 *
 * @param sizes how many people were put into each group
 * @returns the groups in which each ID was seen
 */
export async function readInRounds(
	run: GroupRun,
	groupIds: string[],
	sizes: number[] = [],
): Promise<Map<string, Word>> {
	let last: Map<string, Word> | undefined;
	for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
		if (rounds > 0) await wait(BETWEEN_ROUNDS_MS, run.cancelSignal);
		if (run.cancelSignal?.aborted) throw run.fail(CANCELED);
		const round = await Promise.all(groupIds.map(async (groupId) => await readWhole(run, groupId)));
		const seenIn = new Map<string, Word>();
		for (const [group, ids] of round.entries()) {
			for (const id of ids) {
				const seen = seenIn.get(id);
				if (seen) seen.push(group);
				else seenIn.set(id, [group]);
			}
		}
		if (round.every((ids, group) => ids.size === sizes[group])) return seenIn;
		if (last && isSame(last, seenIn)) return seenIn;
		last = seenIn;
	}
	throw run.fail(
		'The service shows different people at each read, so Sync cannot find out who is who',
		'Run the sync again later.',
	);
}

function isSame(one: Map<string, Word>, other: Map<string, Word>): boolean {
	if (one.size !== other.size) return false;
	for (const [id, groups] of one) if (other.get(id)?.join() !== groups.join()) return false;
	return true;
}

async function readWhole(run: GroupRun, groupId: string): Promise<Set<string>> {
	const { ids, complete, shown } = await run.api.read(groupId).catch((error: unknown) => {
		if (!isMissing(error)) throw error;
		throw run.fail(
			'A temporary group of this sync no longer exists',
			'Another sync or a user of the service deleted it. Run the sync again. If the sync takes longer than an hour, sync fewer people at once.',
		);
	});
	if (complete) return ids;
	throw run.fail(
		`The service shows only ${shown} members of a temporary group, so Sync cannot find out who is who`,
		'With Identify By "ID", Add, Remove and Mirror need no temporary groups.',
	);
}
