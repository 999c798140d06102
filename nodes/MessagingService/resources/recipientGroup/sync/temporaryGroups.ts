import { NodeApiError } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { isTransient, cancelableSleep } from '../../../../shared/transport/retry';
import { addToList } from '../../../../shared/listsByKey';
import { isMissing } from '../../../sync/calls';
import type { SyncRun } from '../../../sync/parameters';
import { readAgain } from '../../../sync/readAgain';
import { chunksOf } from '../../../sync/sendInChunks';
import { CANCELED } from '../../../sync/status';
import type { MembersApi, Recipient } from '../../../sync/types';

/** The requests of a sync about groups. */
export type GroupApi = MembersApi & {
	createGroup: (name: string) => Promise<{ groupId: string; exclusive: boolean }>;
	deleteGroup: (groupId: string) => Promise<void>;
	/** Returns the names of the groups that belong to the owner of the access key, by ID. */
	listOwnGroups: () => Promise<Map<string, string>>;
};

/** One run of sync for all groups. */
export type GroupRun = SyncRun<GroupApi> & {
	findExclusive: () => Promise<string>;
	/** What a run remembers about its temporary groups. */
	temporary: {
		/** Whether the temporary groups of killed runs were already searched for and deleted. */
		isCleanedUp: boolean;
		/** IDs of groups whose deletion failed. */
		notDeleted: Set<string>;
		/** Which group is exclusive (`findExclusive`). Undefined as long as nobody has asked. */
		exclusive?: string;
		/** What the service said when it refused to delete a group. */
		refusedDeletion?: string;
	};
};

const NAME = 'n8n sync staging';

const USE_IDS = 'With Identify By "ID", Sync needs no temporary groups.';

/** Matches the name of a temporary group in any case. Captures the parts of its time of creation. */
const NAME_PATTERN = /^n8n sync staging (\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z [a-z]{8}$/i;

/** A temporary group older than this is assumed to belong to a killed run. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000;

/**
 * Creates temporary groups to find out who is who, runs `work` with the IDs of the groups, and deletes the groups. If one
 * is not deleted, `temporary.notDeleted` gets its ID. The first time in a run, also deletes the groups of killed runs.
 *
 * @throws the error of `work` or `checkUsable`, or an error if groups cannot be created
 */
export async function withTemporaryGroups<Result>(
	run: GroupRun,
	count: number,
	work: (groupIds: string[]) => Promise<Result>,
): Promise<Result> {
	run.temporary.exclusive ??= run.exclusiveGroupsAreSafe ? '' : await run.findExclusive();
	checkUsable(run);
	if (!run.temporary.isCleanedUp) await deleteLeftBehind(run);
	// The service may just have refused to delete a group.
	checkUsable(run);
	const groupIds: string[] = [];
	const create = async () => {
		const name = newName();
		const { groupId, exclusive } = await run.api.createGroup(name);
		groupIds.push(groupId);
		if (!exclusive) return;
		throw run.fail('Sync cannot find out who is who, because new groups are exclusive', USE_IDS);
	};
	try {
		// The first group is created alone: it shows whether groups can be created, and whether new groups are exclusive.
		await create();
		const others = await Promise.allSettled(Array.from({ length: count - 1 }, create));
		const failed = others.find((one) => one.status === 'rejected');
		if (!failed) return await work(groupIds);
		throw run.fail(
			`Sync needs ${count} temporary groups at once to find out who is who, but could create only ${groupIds.length}: ${messageOf(failed.reason)}`,
			`Sync fewer people at once. ${USE_IDS}`,
		);
	} finally {
		await Promise.all(groupIds.map(async (groupId) => await deleteQuietly(run, groupId)));
	}
}

/**
 * Fails if nobody may be put into temporary groups: the key may not delete groups, or a group is exclusive (`findExclusive`).
 */
function checkUsable({ temporary: { exclusive, refusedDeletion }, fail }: GroupRun): void {
	if (refusedDeletion !== undefined) {
		throw fail(
			'Sync cannot find out who is who, because the access key is not allowed to delete recipient groups',
			`Sync puts people into temporary groups to find out who is who, and must delete these groups. The service says: ${refusedDeletion}. ${USE_IDS}`,
		);
	}
	if (!exclusive) return;
	throw fail(
		`Sync cannot find out who is who, because ${exclusive}`,
		`Sync puts people into temporary groups to find out who is who, and this might take people out of an exclusive group. Nothing was changed. ${USE_IDS} Otherwise, add one member of the exclusive group to another group (npm run check-service checks this, too). If the member stays in both groups, switch on Exclusive Groups Are Safe.`,
	);
}

/** Returns a name for a temporary group, of 40 characters: a service may cut longer names. */
function newName(): string {
	const time = new Date(Date.now()).toISOString().slice(0, 16).replace(/[-:]/g, '');
	const letters = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
		String.fromCharCode(97 + (byte % 26)),
	);
	return `${NAME} ${time}Z ${letters.join('')}`;
}

