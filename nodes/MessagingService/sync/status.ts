import type { Action, Identities, Members, RecipientStatus } from './types';

/** The status of a person whom an action changed, and of a person for whom there was nothing to do. */
export const STATUSES: Record<Action, { changed: RecipientStatus; unchanged: RecipientStatus }> = {
	add: {
		changed: { status: 'added', reason: 'Added' },
		unchanged: { status: 'alreadyMember', reason: 'Already a member' },
	},
	remove: {
		changed: { status: 'removed', reason: 'Removed' },
		unchanged: { status: 'notMember', reason: 'Not a member' },
	},
};

export const CANCELED = 'The execution was canceled before this recipient was processed';

const OUTCOME_UNKNOWN = 'The outcome for this recipient is unknown';

/**
 * Returns the status of a recipient that failed.
 *
 * @param givenReason if it is empty, the reason of the status is that nobody knows the outcome
 * @param options `mayBeDone`: the change may have been carried out, although no response confirms it
 */
export function failedStatus(givenReason: string, { mayBeDone = false } = {}): RecipientStatus {
	const reason = givenReason || OUTCOME_UNKNOWN;
	if (!mayBeDone) return { status: 'failed', reason };
	const both = `${reason.replace(/\.$/, '')}. The change may have been carried out, although no response confirms it. It is safe to run the sync again`;
	return { status: 'failed', reason: both, mayBeDone };
}

/** Returns the status of a recipient whom the service accepted, although no read shows the person. */
export function neverShownStatus(options?: { mayBeDone: boolean }): RecipientStatus {
	const reason =
		'The service accepted this recipient, but never shows the person as a member: it may not know the person, hide the account, or show another address';
	return { ...failedStatus(reason, options), isAboutRecipient: true };
}

/**
 * Returns the status of a recipient whom the service accepted, without proof of who was a member before: `alreadyMember` or
 * `notMember`, with a reason that starts with "Unverified:".
 */
export function unverifiedStatus(action: Action): RecipientStatus {
	const now = action === 'add' ? 'a member' : 'not a member';
	const reason = `${UNVERIFIED} the service accepted this recipient, who is therefore ${now} now; nothing shows whether the person was a member before`;
	return { ...STATUSES[action].unchanged, reason };
}

export const UNVERIFIED = 'Unverified:';

/** What is known about the change of a target. */
type Evidence = {
	before: Members;
	/** Undefined if the target could not be read again. */
	after: Members | undefined;
	/** What the responses to the change say, by ID. */
	replies?: ReadonlyMap<string, RecipientStatus>;
};

/** Whether a read shows what an action aims at: a member (Add), or no member (Remove). */
type Goal = 'reached' | 'notReached' | 'notKnown';

function goalIn(members: Members | undefined, id: string, action: Action): Goal {
	const isShown = members?.ids.has(id) === true;
	// Without all members, a person who is not shown may be a member.
	if (!isShown && !members?.complete) return 'notKnown';
	return isShown === (action === 'add') ? 'reached' : 'notReached';
}

/**
 * Returns the status of a person to add or to remove (docs/development/sync.md, "What proves a status"). Reads decide,
 * unless the service calls the person unknown. If they do not show enough, the reply of the service decides.
 */
export function statusOf(id: string, action: Action, evidence: Evidence): RecipientStatus {
	const { changed, unchanged } = STATUSES[action];
	const reply = evidence.replies?.get(id);
	if (reply?.status === 'unknown') return reply;
	const failure = reply?.status === 'failed' ? reply : undefined;
	const before = goalIn(evidence.before, id, action);
	const after = goalIn(evidence.after, id, action);
	if (after === 'notReached' && before === 'reached') return failedStatus(MEANWHILE[action]);
	if (after === 'notReached') return failure ?? failedStatus(NOT_DONE[action], { mayBeDone: true });
	// The reply contradicts this read: the service may show the person under another ID.
	if (before === 'reached' && reply?.status === changed.status) return unverifiedStatus(action);
	// A refused removal contradicts a read that does not show the person. A refused addition of a member is no contradiction.
	if (before === 'reached') return failure && action === 'remove' ? failure : unchanged;
	if (after === 'reached' && before === 'notReached') return changed;
	if (after === 'reached') return reply ?? unverifiedStatus(action);
	// The service accepted the change, but its count does not show a change.
	const isUncounted = reply?.status === unchanged.status;
	if (before === 'notReached' && isUncounted) return failedStatus(NOT_READ, { mayBeDone: true });
	return reply ?? failedStatus(OUTCOME_UNKNOWN);
}

/**
 * Returns the status that an action would give to a person in a target with these members.
 *
 * @param identities without `idsByKey`, nothing shows yet whether the service knows the person
 * @param obstacle why the target would not be changed
 */
export function predictedStatus(
	id: string,
	action: Action,
	{ ids }: Members,
	{ idsByKey, mayBeAlias }: Identities,
	obstacle?: string,
): RecipientStatus {
	const { changed, unchanged } = STATUSES[action];
	const isMember = ids.has(id);
	if (action === 'remove' && !isMember && mayBeAlias?.(id))
		return { ...unchanged, reason: NOT_LISTED };
	if (isMember === (action === 'add')) return unchanged;
	if (obstacle !== undefined) return failedStatus(`Would not be ${changed.status}: ${obstacle}`);
	const condition = action === 'add' && !idsByKey ? IF_KNOWN : '';
	return { ...changed, reason: `Would be ${changed.status}${condition}` };
}

const IF_KNOWN = '. A dry run does not ask the service whether it knows this recipient';

const NOT_LISTED = `${UNVERIFIED} the list does not show this address. Without Dry Run, the service is asked to remove it`;

/**
 * Combines the statuses of a recipient's IDs into one, because several accounts may have one address. A failure of one of
 * them is reported. Otherwise, if they differ, the status is unverified.
 *
 * @param statuses empty if the service accepted the address, but never shows an ID for it
 * @param dryRun whether the target was left unchanged: then no status says that a change may have been carried out
 */
export function combinedStatus(statuses: RecipientStatus[], action: Action, dryRun = false) {
	const [first, ...others] = statuses;
	if (!first) return neverShownStatus({ mayBeDone: !dryRun });
	const failure = statuses.find(({ status }) => status === 'failed');
	if (failure) return failure;
	// An unverified status differs from `alreadyMember` or `notMember` only in its reason.
	return others.every(({ reason }) => reason === first.reason) ? first : unverifiedStatus(action);
}

const NOT_DONE: Record<Action, string> = {
	add: 'The service accepted this recipient, but does not show the person as a member',
	remove: 'The service accepted the removal, but the person is still a member',
};

const NOT_READ = 'The service accepted this change, but the members could not be read again';

const MEANWHILE: Record<Action, string> = {
	add: 'Was a member when this sync started; somebody else has removed this person since',
	remove: 'Was not a member when this sync started; somebody else has added this person since',
};

/** Whether a reply has the status `failed` or `unknown`. Without a reply, the recipient has neither. */
export function isFailedOrUnknown(reply: RecipientStatus | undefined): reply is RecipientStatus {
	return reply?.status === 'failed' || reply?.status === 'unknown';
}
