import { messageOf } from '../../../../shared/failure';
import type { Recipient } from './readRecipients';
import { sendInChunks, type Sent } from './sendInChunks';
import type { SyncRun } from './syncRun';

const NAME = 'n8n sync staging';

const NAME_PATTERN =
	/^n8n sync staging (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) [0-9a-f-]{36}$/;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The ids of recipients, and what came of sending their emails. */
export type LookUp = { ids: Set<string>; sent: Sent };

/**
 * Learns the ids of recipients. The service offers no look-up, so they go into a group of our own, whose `leads` are
 * read; nobody is told, and the group is deleted whatever happens.
 *
 * @throws when the group cannot be made or read, or when the service shows only some of its members
 */
export async function lookUp(run: SyncRun, recipients: Recipient[]): Promise<LookUp> {
	const { api } = run;
	await deleteLeftovers(run);
	const name = `${NAME} ${new Date().toISOString()} ${crypto.randomUUID()}`;
	let groupId: string | undefined;
	let twinPossible = false;
	try {
		groupId = await api.create(name, () => {
			twinPossible = true;
		});
		const staging = groupId;
		const sent = await sendInChunks(
			run,
			recipients,
			'Looking people up',
			async (values) => await api.change('add', staging, run.identifyBy, values),
		);
		const { ids, complete, shown } = await api.read(staging);
		if (!complete) {
			throw run.refuse(
				`The service shows only ${shown} members of a group`,
				'So the IDs of the recipients cannot be learned from it. Identify By "ID" does without.',
			);
		}
		return { ids, sent };
	} finally {
		if (groupId !== undefined) await deleteQuietly(run, groupId);
		if (twinPossible) await deleteOwn(run, (other) => other === name);
	}
}

/** Deletes, once a run, what a crash left behind: staging groups of the credential's owner older than a day. */
async function deleteLeftovers(run: SyncRun): Promise<void> {
	if (run.leftoversDeleted) return;
	run.leftoversDeleted = true;
	const yesterday = Date.now() - DAY_MS;
	await deleteOwn(run, (name) => {
		const [, madeAt = ''] = NAME_PATTERN.exec(name) ?? [];
		return Date.parse(madeAt) < yesterday;
	});
}

async function deleteOwn(run: SyncRun, matches: (name: string) => boolean): Promise<void> {
	try {
		for (const { id, name } of await run.api.listOwn()) {
			if (matches(name)) await run.api.delete(id);
		}
	} catch (error) {
		run.log(`Staging groups of earlier runs could not be deleted: ${messageOf(error)}`);
	}
}

/**
 * Deletes a staging group, trying once more after a failure of any kind. A group that stays behind all the same harms
 * nobody, and a later run deletes it: no reason for this one to fail.
 */
async function deleteQuietly(run: SyncRun, groupId: string): Promise<void> {
	try {
		await run.api.delete(groupId).catch(async () => await run.api.delete(groupId));
	} catch (error) {
		run.log(`The staging group ${groupId} could not be deleted: ${messageOf(error)}`);
	}
}
