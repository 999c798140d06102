import { NodeApiError } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { isTransient, cancelableSleep } from '../../../../shared/transport/retry';
import { addToList } from '../../../../shared/listsByKey';
import { isMissing } from '../../../sync/calls';
import { readAgain } from '../../../sync/changeById';
import type { SyncRun } from '../../../sync/parameters';
import { chunksOf } from '../../../sync/input';
import { CANCELED } from '../../../sync/status';
import type { MembersApi, Recipient } from '../../../sync/types';

/** The requests of a sync about groups. */
export type GroupApi = MembersApi & {
	createNamed: (name: string) => Promise<{ groupId: string; exclusive: boolean }>;
	delete: (groupId: string) => Promise<void>;
	/** Returns the names of the groups that belong to the owner of the credential, by ID. */
	listOwn: () => Promise<Map<string, string>>;
};

/** One run of sync for all groups. */
export type GroupRun = SyncRun<GroupApi> & {
	/** What a run remembers about its temporary groups. */
	temporary: {
		/** Whether the temporary groups of killed runs were already searched for and deleted. */
		isCleaned: boolean;
		/** IDs of groups whose deletion failed. */
		undeleted: Set<string>;
		/** Which group is or may be exclusive, if one is. */
		exclusive?: string;
		/** What the service says if the access key may not delete groups. */
		undeletable?: string;
	};
};

const NAME = 'n8n sync staging';

/** Matches the name of a temporary group in any case. Captures the parts of its time of creation. */
const NAME_PATTERN = /^n8n sync staging (\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z [a-z]{8}$/i;

/** A temporary group older than this is assumed to belong to a killed run. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000;

/**
 * Creates temporary groups to find out who is who, runs `work` with the IDs of the groups, and deletes the groups.
 *
 * @throws the error of `work`, or an error if groups cannot be created or deleted, or if a group is exclusive
 */
export async function withTemporaryGroups<Result>(
	run: GroupRun,
	count: number,
	work: (groupIds: string[]) => Promise<Result>,
): Promise<Result> {
	checkUsable(run);
	if (!run.temporary.isCleaned) await deleteLeftBehind(run);
	checkUsable(run);
	const groupIds: string[] = [];
	const create = async () => {
		const name = nameOfNew();
		const { groupId, exclusive } = await run.api.createNamed(name);
		if (exclusive) noteExclusive(run, name);
		groupIds.push(groupId);
	};
	try {
		// The first group is created alone: it shows whether groups can be created, and whether new groups are exclusive.
		await create();
		checkUsable(run);
		const others = Array.from({ length: count - 1 }, create);
		const failing = (await Promise.allSettled(others)).find(({ status }) => status === 'rejected');
		if (failing?.status !== 'rejected') return await work(groupIds);
		throw run.fail(
			`Sync needs ${count} temporary groups at once to find out who is who, but could create only ${groupIds.length}: ${messageOf(failing.reason)}`,
			'Sync fewer people at once, or use IDs: with Identify By "ID", Sync needs no temporary groups.',
		);
	} finally {
		await Promise.all(groupIds.map(async (groupId) => await deleteQuietly(run, groupId)));
	}
}

/** Notes that a group is exclusive, or may be. */
export function noteExclusive({ temporary }: GroupRun, name: string, is = 'is'): void {
	temporary.exclusive ??= `the group "${name}" ${is}`;
}

/**
 * Fails if the key may not delete groups, or if a group of the run or a temporary group is exclusive. Then nobody is put
 * into a temporary group. The meaning of `exclusive` is not documented: the members of an exclusive group may have to
 * leave all other groups.
 */
function checkUsable({ temporary: { exclusive, undeletable }, fail }: GroupRun): void {
	if (undeletable !== undefined) {
		throw fail(
			'Sync cannot find out who is who, because the access key may not delete recipient groups',
			`Sync puts people into temporary groups to find out who is who, and must delete these groups. The service says: ${undeletable}. With Identify By "ID", Sync needs no temporary groups.`,
		);
	}
	if (exclusive === undefined) return;
	throw fail(
		`Sync cannot find out who is who, because ${exclusive} exclusive`,
		'Sync puts people into temporary groups to find out who is who, and this might take a person out of an exclusive group. With Identify By "ID", Sync needs no temporary groups.',
	);
}

/** Returns the name of a new temporary group, of 40 characters: a service may cut longer names. */
function nameOfNew(): string {
	const time = new Date(Date.now()).toISOString().slice(0, 16).replace(/[-:]/g, '');
	const letters = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
		String.fromCharCode(97 + (byte % 26)),
	);
	return `${NAME} ${time}Z ${letters.join('')}`;
}

