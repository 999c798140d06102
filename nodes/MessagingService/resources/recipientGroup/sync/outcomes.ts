import { isRecord } from '../../../../shared/values';
import type { NamedGroup } from './groups';

export type IdentifyBy = 'email' | 'id';

/** A recipient to sync. Input items with the same `key` are one recipient. */
export type Recipient = {
	/** Identifies the recipient: the email in lower case, or the ID. */
	key: string;
	/** The email or ID to send, in upper and lower case as in the input. */
	value: string;
};

/** An input item: its recipient, or what is wrong with it. */
export type Row = { itemIndex: number } & (
	| { recipient: Recipient }
	| (Outcome & {
			recipient?: undefined;
			given: string;
			/** Whether the item has no value at all. Such an item does not stop removals. */
			isBlank?: boolean;
	  })
);

/** A group of the run, with the rows that name it and their recipients without duplicates. */
export type SyncGroup = NamedGroup & { rows: Row[]; recipients: Recipient[] };

/** The possible statuses of a recipient, in the order of the summary (docs/sync.md says what each status promises). */
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

const REASONS: Partial<Record<Status, string>> = {
	added: 'Added to the group',
	alreadyMember: 'Already in the group',
	removed: 'Removed from the group',
	notMember: 'Not in the group',
};

/** Returns an outcome that is proved. Without `reason`, the reason is the fixed text of the status. */
export function proved(status: Status, reason = REASONS[status] ?? status): Outcome {
	return { status, reason };
}

export type Action = 'add' | 'remove';

/** The two statuses of each action: the action changed something, or there was nothing to change. */
const STATUSES_OF: Record<Action, [changed: Status, unchanged: Status]> = {
	add: ['added', 'alreadyMember'],
	remove: ['removed', 'notMember'],
};

export const NEVER_SHOWN =
	'The service accepted this recipient, but no group shows the person: the service may not know them, or may hide their account';

export const CANCELED = 'The execution was canceled before this recipient was processed';

const UNSETTLED = 'The outcome for this recipient is unknown';

const MAY_BE_DONE =
	'The change may have been carried out, although no response confirms it. It is safe to run the sync again';

/**
 * Returns the outcome of a recipient that failed.
 *
 * @param mayBeDone whether the change may have been carried out, although no response confirms it
 */
export function failed(given: string, mayBeDone = false): Outcome {
	const reason = given || UNSETTLED;
	return {
		status: 'failed',
		reason: mayBeDone ? `${reason.replace(/\.$/, '')}. ${MAY_BE_DONE}` : reason,
	};
}

/** Returns the status of a recipient whom the service accepted, without proof of who was a member before. */
export function unverified(action: Action): Outcome {
	const where = action === 'add' ? 'in the group' : 'out of the group';
	const reason = `${UNVERIFIED} the service accepted this recipient, who is therefore ${where} now; nothing shows whether the person was in the group before`;
	return proved(STATUSES_OF[action][1], reason);
}

export const UNVERIFIED = 'Unverified:';

/** How many recipients or groups a reason or a note names at most. */
const NAMED_AT_MOST = 5;

/** Returns the first of some names, and how many more there are. */
export function nameSome(texts: string[]): string {
	const more = texts.length > NAMED_AT_MOST ? ` and ${texts.length - NAMED_AT_MOST} more` : '';
	return `${texts.slice(0, NAMED_AT_MOST).join(', ')}${more}`;
}

/** The outcome of a row, or of a member whom no row names. */
export type Line = Outcome & { recipient: string };

/** The result of one group. */
export type GroupResult = {
	group: SyncGroup;
	/** By `Recipient.key`. */
	outcomes: Map<string, Outcome>;
	/** Members whom no row names: Mirror removed them, or reports why not. */
	extras: Line[];
	/** Remarks about the group, as sentences. */
	notes: string[];
	/** Why the group was not synced. */
	stopped?: Error | undefined;
};

/** The members of a group, as one read shows them. */
export type Members = {
	ids: Set<string>;
	/** False if `leads` has fewer members than `leadsTotal` says, or if there is no `leadsTotal`. */
	complete: boolean;
	/** How many of the members were listed, as text for a message. */
	shown: string;
	name: string | undefined;
	/**
	 * Whether the group has `exclusive: true`. The meaning is not documented: its members may have to leave all other
	 * groups.
	 */
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
	/** What the responses to the change say about the IDs. */
	replies?: ReadonlyMap<string, Outcome>;
};

/** Returns the status of a person to add or to remove (docs/sync.md, "What each status promises"). */
export function statusOf(id: string, action: Action, evidence: Evidence): Outcome {
	const { before, after, replies } = evidence;
	const [changed, unchanged] = STATUSES_OF[action];
	const isAdding = action === 'add';
	const was = shows(before, id);
	const is = shows(after, id);
	const reply = replies?.get(id);
	if (reply?.status === 'unknown') return reply;
	if (was === isAdding) {
		return is === !isAdding ? failed(MEANWHILE[action]) : proved(unchanged);
	}
	if (is === isAdding) return was === undefined ? (reply ?? unverified(action)) : proved(changed);
	if (is === undefined || reply?.status === 'failed') return reply ?? failed(UNSETTLED);
	return failed(NOT_DONE[action], true);
}

/**
 * Whether a person is a member. Undefined if the person is not shown, and the group was read incompletely or not at
 * all.
 */
function shows(members: Members | undefined, id: string): boolean | undefined {
	if (members?.ids.has(id)) return true;
	return members?.complete ? false : undefined;
}

