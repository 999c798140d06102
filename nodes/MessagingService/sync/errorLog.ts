import { isRecord } from '../../shared/values';
import type { Recipient } from './types';

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
