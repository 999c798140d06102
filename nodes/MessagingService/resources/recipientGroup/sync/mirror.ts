import { PASSED_OVER, readIfPossible, settleProblems } from './addOrRemove';
import { messageOf } from '../../../../shared/failure';
import { type GroupMembers } from './groupApi';
import { emailsByKind } from './locate';
import type { Recipient } from './readRecipients';
import type { Status } from './report';
import { sendInChunks, type Sent } from './sendInChunks';
import { lookUp } from './stagingGroup';
import { CANCELLED, type SyncRun } from './syncRun';

/** The people whom the group is to hold. */
type Wanted = {
	ids: Set<string>;
	/** The emails that belong to these ids; none when ids are given. */
	emails: Recipient[];
	/** Why there may be more people than these; then nobody is removed. */
	doubt: string | undefined;
};

/** What became of an id that the group is to hold. */
type Outcome = { status: Status; reason: string };

const ADDED: Outcome = { status: 'added', reason: '' };
const MEMBER: Outcome = { status: 'alreadyMember', reason: '' };
const NOBODY: Outcome = { status: 'unknown', reason: PASSED_OVER };
const UNTOLD: Outcome = {
	status: 'alreadyMember',
	reason: 'In the group now; whether they were in it before could not be found out',
};

/**
 * Makes the group exactly the people given. Whatever can stop it is looked at before the first change; people are added
 * before anybody is removed, and removed only when every addition is done. Interrupted at any request, the group is
 * between old and new, and holds everybody who is in both.
 *
 * @throws without a change: no valid recipient, none that the service knows, members that the service does not show, or
 * more removals than `maxRemovalPercent` allows
 */
export async function mirror(run: SyncRun): Promise<void> {
	if (run.report.recipients.length === 0) {
		throw run.refuse(
			'There is no valid recipient to mirror',
			'An empty group is hardly what was meant, so nothing was changed. Check where the input items come from, and the Recipient parameter.',
		);
	}
	const group = await run.api.read(run.groupId);
	if (!group.complete) {
		throw run.refuse(
			`The service shows only ${group.shown} members of the group`,
			'Mirror has to see them all to know whom to remove. Nothing was changed. The modes Add and Remove work with this group.',
		);
	}

	const wanted = run.identifyBy === 'email' ? await wantedByEmail(run) : wantedById(run);
	const missing = [...wanted.ids].filter((id) => !group.ids.has(id));
	const surplus = wanted.doubt ? [] : [...group.ids].filter((id) => !wanted.ids.has(id));
	const staying = group.ids.size - surplus.length;
	if (surplus.length > 0 && staying + missing.length === 0) throw nobodyLeft(run);
	checkShare(run, surplus.length, group);
	if (run.cancelled()) throw run.refuse(CANCELLED, 'Nothing was changed.');

	const added = await addMissing(run, missing);
	const outcomeOf = (id: string): Outcome => (group.ids.has(id) ? MEMBER : added(id));
	if (run.identifyBy === 'id') {
		for (const recipient of run.report.recipients) {
			const { status, reason } = outcomeOf(recipient.key);
			run.report.settle([recipient], status, reason);
		}
	}

	const doubt = wanted.doubt ?? reasonNotToRemove(missing.map(added));
	if (doubt !== undefined) run.report.note(`Nobody was removed from the group, because ${doubt}.`);
	else if (surplus.length > 0) {
		const newcomers = missing.filter((id) => added(id).status === 'added');
		if (staying + newcomers.length === 0) throw nobodyLeft(run);
		await removeSurplus(run, surplus);
	}
	// Last, because it takes requests that must not keep the group waiting.
	if (run.identifyBy === 'email') await settleEmails(run, wanted, outcomeOf);
}

function wantedById({ report }: SyncRun): Wanted {
	const ids = new Set(report.recipients.map(({ key }) => key));
	return { ids, emails: [], doubt: undefined };
}

/** Learns the ids of the emails, and notes who is unknown. */
async function wantedByEmail(run: SyncRun): Promise<Wanted> {
	const { ids, sent } = await lookUp(run, run.report.recipients);
	settleProblems(run, sent);
	const [failed] = sent.failed;
	return {
		ids,
		emails: sent.taken.flatMap(({ recipients }) => recipients),
		doubt: failed && `the IDs of some recipients could not be learned: ${failed.reason}`,
	};
}

function checkShare(run: SyncRun, removals: number, { ids }: GroupMembers): void {
	if (removals * 100 <= run.maxRemovalPercent * ids.size) return;
	const percent = Math.floor((removals * 1000) / ids.size) / 10;
	throw run.refuse(
		`Mirror would remove ${removals} of the ${ids.size} people in the group (${percent} %), more than the ${run.maxRemovalPercent} % allowed`,
		'Nothing was changed. If this is what you want, raise Maximum Removal (%) under Options; if not, check where the input items come from.',
	);
}