/** Returns what an action would do with a person. */
export function predictionOf(isMember: boolean, action: Action): Outcome {
	const [changed, unchanged] = STATUSES_OF[action];
	return isMember === (action === 'add')
		? proved(unchanged)
		: proved(changed, `Would be ${changed}`);
}

/**
 * Combines the statuses of a recipient's IDs into one. A recipient has several IDs if several accounts have the
 * address.
 */
export function combine(outcomes: Outcome[], action: Action, dryRun = false): Outcome {
	const [first, ...others] = outcomes;
	if (!first) return failed(NEVER_SHOWN, !dryRun);
	const isSame = others.every(({ reason }) => reason === first.reason);
	return (
		outcomes.find(({ status }) => status === 'failed') ?? (isSame ? first : unverified(action))
	);
}

const NOT_DONE: Record<Action, string> = {
	add: 'The service accepted this recipient, but the group does not show the person',
	remove: 'The service accepted the removal, but the person is still in the group',
};

const MEANWHILE: Record<Action, string> = {
	add: 'Was in the group when this sync started; somebody else has removed this person since',
	remove: 'Was not in the group when this sync started; somebody else has added this person since',
};

const DISPROOFS = [NEVER_SHOWN, ...Object.values(NOT_DONE), ...Object.values(MEANWHILE)];

/** Whether the reason of a failure contradicts that an earlier try has changed the person's membership. */
export function isDisproved(reason: string): boolean {
	return DISPROOFS.some((proof) => reason.startsWith(proof));
}

/** Whether the service refused a recipient. */
export function isRefused(reply: Outcome | undefined): boolean {
	return reply?.status === 'failed' || reply?.status === 'unknown';
}

/**
 * An accepted request: its accepted recipients, and how many of them it changed. `changed` is undefined if the counts
 * do not show this.
 */
export type Accepted = { recipients: Recipient[]; changed: number | undefined };

/** The responses for some recipients. Each recipient is in one accepted request or has a problem. */
export type Responses = {
	accepted: Accepted[];
	/** The recipients that are unknown or failed. */
	problems: Map<Recipient, Outcome>;
	/** The recipients in `problems` whose change may have been carried out. */
	mayBeDone: Set<Recipient>;
};

/**
 * Returns what the responses say about each recipient, by key. If the count of an accepted request equals the number of
 * its people, the request changed all of them. If the count is 0, the request changed nobody. Any count in between proves
 * nothing about a single person.
 */
export function repliesIn({ accepted, problems, mayBeDone }: Responses, action: Action) {
	const replies = new Map<string, Outcome>();
	const [all, none] = STATUSES_OF[action].map((status) => proved(status));
	for (const { recipients, changed } of accepted) {
		const few = changed === 0 ? none : unverified(action);
		const reply = changed === recipients.length ? all : few;
		for (const { key } of recipients) if (reply) replies.set(key, reply);
	}
	for (const [one, outcome] of problems) {
		replies.set(one.key, mayBeDone.has(one) ? failed(outcome.reason, true) : outcome);
	}
	return replies;
}

/** What a line of an `errorLog` says about the recipient that it names. */
export type NamedError = {
	message: string;
	/** Whether the recipient is in a separate field, not within a sentence. */
	isOwnField: boolean;
};

/** Matches a text that consists of one address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds the recipients that an `errorLog` names. The form of its elements is not documented
 * (recipientGroup.addRecipients in emulator/openapi.yaml). So an element names a recipient if its fields contain the
 * email or ID of exactly one recipient, alone or within a sentence. A position in the list does not identify a
 * recipient, because positions may count from 0 or from 1.
 *
 * @param recipients the recipients of the call
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
		named.set(recipient, { message: messageAmong(others), isOwnField });
	}
	return named;
}

/** The documented message for unknown recipients (recipientGroup.addRecipients in emulator/openapi.yaml). */
const DOCUMENTED = /\bnot all emails found(ed)? as recipients? in (the )?system\b/i;

const ABOUT_A_PERSON = /\b(recipient|user|person|people|e-?mail|address)(s|es)?\b/i;
const ABOUT_A_GROUP = /\bgroups?\b/i;
const SAYS_UNKNOWN = /\bnot (be )?found\b|\bunknown\b|\bdo(es)? ?(not|n['’]t) exist\b|\bno such\b/i;

/**
 * Whether a message says that a recipient is unknown. This is the documented message, or a text about a person but not
 * about a group.
 */
export function saysUnknown(message: string): boolean {
	const text = readable(message);
	if (DOCUMENTED.test(text)) return true;
	return SAYS_UNKNOWN.test(text) && ABOUT_A_PERSON.test(text) && !ABOUT_A_GROUP.test(text);
}

function readable(message: string): string {
	// An address may contain words like "people".
	return message
		.slice(0, 2_000)
		.replace(/\S*@\S*/g, '')
		.replaceAll('_', ' ');
}

/**
 * Whether a line of the `errorLog` that names a recipient says that the recipient is unknown. If the line names the
 * recipient in a separate field, "unknown" or "not found" as the whole message is enough.
 */
export function saysNamedUnknown({ message, isOwnField }: NamedError): boolean {
	const text = readable(message).trim();
	if (isOwnField && /^(is )?(unknown|not found)[.!]?$/i.test(text)) return true;
	return saysUnknown(text);
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
	return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the words of a text in lower case, each with and without the quotes and punctuation around it. */
function words(text: string): string[] {
	return text
		.toLowerCase()
		.split(/\s/)
		.flatMap((word) => [word, /^["'<(`]*(.*[^"'>)`.,;:!?])/s.exec(word)?.[1] ?? '']);
}
