import { messageOf } from '../../../../shared/failure';
import { mapWithConcurrency, settle } from '../../../../shared/concurrency';
import { sumChanged } from './evidence';
import type { IdentifyBy } from './readRecipients';
import { chunksOf } from './sendInChunks';
import type { SyncRun } from './syncRun';
import { isLost, isMissingGroup, NO_ID } from './groupApi';

const NAME = 'n8n sync staging';

/** Matches the name of a staging group. Captures its time of creation and its execution. */
const NAME_PATTERN =
	/^n8n sync staging (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) (?:execution (\S+) )?[0-9a-f-]{36}$/;

/** A staging group older than this is assumed to belong to a killed run. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000;

/** A temporary group for looking people up. Nobody is notified, and the group is deleted even if the sync fails. */
export type Staging = ReturnType<typeof stagingOf>;

/**
 * Creates a staging group, runs `work` with it and deletes it. The first call of a run also deletes the staging groups of
 * killed runs and shows a warning.
 *
 * @throws the error of `work`, or an error if the group cannot be created or emptied
 */
export async function withStaging<Result>(
	run: SyncRun,
	work: (staging: Staging) => Promise<Result>,
): Promise<Result> {
	const { api } = run;
	await deleteLeftovers(run);
	const name = `${NAME} ${new Date().toISOString()} execution ${run.executionId} ${crypto.randomUUID()}`;
	const created = await settle(async () => await api.create(name));
	if ('error' in created) {
		if (isLost(created.error)) await deleteOwn(run, (other) => other === name);
		throw created.error;
	}
	const { groupId, certain } = created.result;
	try {
		if (groupId === undefined) throw run.refuse(NO_ID);
		const staging = stagingOf(run, groupId);
		await empty(run, staging);
		return await work(staging);
	} finally {
		if (groupId !== undefined) await deleteQuietly(run, groupId);
		if (groupId === undefined || !certain) await deleteOwn(run, (other) => other === name);
	}
}

/** Removes the members whom the service adds to each new group, such as its creator. */
async function empty(run: SyncRun, staging: Staging): Promise<void> {
	const { ids } = await staging.read(0);
	if (ids.size === 0) return;
	const changes = await staging.changeAll('remove', 'id', [...ids]);
	if (sumChanged(changes) !== ids.size) {
		throw run.refuse(
			'The service adds a member to each new group, and this member cannot be removed',
		);
	}
}

function stagingOf(run: SyncRun, groupId: string) {
	const { api } = run;
	const vanished = () =>
		run.refuse(
			'The staging group of this sync no longer exists',
			'Another sync or a user of the service deleted it. Run the sync again. If it takes longer than an hour, sync fewer people at once.',
		);
	async function inGroup<Result>(work: () => Promise<Result>): Promise<Result> {
		const outcome = await settle(work);
		if ('result' in outcome) return outcome.result;
		throw isMissingGroup(outcome.error) ? vanished() : outcome.error;
	}
	const change = async (action: 'add' | 'remove', by: IdentifyBy, values: string[]) =>
		await inGroup(async () => await api.change(action, groupId, by, values));
	return {
		change,
		/** Adds or removes any number of people, in chunks. @throws if a chunk fails */
		async changeAll(action: 'add' | 'remove', by: IdentifyBy, values: string[]) {
			const outcomes = await mapWithConcurrency(
				chunksOf(values, run.chunkSize),
				run.concurrency,
				async (chunk) => await settle(async () => await change(action, by, chunk)),
			);
			return outcomes.map((outcome) => {
				if ('error' in outcome) throw outcome.error;
				return outcome.result;
			});
		},
		/** Reads the members of the group. @throws if the group cannot be read or no longer exists */
		read: async (size: number) => await inGroup(async () => await api.read(groupId, size)),
	};
}

async function deleteLeftovers(run: SyncRun): Promise<void> {
	if (run.leftovers.deleted) return;
	run.leftovers.deleted = true;
	const before = Date.now() - LEFT_BEHIND_AFTER_MS;
	const deleted = await deleteOwn(run, (name) => {
		const [, madeAt = ''] = NAME_PATTERN.exec(name) ?? [];
		return Date.parse(madeAt) < before;
	});
	for (const name of deleted) {
		const [, madeAt, execution = 'unknown'] = NAME_PATTERN.exec(name) ?? [];
		run.warn(
			`Deleted the staging group "${name}" of an earlier sync that was killed (started ${madeAt}, execution ${execution}).`,
		);
	}
}

/**
 * Deletes the groups of the credential's owner whose names match, and returns the names of the deleted groups. A failure is
 * only logged.
 */
async function deleteOwn(run: SyncRun, matches: (name: string) => boolean): Promise<string[]> {
	const deleted: string[] = [];
	try {
		for (const { id, name } of await run.api.listOwn()) {
			if (!matches(name)) continue;
			await run.api.delete(id);
			deleted.push(name);
		}
	} catch (error) {
		run.log(`Staging groups could not be deleted: ${messageOf(error)}`);
	}
	return deleted;
}

/**
 * Deletes a staging group, with a second attempt after any failure. If both attempts fail, the run continues, and a later
 * run deletes the group.
 */
async function deleteQuietly(run: SyncRun, groupId: string): Promise<void> {
	try {
		await run.api.delete(groupId).catch(async () => await run.api.delete(groupId));
	} catch (error) {
		run.log(`The staging group ${groupId} could not be deleted: ${messageOf(error)}`);
	}
}
