import { jsonParse, type GenericValue, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { LONGEST_FOREIGN_TEXT, truncate } from '../truncate';
import { tidy, trimmed } from '../values';

const HIDDEN = '***';

/** Maximum characters of a response that are searched for secrets. */
const LONGEST_READ = 100_000;

/** Maximum characters of a response that are stored with an error. */
const LONGEST_STORED = 10_000;

/** Hiding a shorter text would make the message unreadable and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * Returns the texts of a credential that no error may show: access key, client secret, access tokens, user and
 * password in the Base URL. Client ID and secret are included in the form that the token endpoint gets. Each text is
 * included as written in JSON and in URLs, too.
 *
 * @param tokens access tokens that were sent
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
	].map(cleanPasted);
	const secrets = [accessKey, clientSecret, ...userOf(baseUrl)];
	if (clientSecret !== '') {
		const pair = `${clientId}:${clientSecret}`;
		// The padding is removed, so that the text is found with and without padding.
		secrets.push(pair, Buffer.from(pair).toString('base64').replaceAll('=', ''));
	}
	for (const token of tokens) if (token !== undefined) secrets.push(trimmed(token));
	const written = secrets.flatMap((secret) => [secret, inJson(secret), inUrl(secret)]);
	// Longest first: a secret may be part of another secret.
	return [...new Set(written)]
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.sort((a, b) => b.length - a.length);
}

/** Replaces each secret in a text by `***`. Ignores case, because host names and some headers arrive in lower case. */
export function hideSecrets(text: string, secrets: string[]): string {
	return secrets.reduce((hidden, secret) => {
		// The parts of a copy in lower case have the lengths of the original's parts. Not a regular expression, because a
		// long secret would be too large for one.
		const [lower, wanted] = [asciiLowerCase(hidden), asciiLowerCase(secret)];
		let from = 0;
		return lower
			.split(wanted)
			.map(({ length }) => {
				const part = hidden.slice(from, from + length);
				from += length + secret.length;
				return part;
			})
			.join(HIDDEN);
	}, text);
}

/** Lowers only ASCII letters, so that the text keeps its length. */
function asciiLowerCase(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns a field of a credential as it is used: without blanks and invisible characters at its ends, and without quotes
 * around it, which come along from JSON or a chat.
 */
export function cleanPasted(value: unknown): string {
	const text = trimmed(value);
	const [, inQuotes = text] = /^["'`“”„‘’](.*)["'`“”‘’]$/s.exec(text) ?? [];
	return tidy(inQuotes);
}

/**
 * Returns the beginning of a text from the service, trimmed and without secrets. The length is limited so that searching
 * the text stays fast.
 */
export function foreignText(text: unknown, secrets: string[]): string {
	const beginning = trimmed(text).slice(0, LONGEST_READ);
	return truncate(hideSecrets(beginning, secrets), LONGEST_FOREIGN_TEXT);
}

/** Prepares a response for storage with an error: removes secrets, and truncates a large response. */
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
		return 'A response nested too deeply to show';
	}
}

/** Returns `user:password` and the password from an address as typed, even if the address is invalid. */
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
		// A lone surrogate cannot be encoded.
		return secret;
	}
}
