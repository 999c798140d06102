import { isRecord } from '../../../../shared/typeGuards';
import type { Recipient } from './readRecipients';

/** A text that consists of one address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds the recipients whom an `errorLog` names. The shape of its elements is not shown (recipientGroup.addRecipients in emulator/openapi.yaml), so an
 * element names the one recipient whose email or ID occurs anywhere in it, in any field, alone or within a sentence.
 * A position does not count as a name, because it may count from 0 or from 1.
 *
 * @param recipients the recipients of the call
 * @returns the named recipients with the message for each; undefined if an element names nobody or several, or if one is
 * named twice
 */
export function namedInErrorLog(
	errorLog: unknown[],
	recipients: Recipient[],
): Map<Recipient, string> | undefined {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named = new Map<Recipient, string>();
	for (const element of errorLog) {
		const texts = textsIn(element);
		// If a field holds the recipient, an address inside a sentence is another one.
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

/** Words that say that a recipient is unknown (recipientGroup.addRecipients in emulator/openapi.yaml). */
const SAYS_UNKNOWN =
	/\bnot (all emails )?found|\bunknown\b|\bdoes ?n[o']t exist|\bno such recipient\b/i;

/** Words that show that such a sentence is not about a recipient. */
const ABOUT_ELSE = /\b(error|group|object)\b/i;

/** Whether a message says that a recipient is unknown; a name without a message says so, too. */
export function saysUnknown(message: string): boolean {
	const text = message.slice(0, 2_000).replaceAll('_', ' ');
	return text === '' || (SAYS_UNKNOWN.test(text) && !ABOUT_ELSE.test(text));
}

/** The message of an element that names nobody: a sentence, or a code. */
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

/** The words of a text in lower case, without the quotes and punctuation around them. */
function words(text: string): string[] {
	return text
		.toLowerCase()
		.split(/\s/)
		.flatMap((word) => [word, /^["'<(`]*(.*[^"'>)`.,;:!?])?/s.exec(word)?.[1] ?? '']);
}
