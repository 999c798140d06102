import { says } from '../../shared/serviceMessages';
import { isRecord } from '../../shared/values';
import type { Recipient } from './types';

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
	return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the words of a text in lower case, each with and without the quotes and punctuation around it. */
function words(text: string): string[] {
	return text
		.toLowerCase()
		.split(/\s/)
		.flatMap((word) => [word, /^["'<(`]*(.*[^"'>)`.,;:!?])/s.exec(word)?.[1] ?? '']);
}
