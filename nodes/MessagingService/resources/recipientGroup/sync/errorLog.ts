import { isRecord } from '../../../../shared/values';
import type { Recipient } from './readRecipients';

/** Matches a text that consists of one address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds the recipients that an `errorLog` names. The form of its elements is not documented (recipientGroup.addRecipients in
 * emulator/openapi.yaml). So an element names a recipient if the fields of the element contain the email or ID of exactly
 * one recipient, alone or within a sentence. A position in the list does not identify a recipient, because positions may
 * count from 0 or from 1.
 *
 * @param recipients the recipients of the call
 * @returns the named recipients with the message for each; undefined if an element names no recipient or several, or if two
 * elements name the same one
 */
export function namedInErrorLog(
	errorLog: unknown[],
	recipients: Recipient[],
): Map<Recipient, string> | undefined {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named = new Map<Recipient, string>();
	for (const element of errorLog) {
		const texts = textsIn(element);
		// If a field consists only of an address or ID, sentences are ignored: they may name another person.
		const isNamed = texts.some(
			(text) => ADDRESS.test(text.trim()) || byKey.has(text.toLowerCase()),
		);
		const names = isNamed ? texts.map((text) => text.trim().toLowerCase()) : texts.flatMap(words);
		const found = new Set(names.flatMap((word) => byKey.get(word) ?? []));
		const [recipient] = found;
		if (!recipient || found.size > 1 || named.has(recipient)) return undefined;
		named.set(recipient, sentenceAmong(texts));
	}
	return named;
}

/** Matches a message that says that a recipient is unknown (recipientGroup.addRecipients in emulator/openapi.yaml). */
const SAYS_UNKNOWN =
	/\bnot (all emails )?found|\bunknown\b|\bdoes ?n[o']t exist|\bno such recipient\b/i;

/** Matches a message that is about something other than a recipient, such as an unknown group. */
const ABOUT_ELSE = /\b(error|group|object)\b/i;

/** Whether a message says that a recipient is unknown; true for an empty message. */
export function saysUnknown(message: string): boolean {
	const text = message.slice(0, 2_000).replaceAll('_', ' ');
	return text === '' || (SAYS_UNKNOWN.test(text) && !ABOUT_ELSE.test(text));
}

/** Returns the message (a sentence or a code) of an element that names no recipient. */
export function messageIn(element: unknown): string {
	const texts = textsIn(element);
	return sentenceAmong(texts) || (texts[0] ?? '');
}

function sentenceAmong(texts: string[]): string {
	return texts.find((text) => /\s/.test(text)) ?? '';
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
