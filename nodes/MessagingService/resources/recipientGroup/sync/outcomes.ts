import type { Recipient, SyncGroup } from './syncRun';

/** The possible statuses of a recipient, in the order of the summary (docs/sync.md says what each promises). */
export const STATUSES = [
	'added',
	'alreadyMember',
	'removed',
	'notMember',
	'unknown',
	'invalid',
	'duplicate',
	'failed',
] as const;

export type Status = (typeof STATUSES)[number];

/** The status of one recipient, with its reason, which is never empty. */
export type Outcome = { status: Status; reason: string };

export const ADDED: Outcome = { status: 'added', reason: 'Added to the group' };
export const ALREADY_MEMBER: Outcome = { status: 'alreadyMember', reason: 'Already in the group' };
export const REMOVED: Outcome = { status: 'removed', reason: 'Removed from the group' };
export const NOT_MEMBER: Outcome = { status: 'notMember', reason: 'Not in the group' };
export const WOULD_BE_ADDED: Outcome = { status: 'added', reason: 'Would be added' };
export const WOULD_BE_REMOVED: Outcome = { status: 'removed', reason: 'Would be removed' };

export const NEVER_SHOWN =
	'The service accepted this recipient, but no group shows the person: the service may not know them, or may hide their account';

export const CANCELED = 'The execution was canceled before this recipient was processed';

const UNSETTLED = 'The outcome for this recipient is unknown';

const MAY_BE_DONE =
	'The change may have been carried out, although no response confirms it. It is safe to run the sync again';

/** @param mayBeDone whether the change may have been carried out, although no response confirms it */
export function failed(given: string, mayBeDone = false): Outcome {
	const reason = given || UNSETTLED;
	return {
		status: 'failed',
		reason: mayBeDone ? `${reason.replace(/\.$/, '')}. ${MAY_BE_DONE}` : reason,
	};
}

/** Returns the outcome of a person who stays in the group although no item names them. */
export function notRemoved(reason: string): Outcome {
	return failed(`Not removed: ${reason}`);
}

/** Returns the status of a recipient whom the service accepted, without proof of who was a member before. */
export function unverified(mode: 'add' | 'remove', dryRun = false): Outcome {
	const where = mode === 'add' ? 'in the group' : 'not in the group';
	const text = dryRun
		? `the person would be ${where} after the sync`
		: `the service accepted this recipient, so the person should be ${where} now`;
	return {
		status: mode === 'add' ? 'alreadyMember' : 'notMember',
		reason: `${UNVERIFIED} ${text}, but whether they were before could not be found out`,
	};
}

export const UNVERIFIED = 'Unverified:';

/** The outcome for a recipient who is no input item: a member whom Mirror removes, or reports why not. */
export type Extra = Outcome & { recipient: string };

/** The result of one group. */
export type GroupResult = {
	group: SyncGroup;
	/** By `Recipient.key`. */
	outcomes: Map<string, Outcome>;
	extras: Extra[];
	/** Remarks about the group, as sentences. */
	notes: string[];
	/** Why the group was not synced. */
	stopped?: Error | undefined;
};

/** The members of a group, as one read shows them. */
export type Members = {
	ids: Set<string>;
	/** False if the service lists fewer members (`leads`) than it counts (`leadsTotal`), or does not count them. */
	complete: boolean;
	/** How many of the members were listed, as text for a message. */
	shown: string;
	name: string | undefined;
	/** Whether the service says that its people may be in no other group. */
	exclusive: boolean;
};

/** The members of a group that does not exist yet. */
export const NO_MEMBERS: Members = {
	ids: new Set(),
	complete: true,
	shown: '0 of 0',
	name: undefined,
	exclusive: false,
};

/** What is known about the change of a group. */
export type Evidence = {
	before: Members;
	/** Undefined if the group could not be read again. */
	after: Members | undefined;
	/** What the response to the change says about an ID. */
	replyTo: (id: string) => Outcome | undefined;
};

/** Returns the status of a person to add (docs/sync.md, "What each status promises"). */
export function additionOf(id: string, { before, after, replyTo }: Evidence): Outcome {
	if (before.ids.has(id)) {
		return after?.complete && !after.ids.has(id) ? failed(LEFT_MEANWHILE) : ALREADY_MEMBER;
	}
	const reply = replyTo(id);
	if (after?.ids.has(id)) return before.complete ? ADDED : (ifAccepted(reply) ?? unverified('add'));
	if (after?.complete && (!reply || ifAccepted(reply))) return failed(NOT_SHOWN, true);
	return reply ?? failed(UNSETTLED);
}

/** Returns the status of a person to remove. */
export function removalOf(id: string, { before, after, replyTo }: Evidence): Outcome {
	const was = before.ids.has(id);
	const reply = replyTo(id);
	if (after?.ids.has(id)) {
		if (!was && before.complete) return failed(JOINED_MEANWHILE);
		return reply?.status === 'failed' ? reply : failed(STILL_SHOWN, true);
	}
	if (was && after?.complete) return REMOVED;
	if (!was && before.complete) return reply && reply.status !== 'failed' ? reply : NOT_MEMBER;
	return reply ?? failed(UNSETTLED);
}

function ifAccepted(reply: Outcome | undefined): Outcome | undefined {
	return reply?.status === 'failed' || reply?.status === 'unknown' ? undefined : reply;
}

/** Returns the status of a recipient from those of their IDs, which are several if several accounts have the address. */
export function combine(outcomes: Outcome[], action: 'add' | 'remove', dryRun = false): Outcome {
	const [first, ...others] = outcomes;
	if (!first) return failed(NEVER_SHOWN, !dryRun);
	const failure = outcomes.find(({ status }) => status === 'failed');
	if (failure) return failure;
	if (others.every(({ reason }) => reason === first.reason)) return first;
	return unverified(action, dryRun);
}

export const NOT_SHOWN =
	'The service accepted this recipient, but the group does not show the person';
const STILL_SHOWN = 'The service accepted the removal, but the person is still in the group';
const LEFT_MEANWHILE =
	'Was in the group when this sync started; somebody else has removed this person since';
const JOINED_MEANWHILE =
	'Was not in the group when this sync started; somebody else has added this person since';

const DISPROOFS = [NEVER_SHOWN, NOT_SHOWN, STILL_SHOWN, LEFT_MEANWHILE, JOINED_MEANWHILE];

/** Whether a failure proves that a person to add is not in the group, or that a person to remove is in it. */
export function isDisproved(reason: string): boolean {
	return DISPROOFS.some((proof) => reason.startsWith(proof));
}

/** Returns the IDs of people as recipients. */
export function asRecipients(ids: Iterable<string>): Recipient[] {
	return Array.from(ids, (id) => ({ key: id, value: id }));
}
