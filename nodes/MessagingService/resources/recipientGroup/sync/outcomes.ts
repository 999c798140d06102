import { NodeApiError } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { isAccessRefusal } from '../../../../shared/transport/errors/apiError';
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
			/** Whether the item has no value at all. Such an item holds no removals back. */
			isBlank?: boolean;
	  })
);

/** A group of the run, with the rows that name it and their recipients without duplicates. */
export type SyncGroup = NamedGroup & { rows: Row[]; recipients: Recipient[] };

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

const REASONS: Partial<Record<Status, string>> = {
	added: 'Added to the group',
	alreadyMember: 'Already in the group',
	removed: 'Removed from the group',
	notMember: 'Not in the group',
};

/** Returns an outcome that is proved. Each status has one reason where nothing more is to say. */
export function proved(status: Status, reason = REASONS[status] ?? status): Outcome {
	return { status, reason };
}

export type Action = 'add' | 'remove';

/** The statuses of an action: of whom it changes, and of whom it leaves as they were. */
export const STATUSES_OF: Record<Action, [changed: Status, unchanged: Status]> = {
	add: ['added', 'alreadyMember'],
	remove: ['removed', 'notMember'],
};

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

/** Returns the status of a recipient whom the service accepted, without proof of who was a member before. */
export function unverified(action: Action): Outcome {
	const where = action === 'add' ? 'in the group' : 'out of the group';
	const reason = `${UNVERIFIED} the service accepted this recipient, who is ${where} now by that; whether they were before could not be found out`;
	return proved(STATUSES_OF[action][1], reason);
}

export const UNVERIFIED = 'Unverified:';

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
		return after?.complete && !after.ids.has(id) ? failed(LEFT_MEANWHILE) : proved('alreadyMember');
	}
	const reply = replyTo(id);
	if (after?.ids.has(id))
		return before.complete ? proved('added') : (ifAccepted(reply) ?? unverified('add'));
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
	if (was && after?.complete) return proved('removed');
	if (!was && before.complete)
		return reply && reply.status !== 'failed' ? reply : proved('notMember');
	return reply ?? failed(UNSETTLED);
}

function ifAccepted(reply: Outcome | undefined): Outcome | undefined {
	return reply?.status === 'failed' || reply?.status === 'unknown' ? undefined : reply;
}

/** Returns the status of a recipient from those of their IDs, which are several if several accounts have the address. */
export function combine(outcomes: Outcome[], action: Action, dryRun = false): Outcome {
	const [first, ...others] = outcomes;
	if (!first) return failed(NEVER_SHOWN, !dryRun);
	const isSame = others.every(({ reason }) => reason === first.reason);
	return (
		outcomes.find(({ status }) => status === 'failed') ?? (isSame ? first : unverified(action))
	);
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

/** What a line of an `errorLog` says about the recipient that it names. */
export type NamedError = {
	message: string;
	/** Whether the recipient stands in a field of its own, not within a sentence. */
	isOwnField: boolean;
};

/** Matches a text that consists of one address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds the recipients that an `errorLog` names. The form of its elements is not documented (recipientGroup.addRecipients in
 * emulator/openapi.yaml). So an element names a recipient if the fields of the element contain the email or ID of exactly
 * one recipient, alone or within a sentence. A position in the list does not identify a recipient, because positions may
 * count from 0 or from 1.
 *
 * @param recipients the recipients of the call
 * @returns the named recipients with what is said of each; undefined if an element names no recipient or several, or if two
 * elements name the same one
 */
export function namedInErrorLog(
	errorLog: unknown[],
	recipients: Recipient[],
): Map<Recipient, NamedError> | undefined {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named = new Map<Recipient, NamedError>();
	for (const element of errorLog) {
		const texts = textsIn(element);
		// If a field consists only of an address or ID, sentences are ignored: they may name another person.
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

/** Whether a message says that a recipient is unknown: the documented one, or a text about a person and not a group. */
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
 * recipient in a field of its own, the whole message may be "unknown" or "not found".
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

/**
 * Classifies a failed change. Returns `unknown` if the service refused the change because a recipient is unknown, `refused`
 * if it gave another reason, and undefined for any other failure, such as no access, no such group or a broken connection.
 */
export function refusalIn(error: unknown): 'unknown' | 'refused' | undefined {
	if (!(error instanceof NodeApiError) || isFatal(error)) return undefined;
	if (!/^(200|400|409|422)$/.test(error.httpCode ?? '')) return undefined;
	return saysUnknown(error.message) ? 'unknown' : 'refused';
}

/** Matches refusals that fewer recipients per request may avoid. */
const TOO_LARGE = /\btoo (large|long|many|big)\b|\b(maximum|exceeds?|length|size)\b/i;

/** Returns why a change failed and, if the request was too large, which option makes it smaller. */
export function failureText(error: unknown): string {
	const text = messageOf(error);
	const isTooLarge =
		error instanceof NodeApiError &&
		error.httpCode !== '429' &&
		(error.httpCode === '413' || TOO_LARGE.test(text));
	return isTooLarge ? `${text.replace(/\.$/, '')}. Lower the option Recipients per Request` : text;
}

/** Whether no further change can succeed: no access, or no such group. */
export function isFatal(error: unknown): boolean {
	return isAccessRefusal(error) || isMissingGroup(error);
}

/**
 * Whether the service reports that the group does not exist (recipientGroup.get, recipientGroup.delete in
 * emulator/openapi.yaml).
 */
export function isMissingGroup(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return error.httpCode === '404' || /^Object does not exist/i.test(error.message);
}
