import { NodeApiError } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import { isAccessRefusal } from '../../../../shared/transport/errors/apiError';
import { isRecord } from '../../../../shared/values';
import type { Recipient } from './syncRun';

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
	return message.slice(0, 2_000).replaceAll('_', ' ');
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
