import type { Action, Members, RecipientStatus, Status } from './types';

const REASONS: Partial<Record<Status, string>> = {
	added: 'Added',
	alreadyMember: 'Already a member',
	removed: 'Removed',
	notMember: 'Not a member',
};

/** Returns a status that is proved. Without `reason`, the reason is the fixed text of the status. */
export function proved(status: Status, reason = REASONS[status] ?? status): RecipientStatus {
	return { status, reason };
}

/** The two statuses of each action: the action changed something, or there was nothing to change. */
export const STATUSES_OF: Record<Action, [changed: Status, unchanged: Status]> = {
	add: ['added', 'alreadyMember'],
	remove: ['removed', 'notMember'],
};

export const NEVER_SHOWN =
	'The service accepted this recipient, but never shows the person as a member: it may not know the person, or may hide the account';

export const CANCELED = 'The execution was canceled before this recipient was processed';

const OUTCOME_UNKNOWN = 'The outcome for this recipient is unknown';

const MAY_BE_DONE =
	'The change may have been carried out, although no response confirms it. It is safe to run the sync again';

/**
 * Returns the status of a recipient that failed.
 *
 * @param mayBeDone whether the change may have been carried out, although no response confirms it
 */
export function failedStatus(given: string, mayBeDone = false): RecipientStatus {
	const reason = given || OUTCOME_UNKNOWN;
	if (!mayBeDone) return { status: 'failed', reason };
	return { status: 'failed', reason: `${reason.replace(/\.$/, '')}. ${MAY_BE_DONE}`, mayBeDone };
}

/** Returns the status of a recipient whom the service refused in words. */
export function refused(reason: string): RecipientStatus {
	return { ...failedStatus(reason), isInWords: true };
}

/** Returns the status of a recipient whom the service accepted, without proof of who was a member before. */
export function unverified(action: Action): RecipientStatus {
	const now = action === 'add' ? 'a member' : 'not a member';
	const reason = `${UNVERIFIED} the service accepted this recipient, who is therefore ${now} now; nothing shows whether the person was a member before`;
	return proved(STATUSES_OF[action][1], reason);
}

export const UNVERIFIED = 'Unverified:';

/** How many recipients or targets a reason or a note names at most. */
const NAMED_AT_MOST = 5;

/** Returns the first of some names, and how many more there are. */
export function nameSome(texts: string[]): string {
	const more = texts.length > NAMED_AT_MOST ? ` and ${texts.length - NAMED_AT_MOST} more` : '';
	return `${texts.slice(0, NAMED_AT_MOST).join(', ')}${more}`;
}

/** What is known about the change of a target. */
type Evidence = {
	before: Members;
	/** Undefined if the target could not be read again. */
	after: Members | undefined;
	/** What the responses to the change say about the IDs. */
	replies?: ReadonlyMap<string, RecipientStatus>;
};

/** Returns the status of a person to add or to remove (docs/sync.md, "Statuses"). */
export function statusOf(id: string, action: Action, evidence: Evidence): RecipientStatus {
	const { before, after, replies } = evidence;
	const [changed, unchanged] = STATUSES_OF[action];
	const isAdding = action === 'add';
	const was = shows(before, id);
	const is = shows(after, id);
	const reply = replies?.get(id);
	if (reply?.status === 'unknown') return reply;
	if (was === isAdding) {
		if (is === !isAdding) return failedStatus(MEANWHILE[action]);
		// An ID that the service refuses may be shown in another form.
		if (!isAdding && reply?.status === 'failed') return reply;
		// A count that says "changed" contradicts the read before: the service may show the person under another ID.
		return reply?.status === changed ? unverified(action) : proved(unchanged);
	}
	if (is === isAdding) return was === undefined ? (reply ?? unverified(action)) : proved(changed);
	if (reply?.status === 'failed') return reply;
	if (is !== undefined) return failedStatus(NOT_DONE[action], true);
	if (!reply) return failedStatus(OUTCOME_UNKNOWN);
	return was === undefined || reply.status === changed ? reply : failedStatus(NOT_READ, true);
}

/**
 * Whether a person is a member. Undefined if the person is not shown, and the target was read incompletely or not at
 * all.
 */
function shows(members: Members | undefined, id: string): boolean | undefined {
	if (members?.ids.has(id)) return true;
	return members?.complete ? false : undefined;
}

/** Returns what an action would do with a person. */
export function predictionOf(isMember: boolean, action: Action): RecipientStatus {
	const [changed, unchanged] = STATUSES_OF[action];
	return isMember === (action === 'add')
		? proved(unchanged)
		: proved(changed, `Would be ${changed}`);
}

/**
 * Combines the statuses of a recipient's IDs into one. A recipient has several IDs if several accounts have the
 * address.
 */
export function combine(
	statuses: RecipientStatus[],
	action: Action,
	dryRun = false,
): RecipientStatus {
	const [first, ...others] = statuses;
	if (!first) return failedStatus(NEVER_SHOWN, !dryRun);
	const isSame = others.every(({ reason }) => reason === first.reason);
	return (
		statuses.find(({ status }) => status === 'failed') ?? (isSame ? first : unverified(action))
	);
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

const DISPROOFS = [NEVER_SHOWN, ...Object.values(NOT_DONE), ...Object.values(MEANWHILE)];

/** Whether the reason of a failure contradicts that an earlier try has changed the person's membership. */
export function isDisproved(reason: string): boolean {
	return DISPROOFS.some((proof) => reason.startsWith(proof));
}

/** Whether the service refused a recipient. */
export function isRefused(reply: RecipientStatus | undefined): reply is RecipientStatus {
	return reply?.status === 'failed' || reply?.status === 'unknown';
}
