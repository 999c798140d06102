import { messageOf } from '../../../../shared/failure';
import { type GroupMembers } from './groupApi';
import { emailsByKind } from './locate';
import type { Recipient } from './readRecipients';
import type { Status } from './report';
import { sendInChunks, type Sent, type Taken } from './sendInChunks';
import { lookUp } from './stagingGroup';
import { chunksOf, type SyncRun } from './syncRun';

/** From this many chunks on, emails are added without reading the group first, see `addOrRemove`. */
const READ_LATER_FROM_CHUNKS = 20;

/** What a recipient gets whom the call changed, and whom it left as they were. */
type Labels = { changed: Status; unchanged: Status };

/** Recipients that were sent, with the group as it was before. */
type Batch = Taken & { before: GroupMembers | undefined };

/**
 * Adds recipients to the group, or removes them from it.
 *
 * Who was added and who was there before: when a chunk changed all of its recipients or none, the service's counts tell.
 * Otherwise it is worked out from the group as it was before; for emails, whose ids the service does not show, with the
 * help of a staging group (`emailsByKind`). The group is therefore read first. Only when very many emails are added is
 * the first chunk sent first instead, alone: when all of it is new, as in a group that is filled for the first time, the
 * counts are expected to tell and nothing is read; 10,000 new members are 20 requests. Where they do not tell after all,
 * `alreadyMember` is reported with the reason, because nobody must be greeted as new who is not.
 */
export async function addOrRemove(run: SyncRun): Promise<void> {
	if (run.dryRun) return await preview(run);
	const { recipients } = run.report;
	if (recipients.length === 0) return;
	const labels: Labels =
		run.mode === 'add'
			? { changed: 'added', unchanged: 'alreadyMember' }
			: { changed: 'removed', unchanged: 'notMember' };

	const chunks = chunksOf(recipients, run.chunkSize);
	const readLater =
		run.mode === 'add' && run.identifyBy === 'email' && chunks.length >= READ_LATER_FROM_CHUNKS;
	if (!readLater) {
		const before = await run.api.read(run.groupId);
		return await settle(run, labels, await change(run, toSend(run, recipients, before), before));
	}
	const [firstChunk = [], ...others] = chunks;
	const first = await change(run, firstChunk, undefined);
	const allNew = first.every(({ recipients: { length }, changed }) => changed === length);
	const before = allNew ? undefined : await readIfPossible(run);
	const rest = await change(run, others.flat(), before);
	await settle(run, labels, [...first, ...rest]);
}

/** The group, when it is only needed to tell who was there before: that is no reason for a sync to stop. */
export async function readIfPossible(run: SyncRun): Promise<GroupMembers | undefined> {
	return await run.api.read(run.groupId).catch((error: unknown) => {
		run.log(`The group could not be read: ${messageOf(error)}`);
		return undefined;
	});
}

/** Whom to send: ids that are in the group already need not be added. */
function toSend(run: SyncRun, recipients: Recipient[], { ids }: GroupMembers): Recipient[] {
	if (run.mode !== 'add' || run.identifyBy !== 'id') return recipients;
	const members = recipients.filter(({ key }) => ids.has(key));
	run.report.settle(members, 'alreadyMember');
	return recipients.filter(({ key }) => !ids.has(key));
}

async function change(
	run: SyncRun,
	recipients: Recipient[],
	before: GroupMembers | undefined,
): Promise<Batch[]> {
	const action = run.mode === 'add' ? 'add' : 'remove';
	const sent = await sendInChunks(
		run,
		recipients,
		action === 'add' ? 'Adding' : 'Removing',
		async (values) => await run.api.change(action, run.groupId, run.identifyBy, values),
	);
	settleProblems(run, sent);
	return sent.taken.map((taken) => ({ ...taken, before }));
}

/** Notes who is unknown and who failed. */
export function settleProblems({ report }: SyncRun, { unknown, failed }: Sent): void {
	for (const { recipient, reason } of unknown) report.settle([recipient], 'unknown', reason);
	for (const { recipients, reason } of failed) report.settle(recipients, 'failed', reason);
}

async function settle(run: SyncRun, labels: Labels, batches: Batch[]): Promise<void> {
	const unclear: Batch[] = [];
	const unchanged: Batch[] = [];
	for (const batch of batches) {
		// Ids that were seen in the group before were not sent: none of these can have been in it.
		const newcomers = run.mode === 'add' && run.identifyBy === 'id' && batch.before?.complete;
		if (batch.changed === batch.recipients.length) {
			run.report.settle(batch.recipients, labels.changed);
		} else if (batch.changed === 0 && !newcomers) unchanged.push(batch);
		else unclear.push(batch);
	}
	// A service that passes over unknown recipients in silence: more cannot have been in the group than it held.
	const members = unchanged.find(({ before }) => before?.complete)?.before?.ids.size ?? Infinity;
	const claimed = unchanged.reduce((sum, { recipients }) => sum + recipients.length, 0);
	if (run.mode === 'add' && claimed > members) unclear.push(...unchanged);
	else {
		for (const { recipients } of unchanged) run.report.settle(recipients, labels.unchanged);
	}
	if (unclear.length === 0) return;
	if (run.identifyBy === 'id') await settleIds(run, labels, unclear);
	else await settleEmails(run, labels, unclear);
}

