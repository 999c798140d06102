import { says } from '../../shared/serviceMessages';
import { isObject } from '../../shared/values';
import type { Action, Members, Recipient, RecipientStatus } from './types';

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

/** Returns the status of a recipient whom the service refused in words. */
export function refusedStatus(reason: string): RecipientStatus {
	return { ...failedStatus(reason), isAboutRecipient: true };
}

/** Returns the status of a recipient whom the service accepted, although no read shows the person. */
export function neverShownStatus(options?: { mayBeDone: boolean }): RecipientStatus {
	const reason =
		'The service accepted this recipient, but never shows the person as a member: it may not know the person, or may hide the account';
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

/** Returns the status that an action would give to a person. @param obstacle why the target would not be changed */
export function predictedStatus(action: Action, isMember: boolean, obstacle?: string) {
	const { changed, unchanged } = STATUSES[action];
	if (isMember === (action === 'add')) return unchanged;
	if (obstacle !== undefined) return failedStatus(`Would not be ${changed.status}: ${obstacle}`);
	return { ...changed, reason: `Would be ${changed.status}` };
}

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

/** Recipients that an `errorLog` names, each with the message of its element, and all texts of the element together. */
type NamedErrors = Map<Recipient, { message: string; allTexts: string }>;

/** Matches a text that consists of one address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds the recipients that an `errorLog` names. The form of its elements is not documented
 * (recipientGroup.addRecipients in emulator/openapi.yaml). An element names a recipient if its texts contain the email or
 * ID of exactly one recipient: `{ email: 'ada@example.com', message: 'Locked' }`, or `'ada@example.com is locked'`.
 * A position in the list names nobody, because it may count from 0 or from 1.
 *
 * @returns the named recipients, each with its error. Undefined if an element names no recipient or several, or if two
 *   elements name the same recipient
 */
export function namedInErrorLog(log: unknown[], recipients: Recipient[]): NamedErrors | undefined {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named: NamedErrors = new Map();
	const keyOf = (text: string) => text.trim().toLowerCase();
	const isAddressOrId = (text: string) => ADDRESS.test(keyOf(text)) || byKey.has(keyOf(text));
	for (const element of log) {
		const texts = textsIn(element);
		// If one text is only an address or ID, sentences are ignored: they may name another person.
		const keys = texts.some(isAddressOrId) ? texts.map(keyOf) : texts.flatMap(lowerCaseWords);
		const found = new Set(keys.flatMap((key) => byKey.get(key) ?? []));
		const [recipient] = found;
		if (!recipient || found.size > 1 || named.has(recipient)) return undefined;
		const others = texts.filter((text) => !byKey.has(keyOf(text)));
		named.set(recipient, { message: messageAmong(others), allTexts: others.join(' ') });
	}
	return named;
}

/** Matches words that say "unknown", among others that may say something else. */
const SAYS_UNKNOWN =
	/\bnot (be )?(found|known|exist)\b|\bunknown\b|\bdo(es)?n['’]?t exist\b|\bno such\b/;

/** Words that occur in a text that says nothing but "unknown". */
const WORDS_OF_UNKNOWN = new Set(
	(
		'a an the this that such with by of for is was were are be been could can cannot does do did no not any ' +
		"doesn't doesn’t don't don’t isn't isn’t couldn't couldn’t " +
		'found know known unknown exist exists recipient recipients user users person people email emails mail e ' +
		'address addresses account accounts id ids'
	).split(' '),
);

/** Where a service looks for people. */
const PLACE = /\bin (the |our |this )?(system|directory|database|platform|service)\b/g;

/** Whether a text is the documented message for unknown recipients, apart from addresses and IDs in it. */
export function isDocumentedUnknown(message: string): boolean {
	return says('onlyUnknownRecipients', onlyWords(message));
}

/**
 * Whether a text says that a recipient is unknown, and nothing else: "License not found" may be about a recipient whom
 * the service knows. The text may name the recipient.
 */
export function saysOnlyUnknown(message: string, { value }: Recipient): boolean {
	const text = onlyWords(message.toLowerCase().replaceAll(value.toLowerCase(), ' '));
	if (says('onlyUnknownRecipients', text)) return true;
	const words = text.replace(PLACE, ' ').trim().split(/ +/);
	return SAYS_UNKNOWN.test(text) && words.every((word) => WORDS_OF_UNKNOWN.has(word));
}

/** Returns the words of a text, with blanks between them. Leaves out addresses and IDs. */
function onlyWords(message: string): string {
	const words = message.slice(0, 2_000).split(/\s/);
	return words
		.filter((word) => !word.includes('@'))
		.join(' ')
		.replace(/\b[0-9a-f]{24}\b/gi, ' ')
		.replace(/[^\p{L}\p{N}'’]+/gu, ' ')
		.trim();
}

/** Returns the message of an element of an `errorLog`: `{ code: 'E7', text: 'Try later' }` → `'Try later'`. */
export function messageIn(element: unknown): string {
	return messageAmong(textsIn(element));
}

/** Returns the first sentence. If there is none, returns the first text, for example a code. */
function messageAmong(texts: string[]): string {
	return texts.find((text) => /\s/.test(text)) ?? texts[0] ?? '';
}

/** Returns all texts in a value, also those in its fields. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value.slice(0, 2_000)];
	return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Splits a text into lower-case words, each with and without punctuation: `'"Ada"'` → `['"ada"', 'ada']`. */
function lowerCaseWords(text: string): string[] {
	return text
		.toLowerCase()
		.split(/\s/)
		.flatMap((word) => [word, /^["'<(`]*([^]*[^"'>)`.,;:!?])/.exec(word)?.[1] ?? '']);
}
