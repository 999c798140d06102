import { says } from '../../shared/serviceMessages';
import { isObject } from '../../shared/values';
import type { Action, Members, Recipient, RecipientStatus, Status } from './types';

const REASONS: Partial<Record<Status, string>> = {
	added: 'Added',
	alreadyMember: 'Already a member',
	removed: 'Removed',
	notMember: 'Not a member',
};

/** Returns a status with its reason. Without `reason`, the reason is the fixed text of the status. */
export function statusWith(status: Status, reason = REASONS[status] ?? status): RecipientStatus {
	return { status, reason };
}

/** The two statuses of each action: the action changed something, or there was nothing to change. */
export const STATUSES_OF: Record<Action, [changed: Status, unchanged: Status]> = {
	add: ['added', 'alreadyMember'],
	remove: ['removed', 'notMember'],
};

export const CANCELED = 'The execution was canceled before this recipient was processed';

/**
 * Returns the status of a recipient that failed.
 *
 * @param mayBeDone whether the change may have been carried out, although no response confirms it
 */
export function failedStatus(given: string, mayBeDone = false): RecipientStatus {
	const reason = given || 'The outcome for this recipient is unknown';
	if (!mayBeDone) return { status: 'failed', reason };
	const both = `${reason.replace(/\.$/, '')}. The change may have been carried out, although no response confirms it. It is safe to run the sync again`;
	return { status: 'failed', reason: both, mayBeDone };
}

/** Returns the status of a recipient whom the service refused in words. */
export function refused(reason: string): RecipientStatus {
	return { ...failedStatus(reason), isAnswer: true };
}

/** Returns the status of a recipient whom the service accepted, although no read shows the person. */
export function neverShown(mayBeDone = false): RecipientStatus {
	const reason =
		'The service accepted this recipient, but never shows the person as a member: it may not know the person, or may hide the account';
	return { ...failedStatus(reason, mayBeDone), isAnswer: true };
}

/** Returns the status of a recipient whom the service accepted. @param isCounted whether its count proves the change */
export function accepted(action: Action, isCounted: boolean): RecipientStatus {
	return isCounted ? statusWith(STATUSES_OF[action][0]) : unverified(action);
}

/** Returns the status of a recipient whom the service accepted, without proof of who was a member before. */
export function unverified(action: Action): RecipientStatus {
	const now = action === 'add' ? 'a member' : 'not a member';
	const reason = `${UNVERIFIED} the service accepted this recipient, who is therefore ${now} now; nothing shows whether the person was a member before`;
	return statusWith(STATUSES_OF[action][1], reason);
}

export const UNVERIFIED = 'Unverified:';

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
	// Whether the person was and is a member. Undefined if that is not known.
	const was = shows(before, id);
	const is = shows(after, id);
	const reply = replies?.get(id);
	if (reply?.status === 'unknown') return reply;
	if (was === isAdding) {
		if (is === !isAdding) return failedStatus(MEANWHILE[action]);
		// An ID that the service refuses may be shown in another form.
		if (!isAdding && reply?.status === 'failed') return reply;
		// A count that says "changed" contradicts the read before: the service may show the person under another ID.
		return reply?.status === changed ? unverified(action) : statusWith(unchanged);
	}
	if (is === isAdding)
		return was === undefined ? (reply ?? unverified(action)) : statusWith(changed);
	if (reply?.status === 'failed') return reply;
	if (is !== undefined) return failedStatus(NOT_DONE[action], true);
	if (!reply) return failedStatus('');
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

