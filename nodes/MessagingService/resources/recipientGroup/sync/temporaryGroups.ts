import { messageOf } from '../../../../shared/failure';
import { isOutcomeUnknown } from '../../../../shared/transport/errors/apiError';
import type { GroupRun } from './groupRun';

const NAME = 'n8n sync staging';

/** Matches the name of a temporary group exactly. Captures its time of creation. */
const NAME_PATTERN = /^n8n sync staging (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) [a-z]{20}$/;

/** A temporary group older than this is assumed to belong to a killed run. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000;

/**
 * Creates temporary groups to find out who is who, runs `work` with the IDs of the groups, and deletes the groups.
 * Nobody is notified.
 *
 * @param most how many groups to create. If the service does not create all of them, `work` gets fewer, but at least one
 * @throws the error of `work`, or an error if no group can be created or a group is exclusive
 */
export async function withTemporaryGroups<Result>(
	run: GroupRun,
	most: number,
	work: (groupIds: string[]) => Promise<Result>,
): Promise<Result> {
	const { temporary } = run;
	checkExclusive(run);
	if (!temporary.isCleaned) await deleteLeftBehind(run);
	const groupIds: string[] = [];
	try {
		// The first group is created alone: it shows whether groups can be created, and whether new
		// groups are exclusive.
		const problem = await create(run, groupIds);
		if (problem !== undefined) throw problem;
		checkExclusive(run);
		await Promise.all(Array.from({ length: most - 1 }, async () => await create(run, groupIds)));
		checkExclusive(run);
		return await work(groupIds);
	} finally {
		await Promise.all(groupIds.map(async (groupId) => await deleteQuietly(run, groupId)));
	}
}

/**
 * Fails if a group of the run or a temporary group is exclusive. Then nobody is put into a temporary group. The
 * meaning of `exclusive` is not documented: the members of an exclusive group may have to leave all other groups.
 */
function checkExclusive({ temporary: { exclusive }, fail }: GroupRun): void {
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

function nameOfNew(): string {
	const time = new Date(Date.now()).toISOString().replace(/\.\d+Z$/, 'Z');
	const letters = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) =>
		String.fromCharCode(97 + (byte % 26)),
	);
	return `${NAME} ${time} ${letters.join('')}`;
}

async function deleteLeftBehind(run: GroupRun): Promise<void> {
	run.temporary.isCleaned = true;
	const before = Date.now() - LEFT_BEHIND_AFTER_MS;
	await deleteOwn(run, (name) => {
		const [, createdAt = ''] = NAME_PATTERN.exec(name) ?? [];
		if (!(Date.parse(createdAt) < before)) return false;
		run.warn(
			`Deleted the temporary group "${name}" of an earlier sync that was killed (started ${createdAt}).`,
		);
		return true;
	});
}

/** Deletes the groups of the credential's owner whose names match. A failure is only logged. */
async function deleteOwn(run: GroupRun, matches: (name: string) => boolean): Promise<void> {
	try {
		for (const [id, name] of await run.api.listOwn()) {
			if (matches(name)) await deleteQuietly(run, id);
		}
	} catch (error) {
		run.log(`Temporary groups could not be searched for: ${messageOf(error)}`);
	}
}

/** Deletes a temporary group. If this fails, `deleteRest` tries again, and after an hour a later run does. */
async function deleteQuietly({ api, temporary, log }: GroupRun, groupId: string): Promise<void> {
	try {
		await api.delete(groupId);
		temporary.undeleted.delete(groupId);
	} catch (error) {
		temporary.undeleted.add(groupId);
		log(`The temporary group ${groupId} could not be deleted: ${messageOf(error)}`);
	}
}

/**
 * Tries once more to delete the groups that could not be deleted. Must run at the very end of a
 * sync.
 */
export async function deleteRest(run: GroupRun): Promise<void> {
	const { undeleted, uncertain } = run.temporary;
	for (const groupId of [...undeleted]) await deleteQuietly(run, groupId);
	if (uncertain.size > 0) await deleteOwn(run, (name) => uncertain.has(name));
	if (undeleted.size === 0) return;
	run.warn(
		`Temporary groups could not be deleted: ${NAME} (${undeleted.size}). A sync that runs an hour later deletes them.`,
	);
}
