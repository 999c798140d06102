import type { GenericValue, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { LONGEST_FOREIGN_TEXT, truncate } from '../truncate';
import { trimmed } from '../values';

const HIDDEN = '***';

/** The most characters of a response that are searched for secrets. */
const LONGEST_READ = 100_000;

/** The most characters of a response that are kept with an error. */
const LONGEST_STORED = 10_000;

/** Anything shorter hides nothing but the text around it. */
const SHORTEST_SECRET = 4;

/**
 * The texts of a credential that nobody may read in an error: the access key, the client secret, id and secret as they
 * go to the token endpoint, access tokens, and a user and password in the Base URL; each also as JSON and URLs write it.
 *
 * @param tokens access tokens that requests were sent with
 */
export function secretsOf(
	credentials: ICredentialDataDecryptedObject,
	...tokens: Array<string | undefined>
): string[] {
	const [accessKey = '', clientId = '', clientSecret = '', baseUrl = ''] = [
		credentials.accessKey,
		credentials.clientId,
		credentials.clientSecret,
		credentials.baseUrl,
	].map((value) => (typeof value === 'string' ? value.trim() : ''));
	const secrets = [accessKey, clientSecret, ...userOf(baseUrl)];
	if (clientSecret !== '') {
		const pair = `${clientId}:${clientSecret}`;
		// Without padding, so that it is found with and without.
		secrets.push(pair, Buffer.from(pair).toString('base64').replaceAll('=', ''));
	}
	for (const token of tokens) if (token !== undefined) secrets.push(token);
	const written = secrets.flatMap((secret) => [secret, inJson(secret), inUrl(secret)]);
	// The longest first: a secret may be part of another.
	return [...new Set(written)]
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.sort((a, b) => b.length - a.length);
}

/**
 * A text with each secret in it replaced by `***`, in any case of letters: a host name is written small, a header may
 * be.
 */
export function hideSecrets(text: string, secrets: string[]): string {
	return secrets.reduce(
		(hidden, secret) =>
			hidden.replace(new RegExp(secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'), HIDDEN),
		text,
	);
}

/**
 * What the service said, trimmed and without secrets: the beginning of it, so that nothing that searches it can hold the
 * process up.
 */
export function foreignText(text: unknown, secrets: string[]): string {
	const beginning = trimmed(text).slice(0, LONGEST_READ);
	return truncate(hideSecrets(beginning, secrets), LONGEST_FOREIGN_TEXT);
}

/** A response to store with an error: without secrets, and truncated if it is large. */
export function storedData(data: unknown, secrets: string[]): GenericValue | object {
	const whole = typeof data === 'string' ? data : toJsonText(data);
	const text = hideSecrets(whole.slice(0, LONGEST_READ), secrets);
	if (typeof data === 'string' || text.length > LONGEST_STORED)
		return truncate(text, LONGEST_STORED);
	return jsonParse<object>(text, { fallbackValue: { text } });
}

function toJsonText(data: unknown): string {
	try {
		return JSON.stringify(data);
	} catch {
		return 'A response that is nested too deep to be shown';
	}
}

/** User and password of an address, as they are typed. The address itself need not be valid. */
function userOf(address: string): string[] {
	const [, user = ''] = /^(?:[a-z][\w+.-]*:)?\/*([^/@?#]*(?:@[^/@?#]*)*)@/i.exec(address) ?? [];
	if (user === '') return [];
	return [user, user.slice(user.indexOf(':') + 1)];
}

function inJson(secret: string): string {
	return JSON.stringify(secret).slice(1, -1);
}

function inUrl(secret: string): string {
	try {
		return encodeURIComponent(secret);
	} catch {
		// Half of a surrogate pair has no form in a URL.
		return secret;
	}
}
