import { isRecord } from '../../../../shared/typeGuards';
import type { Recipient } from './readRecipients';

/** A text that is an address and nothing else. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds out whom an `errorLog` names. The shape of its elements is not shown (recipientGroup.addRecipients in emulator/openapi.yaml), so an
 * element names the one recipient whose email or ID stands anywhere in it, in any field, alone or within a sentence.
 * A position without a name is not taken: whether it counts from 0 is not shown either.
 *
 * @param recipients those whom the call sent
 * @returns the recipients named with what the service says about them; undefined when an element names nobody or
 * several, or when one is named twice
 */
export function namedInErrorLog(
	errorLog: unknown[],
	recipients: Recipient[],
): Map<Recipient, string> | undefined {
	const byKey = new Map(recipients.map((recipient) => [recipient.key.toLowerCase(), recipient]));
	const named = new Map<Recipient, string>();
	for (const element of errorLog) {
		const texts = textsIn(element);
		// Beside a field that names its subject, an address inside a sentence is somebody else's.
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

/** Words that say of a recipient that the service does not know them (recipientGroup.addRecipients in emulator/openapi.yaml). */
const SAYS_UNKNOWN =
	/\bnot (all emails )?found|\bunknown\b|\bdoes ?n[o']t exist|\bno such recipient\b/i;

/** Words that make such a sentence one about something else. */
const ABOUT_ELSE = /\b(error|group|object)\b/i;

/** Whether a message of the service says that it does not know a recipient; no message beside a name says so, too. */
export function saysUnknown(message: string): boolean {
	const text = message.slice(0, 2_000).replaceAll('_', ' ');
	return text === '' || (SAYS_UNKNOWN.test(text) && !ABOUT_ELSE.test(text));
}

/** What an element that names nobody says: a sentence, or a code. */
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