function nobodyLeft(run: SyncRun): Error {
	return run.refuse(
		'The service knows none of the recipients',
		'Mirror would leave the group empty, so nothing was changed. Check where the input items come from, and the Recipient parameter.',
	);
}

/**
 * Adds the ids that are missing. A dry run only finds out which of them the service knows.
 *
 * @returns what became of each
 */
async function addMissing(run: SyncRun, missing: string[]): Promise<(id: string) => Outcome> {
	const recipients = missing.map((id) => ({ key: id, value: id }));
	const { sent, present } = run.dryRun
		? await previewAdding(run, recipients)
		: await add(run, recipients);

	const outcomes = new Map<string, Outcome>();
	for (const { key } of sent.taken.flatMap((taken) => taken.recipients)) {
		outcomes.set(key, present === undefined || present.has(key) ? ADDED : NOBODY);
	}
	for (const { recipient, reason } of sent.unknown) {
		outcomes.set(recipient.key, { status: 'unknown', reason });
	}
	for (const { recipients: failed, reason } of sent.failed) {
		const outcome: Outcome = { status: 'failed', reason };
		for (const { key } of failed) outcomes.set(key, outcome);
	}
	return (id) => outcomes.get(id) ?? NOBODY;
}

type Added = {
	sent: Sent;
	/** The members afterwards, where the service's counts do not tell. */
	present?: Set<string>;
};

async function add(run: SyncRun, recipients: Recipient[]): Promise<Added> {
	const sent = await sendInChunks(
		run,
		recipients,
		'Adding',
		async (values) => await run.api.change('add', run.groupId, 'id', values),
	);
	const told = sent.taken.every(({ recipients: { length }, changed }) => changed === length);
	if (told) return { sent };
	const after = await readIfPossible(run);
	return after?.complete ? { sent, present: after.ids } : { sent };
}

async function previewAdding(run: SyncRun, recipients: Recipient[]): Promise<Added> {
	// The service gave the ids of emails itself just now.
	if (run.identifyBy === 'email' || recipients.length === 0) {
		return { sent: { taken: [{ recipients, changed: undefined }], unknown: [], failed: [] } };
	}
	const { sent, ids } = await lookUp(run, recipients);
	return { sent, present: ids };
}

function reasonNotToRemove(added: Outcome[]): string | undefined {
	const failed = added.filter(({ status }) => status === 'failed');
	const [first] = failed;
	return first && `${failed.length} people could not be added: ${first.reason}`;
}

async function removeSurplus(run: SyncRun, surplus: string[]): Promise<void> {
	if (run.dryRun) return run.report.addExtras(surplus, 'removed', NO_LONGER_WANTED);
	const sent = await sendInChunks(
		run,
		surplus.map((id) => ({ key: id, value: id })),
		'Removing',
		async (values) => await run.api.change('remove', run.groupId, 'id', values),
	);
	const keysOf = (recipients: Recipient[]) => recipients.map(({ key }) => key);
	for (const { recipients } of sent.taken) {
		run.report.addExtras(keysOf(recipients), 'removed', NO_LONGER_WANTED);
	}
	for (const { recipients, reason } of sent.failed) {
		run.report.addExtras(keysOf(recipients), 'failed', `Not removed: ${reason}`);
	}
	for (const { recipient, reason } of sent.unknown) {
		run.report.addExtras([recipient.key], 'failed', `Not removed: ${reason}`);
	}
}

const NO_LONGER_WANTED = 'Not among the recipients of the input';

async function settleEmails(
	run: SyncRun,
	{ ids, emails }: Wanted,
	outcomeOf: (id: string) => Outcome,
): Promise<void> {
	if (!run.perRecipient) {
		const counts: Partial<Record<Status, number>> = {
			unknown: Math.max(emails.length - ids.size, 0),
		};
		for (const id of ids) {
			const { status } = outcomeOf(id);
			counts[status] = (counts[status] ?? 0) + 1;
		}
		return run.report.tally(emails, counts);
	}
	try {
		const kinds = await emailsByKind(run, emails, ids, outcomeOf);
		for (const [outcome = NOBODY, found] of kinds) {
			run.report.settle(found, outcome.status, outcome.reason);
		}
	} catch (error) {
		run.log(`Who was in the group before could not be found out: ${messageOf(error)}`);
		run.report.settle(run.report.open, UNTOLD.status, UNTOLD.reason);
	}
}
