import { wait } from '../../../../shared/transport/retry';
import { isMissing, readAgain } from '../../../sync/calls';
import { CANCELED, failedStatus, isRefused } from '../../../sync/status';
import { chunksOf } from '../../../sync/rows';
import { sendAll } from '../../../sync/send';
import type { RecipientStatus, Recipient } from '../../../sync/types';
import { chooseCode, sortIds, wordsOf } from './code';
import type { LookUpTarget, Sorted, Word } from './code';
import { withTemporaryGroups, type GroupRun } from './temporaryGroups';

/** What is known about the addresses of a run. */
export type KnownAddresses = {
	/** Keys of the addresses that the service accepted. */
	accepted: Set<string>;
	/** The statuses of unknown and failed addresses, by key. */
	problems: Map<string, RecipientStatus>;
};

export function newKnown(): KnownAddresses {
	return { accepted: new Set(), problems: new Map() };
}

/** The waits between the rounds in which all temporary groups are read. */
const PAUSES_MS = [1_000, 3_000, 6_000];

/** Groups that show fewer people than were put in count if nothing changes for this time. */
const UNCHANGED_MS = 4_000;

/** How often the creator is taken out of a group: with the first change, the service may add them again. */
const MOST_REMOVALS = 2;

/**
 * Finds the IDs of targets. Puts the addresses of each target into some temporary groups, called its word, and reads
 * all groups. An ID that is seen in exactly the groups of a word belongs to the target of this word. One further group
 * holds one known person: it shows whether the groups are late, and who is in all groups.
 *
 * @param targets targets whose addresses are not in `known.problems`
 * @param creators if given, each target must have a separate group, out of which these IDs are taken first: those of the
 *   creator of the groups
 * @throws if groups cannot be created, filled or read completely, or if the reads keep changing
 */
export async function lookUp<Target extends LookUpTarget>(
	run: GroupRun,
	targets: Target[],
	known: KnownAddresses,
	creators?: ReadonlySet<string>,
): Promise<Sorted<Target>> {
	const wanted = (chooseCode(targets.length)?.groups ?? 1) + 1;
	return await withTemporaryGroups(run, wanted, async (groupIds) => {
		// If the service allows fewer groups than the words need, the words get longer.
		const code = chooseCode(targets.length, groupIds.length - 1);
		if (!code || (creators && code.perWord > 1)) {
			throw run.fail(
				`The service takes only ${groupIds.length} temporary groups at once, too few to find out who is who`,
				'Nothing was changed. Sync fewer people at once.',
			);
		}
		for (const [index, word] of wordsOf(code, targets.length).entries()) {
			const target = targets[index];
			if (target) target.word = word;
		}
		return await tellApart(run, groupIds.slice(0, code.groups + 1), targets, known, creators);
	});
}

/** Fills and reads temporary groups. */
async function tellApart<Target extends LookUpTarget>(
	run: GroupRun,
	groupIds: string[],
	targets: Target[],
	known: KnownAddresses,
	creators?: ReadonlySet<string>,
): Promise<Sorted<Target>> {
	if (creators && creators.size > 0) {
		await Promise.all(groupIds.map(async (groupId) => await takeOut(run, groupId, creators)));
	}
	const further = groupIds.length - 1;
	await fill(run, groupIds.slice(0, -1), targets, known);
	const holder = targets.find(({ accepted }) => accepted.length > 0);
	const anyone = holder?.accepted[0];
	const nothing: Sorted<Target> = sortIds(targets, new Map(), further, undefined);
	if (!anyone) return nothing;
	const isEmpty = creators !== undefined || countAccepted(targets) === 1;
	const sizes = groupIds.map((_, group) =>
		countAccepted(targets.filter(({ word }) => word.includes(group))),
	);
	// The creator of a group may appear with its first change, so each group gets a change.
	await Promise.all(
		groupIds.map(async (groupId, group) => {
			if (group === further && !isEmpty) await put(run, groupId, [anyone], known);
			else if (sizes[group] === 0) await touch(run, groupId, anyone);
		}),
	);

	let found = nothing;
	sizes[further] = 1;
	await readInRounds(run, groupIds, (seenIn, shown) => {
		found = sortIds(targets, seenIn, further, isEmpty ? undefined : holder);
		// If the further group holds nobody, it does not show whether it is late.
		if (isEmpty || found.short.size > 0) return 'short';
		const isExact = sizes.every((size, group) => shown[group] === size);
		return isExact && found.lacking.size === 0 ? 'exact' : 'full';
	});
	return found;
}