/** Returns what an action would do with a person. @param obstacle why the target would not be changed */
export function predictionOf(isMember: boolean, action: Action, obstacle?: string) {
	const [changed, unchanged] = STATUSES_OF[action];
	if (isMember === (action === 'add')) return statusWith(unchanged);
	if (obstacle !== undefined) return failedStatus(`Would not be ${changed}: ${obstacle}`);
	return statusWith(changed, `Would be ${changed}`);
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
	if (!first) return neverShown(!dryRun);
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

/** Whether a recipient failed or is unknown, for whatever reason. */
export function isNotAccepted(reply: RecipientStatus | undefined): reply is RecipientStatus {
	return reply?.status === 'failed' || reply?.status === 'unknown';
}

/** What an element of an `errorLog` says about the recipient that it names: its message, and all its texts. */
type NamedError = { message: string; text: string };

/** Matches a text that consists of one address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds the recipients that an `errorLog` names. The form of its elements is not documented
 * (recipientGroup.addRecipients in emulator/openapi.yaml). So an element names a recipient if its fields contain the
 * email or ID of exactly one recipient, alone or within a sentence. A position in the list does not identify a
 * recipient, because positions may count from 0 or from 1.
 *
 * @returns the named recipients, each with its error. Undefined if an element names no recipient or several, or if two
 *   elements name the same recipient
 */
export function namedInErrorLog(errorLog: unknown[], recipients: Recipient[]) {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named = new Map<Recipient, NamedError>();
	for (const element of errorLog) {
		const texts = textsIn(element);
		// If a field is only an address or ID, sentences are ignored: they may name another person.
		const isOwnField = texts.some(
			(text) => ADDRESS.test(text.trim()) || byKey.has(text.toLowerCase()),
		);
		const names = isOwnField
			? texts.map((text) => text.trim().toLowerCase())
			: texts.flatMap(words);
		const found = new Set(names.flatMap((word) => byKey.get(word) ?? []));
		const [recipient] = found;
		if (!recipient || found.size > 1 || named.has(recipient)) return undefined;
		const others = texts.filter((text) => !byKey.has(text.trim().toLowerCase()));
		named.set(recipient, { message: messageAmong(others), text: others.join(' ') });
	}
	return named;
}

const SAYS_UNKNOWN =
	/\bnot (be )?(found|known|exist)\b|\bunknown\b|\bdo(es)?n['’]?t exist\b|\bno such\b/;

/** Words that give no other reason than "unknown". */
const HARMLESS = new Set(
	(
		'a an the this that such with by of for is was were are be been could can cannot does do did no not any ' +
		"doesn't doesn’t don't don’t isn't isn’t couldn't couldn’t " +
		'found know known unknown exist exists recipient recipients user users person people email emails mail e ' +
		'address addresses account accounts id ids'
	).split(' '),
);

/** Where a service looks for people. */
const PLACE = /\bin (the |our |this )?(system|directory|database|platform|service)\b/g;

/** Whether a text is the documented message for unknown recipients. */
export function saysDocumented(message: string): boolean {
	return says('onlyUnknownRecipients', plainText(message));
}

/**
 * Whether a text says that a recipient is unknown, and nothing else: "License not found" may be about a recipient whom
 * the service knows. The text may name the recipient.
 */
export function saysOnlyUnknown(message: string, { value }: Recipient): boolean {
	const text = plainText(message.toLowerCase().replaceAll(value.toLowerCase(), ' '));
	if (says('onlyUnknownRecipients', text)) return true;
	const harmless = text
		.replace(PLACE, ' ')
		.trim()
		.split(/ +/)
		.every((word) => HARMLESS.has(word));
	return SAYS_UNKNOWN.test(text) && harmless;
}

/** Returns the words of a text in lower case, without addresses and IDs, which may contain any word. */
function plainText(message: string): string {
	return message
		.slice(0, 2_000)
		.replace(/\S*@\S*/g, ' ')
		.replace(/\b[0-9a-f]{24}\b/gi, ' ')
		.replace(/[^\p{L}\p{N}'’]+/gu, ' ')
		.trim()
		.toLowerCase();
}

/** Returns the message (a sentence or a code) of an element that names no recipient. */
export function messageIn(element: unknown): string {
	return messageAmong(textsIn(element));
}

function messageAmong(texts: string[]): string {
	return texts.find((text) => /\s/.test(text)) ?? texts[0] ?? '';
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value.slice(0, 2_000)];
	return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the words of a text in lower case, each with and without the quotes and punctuation around it. */
function words(text: string): string[] {
	return text
		.toLowerCase()
		.split(/\s/)
		.flatMap((word) => [word, /^["'<(`]*(.*[^"'>)`.,;:!?])/s.exec(word)?.[1] ?? '']);
}
