import { says } from '../../shared/serviceMessages';
import { isObject } from '../../shared/values';
import type { Recipient } from './types';

/** What the service says about a recipient: the message to show, and all texts together. */
type Said = { message: string; allTexts: string };

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
export function namedInErrorLog(log: unknown[], recipients: Recipient[]) {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named = new Map<Recipient, Said>();
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
	/\b(can)?not (be )?(find|found|known|exist)\b|\bunknown\b|\bdo(es)?n['’]?t exist\b|\bno such\b/;

/** Words that occur in a text that says nothing but "unknown". */
const WORDS_OF_UNKNOWN = new Set(
	(
		'a an the this that such with by of for is was were are be been could can cannot does do did no not any ' +
		"doesn't doesn’t don't don’t isn't isn’t couldn't couldn’t " +
		'find found know known unknown exist exists recipient recipients user users person people email emails mail e ' +
		'address addresses account accounts id ids'
	).split(' '),
);

/** Where a service looks for people. */
const PLACE = /\bin (the |our |this )?(system|directory|database|platform|service)\b/g;

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
export function onlyWords(message: string): string {
	const words = message.slice(0, 2_000).split(/\s/);
	return words
		.filter((word) => !word.includes('@'))
		.join(' ')
		.replace(/\b[0-9a-f]{24}\b/gi, ' ')
		.replace(/[^\p{L}\p{N}'’]+/gu, ' ')
		.trim();
}

/** Returns what an `errorLog` says: `[{ code: 'E7', text: 'Try later' }]` → the message `'Try later'`, all texts `'E7 Try later'`. */
export function saidIn(log: unknown[]): Said {
	const messages = log.map((element) => messageAmong(textsIn(element)));
	return { message: messages.join(), allTexts: log.flatMap(textsIn).join(' ') };
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