/** Deletes temporary groups of killed runs, until one may not be deleted. A failure is only logged. */
async function deleteLeftBehind(run: GroupRun): Promise<void> {
	const { temporary } = run;
	temporary.isCleaned = true;
	const before = Date.now() - LEFT_BEHIND_AFTER_MS;
	let deleted = 0;
	try {
		for (const [id, name] of await run.api.listOwn()) {
			const [isOwn, year, month, day, hour, minute] = NAME_PATTERN.exec(name) ?? [];
			// The parser of dates guesses at any text.
			if (isOwn === undefined || Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`) >= before)
				continue;
			if (temporary.undeletable !== undefined) temporary.undeleted.add(id);
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
		await api.delete(groupId);
		return true;
	} catch (error) {
		temporary.undeleted.add(groupId);
		const isRefused =
			error instanceof NodeApiError && !isTransient(error) && !isOutcomeUnknown(error);
		if (isRefused) temporary.undeletable ??= messageOf(error);
		log(`The temporary group ${groupId} could not be deleted: ${messageOf(error)}`);
		return false;
	}
}

/** Warns of temporary groups that could not be deleted. */
export function warnOfUndeleted({ temporary: { undeleted, undeletable }, warn }: GroupRun): void {
	if (undeleted.size === 0) return;
	const advice =
		undeletable === undefined
			? 'A sync that runs an hour later deletes them'
			: `The service says: ${undeletable}. Delete them in the service, and give the access key the right to delete recipient groups`;
	warn(`Temporary groups could not be deleted: ${NAME} (${undeleted.size}). ${advice}.`);
}

/** The waits between the rounds in which all temporary groups are read. */
const PAUSES_MS = [1_000, 3_000, 6_000];

/** Groups that show fewer people than were put in count if nothing changes for this time. */
const UNCHANGED_MS = 4_000;

/** What is seen in a round: exactly the people who were put in, at least as many, or fewer. */
export type Judgment = 'exact' | 'full' | 'short';

/**
 * Reads all temporary groups in rounds. A round counts if it shows exactly the people who were put in, or if it equals
 * the round before and no group is short. Short groups count if nothing changes for four seconds. Each round reads every
 * group. Otherwise, a person who appears in the meantime would be seen in only some groups, as if these were a word.
 *
 * @param judge gets the groups in which each ID was seen
 */
export async function readInRounds(
	run: GroupRun,
	groupIds: string[],
	judge: (seenIn: ReadonlyMap<string, number[]>) => Judgment,
): Promise<void> {
	let last = new Map<string, number[]>();
	let unchangedMs = 0;
	for (const pause of [0, ...PAUSES_MS]) {
		await cancelableSleep(pause, run.cancelSignal);
		if (run.cancelSignal?.aborted) throw run.fail(CANCELED);
		const round = await Promise.all(groupIds.map(async (groupId) => await readWhole(run, groupId)));
		const seenIn = new Map<string, number[]>();
		for (const [group, ids] of round.entries()) {
			for (const id of ids) addToList(seenIn, id, group);
		}
		const isSame = ([id, groups]: [string, number[]]) => last.get(id)?.join() === groups.join();
		const isUnchanged = last.size === seenIn.size && [...seenIn].every(isSame);
		unchangedMs = isUnchanged ? unchangedMs + pause : 0;
		last = seenIn;
		const judgment = judge(seenIn);
		if (judgment === 'exact' || unchangedMs >= UNCHANGED_MS) return;
		if (judgment === 'full' && unchangedMs > 0) return;
	}
	throw run.fail(
		'The service shows different people at each read, so Sync cannot find out who is who',
		'Run the sync again later.',
	);
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
		'With Identify By "ID", Sync needs no temporary groups.',
	);
}

/** Changes a temporary group without leaving anybody in it: adds an accepted address and removes it again. */
export async function touch(run: GroupRun, groupId: string, { value }: Recipient): Promise<void> {
	await run.api.change('add', groupId, 'email', [value]);
	await run.api.change('remove', groupId, 'email', [value]);
}

/** Takes IDs out of a temporary group. If the service does not let them go, they stay in all groups. */
export async function takeOut(run: GroupRun, groupId: string, ids: ReadonlySet<string>) {
	for (const chunk of chunksOf([...ids], run.chunkSize)) {
		await run.api.change('remove', groupId, 'id', chunk);
	}
	await readAgain(run, groupId, (members) => ![...ids].some((id) => members.ids.has(id)));
}
