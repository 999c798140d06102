import { NodeApiError } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import { isTransient } from '../../../../shared/transport/retry';
import { looksOf } from '../../../../shared/values/name';
import type { SyncRun } from '../../../sync/parameters';
import { failedStatus } from '../../../sync/status';
import type { Members, Target } from '../../../sync/types';
import type { GroupApi } from './groupApi';

/** One run of sync for all groups. */
export type GroupRun = SyncRun<GroupApi> & {
	/** What a run remembers about its temporary groups. */
	temporary: {
		/** Whether the temporary groups of killed runs were already searched for and deleted. */
		isCleaned: boolean;
		/** IDs of groups whose deletion failed. */
		undeleted: Set<string>;
		/** Names of groups that may exist although their creation failed. */
		uncertain: Set<string>;
		/** The name of a group that says `exclusive: true`, if there is one. */
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
 * @param most how many groups to create. If the service does not create all of them, `work` gets fewer, but at least one
 * @throws the error of `work`, or an error if no group can be created or deleted, or if a group is exclusive
 */
export async function withTemporaryGroups<Result>(
	run: GroupRun,
	most: number,
	work: (groupIds: string[]) => Promise<Result>,
): Promise<Result> {
	checkUsable(run);
	if (!run.temporary.isCleaned) await deleteLeftBehind(run);
	checkUsable(run);
	const groupIds: string[] = [];
	try {
		// The first group is created alone: it shows whether groups can be created, and whether new
		// groups are exclusive.
		const problem = await create(run, groupIds);
		if (problem !== undefined) throw problem;
		checkUsable(run);
		await Promise.all(Array.from({ length: most - 1 }, async () => await create(run, groupIds)));
		checkUsable(run);
		return await work(groupIds);
	} finally {
		await Promise.all(groupIds.map(async (groupId) => await deleteQuietly(run, groupId)));
	}
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
			`Sync puts people into temporary groups to find out who is who, and must delete these groups. The service says: ${undeletable}. With Identify By "ID", Add, Remove and Mirror need no temporary groups.`,
		);
	}
	if (exclusive === undefined) return;
	throw fail(
		`Sync cannot find out who is who, because the group "${exclusive}" is exclusive`,
		'Sync puts people into temporary groups to find out who is who, and this might take a person out of an exclusive group. With Identify By "ID", Add, Remove and Mirror need no temporary groups.',
	);
}

/** Creates a temporary group and adds its ID to `groupIds`. Returns the error if this fails. */
async function create({ api, temporary }: GroupRun, groupIds: string[]): Promise<unknown> {
	const name = nameOfNew();
	try {
		const { groupId, certain, exclusive } = await api.create(name);
		if (!certain) temporary.uncertain.add(name);
		if (exclusive) temporary.exclusive = name;
		groupIds.push(groupId);
		return undefined;
	} catch (error) {
		if (isOutcomeUnknown(error)) temporary.uncertain.add(name);
		return error;
	}
}

/** Returns the name of a new temporary group, of 40 characters: a service may cut longer names. */
function nameOfNew(): string {
	const time = new Date(Date.now()).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
	const letters = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
		String.fromCharCode(97 + (byte % 26)),
	);
	return `${NAME} ${time.replace(/[-:]/g, '')} ${letters.join('')}`;
}

async function deleteLeftBehind(run: GroupRun): Promise<void> {
	run.temporary.isCleaned = true;
	const before = Date.now() - LEFT_BEHIND_AFTER_MS;
	const deleted = await deleteOwn(run, (name) => {
		const [isOwn, year, month, day, hour, minute] = NAME_PATTERN.exec(name) ?? [];
		// The parser of dates guesses at any text.
		return isOwn !== undefined && Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`) < before;
	});
	if (deleted > 0)
		run.warn(`Deleted temporary groups of earlier syncs that were killed: ${deleted}.`);
}

/**
 * Deletes the groups of the credential's owner whose names match, until one cannot be deleted. A failure is only
 * logged.
 *
 * @returns how many were deleted
 */
async function deleteOwn(run: GroupRun, matches: (name: string) => boolean): Promise<number> {
	let deleted = 0;
	try {
		for (const [id, name] of await run.api.listOwn()) {
			if (!matches(name)) continue;
			if (run.temporary.undeletable !== undefined) run.temporary.undeleted.add(id);
			else if (await deleteQuietly(run, id)) deleted++;
		}
	} catch (error) {
		run.log(`Temporary groups could not be searched for: ${messageOf(error)}`);
	}
	return deleted;
}

/**
 * Deletes a temporary group. If this fails, `deleteRest` tries again, and after an hour a later run does. Returns whether
 * the group is deleted.
 */
async function deleteQuietly(run: GroupRun, groupId: string): Promise<boolean> {
	const { undeleted } = run.temporary;
	try {
		await run.api.delete(groupId);
		undeleted.delete(groupId);
		return true;
	} catch (error) {
		undeleted.add(groupId);
		const isRefused =
			error instanceof NodeApiError && !isTransient(error) && !isOutcomeUnknown(error);
		if (isRefused) run.temporary.undeletable ??= messageOf(error);
		run.log(`The temporary group ${groupId} could not be deleted: ${messageOf(error)}`);
		return false;
	}
}

/**
 * Tries once more to delete the groups that could not be deleted. Must run at the very end of a
 * sync.
 */
export async function deleteRest(run: GroupRun): Promise<void> {
	const { undeleted, uncertain } = run.temporary;
	delete run.temporary.undeletable;
	for (const groupId of [...undeleted]) {
		await deleteQuietly(run, groupId);
		if (run.temporary.undeletable !== undefined) break;
	}
	const { undeletable } = run.temporary;
	if (uncertain.size > 0) await deleteOwn(run, (name) => uncertain.has(name));
	if (undeleted.size === 0) return;
	const advice =
		undeletable === undefined
			? 'A sync that runs an hour later deletes them'
			: `The service says: ${undeletable}. Delete them in the service, and give the access key the right to delete recipient groups`;
	run.warn(`Temporary groups could not be deleted: ${NAME} (${undeleted.size}). ${advice}.`);
}

/**
 * Creates a missing group and reads it, because the service may add a member to each new group. If the outcome of the
 * creation is unknown, the creation is not repeated. If the service gives the group another name, the next run would
 * not find it, so the group is deleted, unless it has several members: it may have existed before.
 *
 * @returns the first members of the group
 * @throws if the group cannot be created or read, or has another name
 */
export async function createGroup(run: GroupRun, group: Target): Promise<Members> {
	const wanted = group.name ?? '';
	const created = await run.api.create(wanted, true).catch((error: unknown) => {
		throw isOutcomeUnknown(error) ? run.fail(failedStatus(messageOf(error), true).reason) : error;
	});
	const members = await run.api.read(created.groupId);
	const name = members.name ?? created.name ?? wanted;
	if (looksOf(name) !== looksOf(wanted)) {
		const isDeletable = members.complete && members.ids.size <= 1;
		if (isDeletable) await run.api.delete(created.groupId);
		throw run.fail(
			`The service changed the name of the new group "${wanted}" to "${name}"`,
			`Nobody was added. ${isDeletable ? 'The group was deleted again.' : `The group was not deleted (ID ${created.groupId}), because it has members.`} Use a name that the service does not change, for example a shorter one.`,
		);
	}
	group.id = created.groupId;
	if (members.exclusive) run.temporary.exclusive = group.name ?? group.id;
	return members;
}