/** Deletes temporary groups of killed runs, until one may not be deleted. A failure is only logged. */
async function deleteLeftBehind(run: GroupRun): Promise<void> {
	const { temporary } = run;
	temporary.isCleanedUp = true;
	const latest = Date.now() - LEFT_BEHIND_AFTER_MS;
	let deleted = 0;
	try {
		for (const [id, name] of await run.api.listOwnGroups()) {
			const [found, year, month, day, hour, minute] = NAME_PATTERN.exec(name) ?? [];
			if (found === undefined) continue;
			if (Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`) >= latest) continue;
			if (temporary.refusedDeletion !== undefined) temporary.notDeleted.add(id);
			else if (await deleteQuietly(run, id)) deleted++;
		}
	} catch (error) {
		run.log(`Temporary groups could not be searched for: ${messageOf(error)}`);
	}
	if (deleted > 0)
		run.warn(`Deleted temporary groups of earlier syncs that were killed: ${deleted}.`);
}

/** Deletes a temporary group. If this fails, a run an hour later tries again. Returns whether the group is deleted. */
async function deleteQuietly({ api, temporary, log }: GroupRun, groupId: string): Promise<boolean> {
	try {
		await api.deleteGroup(groupId);
		return true;
	} catch (error) {
		temporary.notDeleted.add(groupId);
		const isRefused =
			error instanceof NodeApiError && !isTransient(error) && !isOutcomeUnknown(error);
		if (isRefused) temporary.refusedDeletion ??= messageOf(error);
		log(`The temporary group ${groupId} could not be deleted: ${messageOf(error)}`);
		return false;
	}
}

/** Warns of temporary groups that could not be deleted. */
export function warnOfNotDeleted({ temporary, warn }: GroupRun): void {
	const { notDeleted, refusedDeletion } = temporary;
	if (notDeleted.size === 0) return;
	const advice =
		refusedDeletion === undefined
			? 'A sync that runs an hour later deletes them'
			: `The service says: ${refusedDeletion}. Delete them in the service, and give the access key the right to delete recipient groups`;
	warn(`Temporary groups could not be deleted: ${NAME} (${notDeleted.size}). ${advice}.`);
}

/** The waits between the rounds in which all temporary groups are read. */
const PAUSES_MS = [1_000, 3_000, 6_000];

/** If groups show fewer people than were put in, a round is reliable only after this time without a change. */
const UNCHANGED_MS = 4_000;

/**
 * Reads all temporary groups in rounds, until a round is reliable: it shows exactly the people who were put in, or it equals
 * the round before and is not short, or nothing changes for four seconds. Each round reads every group: a person who
 * appears in the meantime would otherwise be seen in only some of their groups.
 *
 * @param judge gets the groups in which each ID was seen in a round, as indexes in `groupIds`. Returns what the round shows:
 *   exactly the people who were put in, at least as many (`full`), or fewer (`short`)
 * @returns the result of `judge` for the reliable round
 * @throws if no round is reliable, a group cannot be read completely, or the execution is canceled
 */
export async function readInRounds<Result extends { shows: 'exact' | 'full' | 'short' }>(
	run: GroupRun,
	groupIds: string[],
	judge: (seenIn: ReadonlyMap<string, number[]>) => Result,
): Promise<Result> {
	let last: Map<string, number[]> | undefined;
	let unchangedMs = 0;
	for (const pause of [0, ...PAUSES_MS]) {
		await cancelableSleep(pause, run.cancelSignal);
		if (run.cancelSignal?.aborted) throw run.fail(CANCELED);
		const round = await Promise.all(groupIds.map(async (groupId) => await readAll(run, groupId)));
		const seenIn = new Map<string, number[]>();
		for (const [group, ids] of round.entries()) {
			for (const id of ids) addToList(seenIn, id, group);
		}
		const isSame = ([id, groups]: [string, number[]]) => last?.get(id)?.join() === groups.join();
		const equalsLast = last?.size === seenIn.size && [...seenIn].every(isSame);
		unchangedMs = equalsLast ? unchangedMs + pause : 0;
		last = seenIn;
		const result = judge(seenIn);
		if (result.shows === 'exact' || unchangedMs >= UNCHANGED_MS) return result;
		if (result.shows === 'full' && equalsLast) return result;
	}
	throw run.fail(
		'The service shows different people at each read, so Sync cannot find out who is who',
		'Run the sync again later.',
	);
}

/** Returns all members of a temporary group. @throws if the group is missing, or the service does not show all members */
async function readAll(run: GroupRun, groupId: string): Promise<Set<string>> {
	const { ids, complete, shown } = await run.api.readMembers(groupId).catch((error: unknown) => {
		if (!isMissing(error)) throw error;
		throw run.fail(
			'A temporary group of this sync no longer exists',
			'Another sync or a user of the service deleted it. Run the sync again. If the sync takes longer than an hour, sync fewer people at once.',
		);
	});
	if (complete) return ids;
	throw run.fail(
		`The service shows only ${shown} members of a temporary group, so Sync cannot find out who is who`,
		USE_IDS,
	);
}

/**
 * Changes a temporary group without leaving anybody in it: adds a recipient and removes them again. The service may show the
 * creator of a group only after its first change.
 *
 * @param recipient somebody whom the service has accepted before
 */
export async function touch(run: GroupRun, targetId: string, { value }: Recipient): Promise<void> {
	await run.api.changeMembers({ action: 'add', targetId, identifyBy: 'email' }, [value]);
	await run.api.changeMembers({ action: 'remove', targetId, identifyBy: 'email' }, [value]);
}

/**
 * Removes IDs from a temporary group, and waits until a read no longer shows them. If they stay in all groups, `assignIds`
 * finds them everywhere, and gives them to nobody.
 */
export async function removeIds(run: GroupRun, targetId: string, ids: ReadonlySet<string>) {
	for (const chunk of chunksOf([...ids], run.chunkSize)) {
		await run.api.changeMembers({ action: 'remove', targetId, identifyBy: 'id' }, chunk);
	}
	await readAgain(run, targetId, (members) => ![...ids].some((id) => members.ids.has(id)));
}
