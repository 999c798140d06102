import { isRecord } from '../../../../shared/typeGuards';
import type { Recipient } from './readRecipients';

/**
 * Finds out whom an `errorLog` names. The shape of its elements is not shown (recipientGroup.addRecipients in emulator/openapi.yaml), so an
 * element names the one recipient whose email or id stands anywhere in it, in any field, alone or within a sentence.
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
		const found = new Set(texts.flatMap(words).flatMap((word) => byKey.get(word) ?? []));
		const [recipient] = found;
		if (!recipient || found.size > 1 || named.has(recipient)) return undefined;
		named.set(recipient, texts.find((text) => /\s/.test(text)) ?? '');
	}
	return named;
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The words of a text in lower case, without the quotes and punctuation around them. */
function words(text: string): string[] {
	return text
		.toLowerCase()
		.split(/\s/)
		.flatMap((word) => [word, word.replace(/^["'<(`]+|["'>)`.,;:!?]+$/g, '')]);
}