async function settleIds(run: SyncRun, labels: Labels, batches: Batch[]): Promise<void> {
	const after = run.mode === 'add' ? await readIfPossible(run) : undefined;
	for (const batch of batches) {
		for (const recipient of batch.recipients) {
			const wasMember = batch.before?.ids.has(recipient.key) === true;
			if (after && !after.ids.has(recipient.key)) {
				if (after.complete) run.report.settle([recipient], 'unknown', PASSED_OVER);
				else settleUntold(run, labels, { ...batch, recipients: [recipient] });
			} else if (batch.before?.complete || wasMember) {
				const changed = run.mode === 'add' ? !wasMember : wasMember;
				run.report.settle([recipient], changed ? labels.changed : labels.unchanged);
			} else settleUntold(run, labels, { ...batch, recipients: [recipient] });
		}
	}
}

async function settleEmails(run: SyncRun, labels: Labels, batches: Batch[]): Promise<void> {
	const open: Recipient[] = [];
	let members: Set<string> | undefined;
	for (const batch of batches) {
		const { recipients, changed, before } = batch;
		if (!run.perRecipient && changed !== undefined) {
			run.report.tally(recipients, {
				[labels.changed]: changed,
				[labels.unchanged]: recipients.length - changed,
			});
		} else if (before?.complete) {
			members = before.ids;
			for (const recipient of recipients) open.push(recipient);
		} else settleUntold(run, labels, batch);
	}
	if (!members) return;
	const before = members;
	try {
		const { ids, sent } = await lookUp(run, open);
		settleProblems(run, sent);
		const known = sent.taken.flatMap(({ recipients }) => recipients);
		const kinds = await emailsByKind(run, known, ids, (id) =>
			before.has(id) === (run.mode === 'remove') ? labels.changed : labels.unchanged,
		);
		for (const [status, emails] of kinds) {
			run.report.settle(emails, status ?? 'unknown', status ? '' : PASSED_OVER);
		}
	} catch (error) {
		run.log(`Who was in the group before could not be found out: ${messageOf(error)}`);
		const unsettled = new Set(run.report.open);
		for (const batch of batches) {
			const recipients = batch.recipients.filter((recipient) => unsettled.has(recipient));
			if (recipients.length > 0) settleUntold(run, labels, { ...batch, recipients });
		}
	}
}

function settleUntold(run: SyncRun, labels: Labels, { recipients }: Taken): void {
	const now = run.mode === 'add' ? 'In the group now' : 'Not in the group now';
	const reason = `${now}; the service does not tell whether they were in it before`;
	run.report.settle(recipients, labels.unchanged, reason);
}

/** What a run would do, without touching the group: who is known is learned from a staging group. */
async function preview(run: SyncRun): Promise<void> {
	const { ids: members, complete, shown } = await run.api.read(run.groupId);
	if (!complete) {
		throw run.refuse(
			`The service shows only ${shown} members of the group`,
			'So a dry run cannot tell what would change. Nothing was changed.',
		);
	}
	const inGroup: Status = run.mode === 'add' ? 'alreadyMember' : 'removed';
	const outside: Status = run.mode === 'add' ? 'added' : 'notMember';
	let { recipients } = run.report;
	if (run.identifyBy === 'id') {
		run.report.settle(
			recipients.filter(({ key }) => members.has(key)),
			inGroup,
		);
		recipients = recipients.filter(({ key }) => !members.has(key));
	}
	if (recipients.length === 0) return;
	const { ids, sent } = await lookUp(run, recipients);
	settleProblems(run, sent);
	const known = sent.taken.flatMap((taken) => taken.recipients);
	if (run.identifyBy === 'id') {
		run.report.settle(
			known.filter(({ key }) => ids.has(key)),
			outside,
		);
		run.report.settle(
			known.filter(({ key }) => !ids.has(key)),
			'unknown',
			PASSED_OVER,
		);
		return;
	}
	const kinds = await emailsByKind(run, known, ids, (id) => (members.has(id) ? inGroup : outside));
	for (const [status, emails] of kinds) {
		run.report.settle(emails, status ?? 'unknown', status ? '' : PASSED_OVER);
	}
}

export const PASSED_OVER =
	'The service took the call and passed over this recipient without a word';