/**
 * Puts the addresses of targets into the groups of their words. First, each new address goes only into the first group of
 * its word. This finds the unknown addresses.
 */
async function fill(
	run: GroupRun,
	groupIds: string[],
	targets: LookUpTarget[],
	known: KnownAddresses,
): Promise<void> {
	const { accepted, problems } = known;
	const isFresh = ({ key }: Recipient) => !accepted.has(key) && !problems.has(key);
	const fresh = new Set(targets.flatMap(({ addresses }) => addresses.filter(isFresh)));
	const putInto = async (peopleOf: (target: LookUpTarget, isFirst: boolean) => Recipient[]) =>
		await Promise.all(
			groupIds.map(async (groupId, group) => {
				const inGroup = targets.filter(({ word }) => word.includes(group));
				const people = inGroup.flatMap((target) => peopleOf(target, target.word[0] === group));
				await put(run, groupId, people, known);
			}),
		);
	await putInto(({ addresses }, isFirst) =>
		isFirst ? addresses.filter((one) => fresh.has(one)) : [],
	);
	for (const target of targets) {
		target.accepted = target.addresses.filter(({ key }) => accepted.has(key));
	}
	await putInto((target, isFirst) =>
		isFirst ? target.accepted.filter((one) => !fresh.has(one)) : target.accepted,
	);
}

/** Returns how many addresses of the targets the service accepted. */
export function countAccepted(targets: LookUpTarget[]): number {
	return targets.reduce((sum, { accepted }) => sum + accepted.length, 0);
}

/** Puts addresses into a temporary group, and records whom the service accepted. */
async function put(
	run: GroupRun,
	groupId: string,
	people: Recipient[],
	{ accepted, problems }: KnownAddresses,
): Promise<void> {
	const { replies } = await sendAll(run, people, { action: 'add', targetId: groupId, by: 'email' });
	for (const [key, reply] of replies) {
		if (!isRefused(reply)) {
			if (!problems.has(key)) accepted.add(key);
			continue;
		}
		// If an address was accepted before and is refused now, nothing proves that it is unknown.
		const wasAccepted = accepted.delete(key);
		const isUnknown = reply.status === 'unknown' && wasAccepted;
		problems.set(key, isUnknown ? failedStatus(reply.reason) : reply);
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

/** Takes IDs out of a temporary group. If the service does not let them go, they stay in all groups. */
async function takeOut(run: GroupRun, groupId: string, ids: ReadonlySet<string>): Promise<void> {
	const isGone = (shown: ReadonlySet<string>) => ![...ids].some((id) => shown.has(id));
	for (let removals = 0; removals < MOST_REMOVALS; removals++) {
		for (const chunk of chunksOf([...ids], run.chunkSize)) {
			await run.api.change('remove', groupId, 'id', chunk);
		}
		const members = await readAgain(run, groupId, (one) => isGone(one.ids));
		if (members && isGone(members.ids)) return;
	}
}

/** What one round of reads shows: exactly the people who were put in, at least as many, or fewer. */
type Judgment = 'exact' | 'full' | 'short';

/**
 * Reads all temporary groups in rounds. A round counts if it shows exactly the people who were put in, or if it equals
 * the round before and no group is short. Short groups count if nothing changes for four seconds. Each round reads every
 * group. Otherwise, a person who appears in the meantime would be seen in only some groups, as if these were a word.
 *
 * @param judge gets the groups in which each ID was seen, and how many people each group shows
 * @returns the groups in which each ID was seen
 */
export async function readInRounds(
	run: GroupRun,
	groupIds: string[],
	judge: (seenIn: Map<string, Word>, sizes: number[]) => Judgment,
): Promise<Map<string, Word>> {
	let last: Map<string, Word> | undefined;
	let unchangedMs = 0;
	for (const pause of [0, ...PAUSES_MS]) {
		await wait(pause, run.cancelSignal);
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
		unchangedMs = last && isSame(last, seenIn) ? unchangedMs + pause : 0;
		const judgment = judge(
			seenIn,
			round.map(({ size }) => size),
		);
		if (judgment === 'exact' || (judgment === 'full' && unchangedMs > 0)) return seenIn;
		if (unchangedMs >= UNCHANGED_MS) return seenIn;
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
