import { jsonParse, type GenericValue, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { LONGEST_SERVICE_TEXT, truncate } from '../truncate';
import { trimmed } from '../values';

const HIDDEN = '***';

/** Maximum characters of a response that are searched for secrets. */
const LONGEST_READ = 100_000;

/** Maximum characters of a response that are stored with an error. */
const LONGEST_STORED = 10_000;

/** A shorter secret is not hidden: that would make the message unreadable and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * Returns the texts that no error may show: access key, client secret, access tokens, and the pair of client ID and secret
 * that the token endpoint gets. A Base URL with a password is refused before (`normalizeBaseUrl`). Each text is there as it
 * is, and as written in JSON and in URLs. Texts shorter than `SHORTEST_SECRET` are left out.
 *
 * @param tokens what was sent as a token: access tokens, or the access key once more
 */
export function secretsOf(
	credentials: ICredentialDataDecryptedObject,
	...tokens: string[]
): string[] {
	const field = (name: string) => cleanPastedText(credentials[name]);
	const clientSecret = field('clientSecret');
	const secrets = [field('accessKey'), clientSecret];
	if (clientSecret !== '') {
		const pair = `${field('clientId')}:${clientSecret}`;
		// The padding is removed, so that the text is found with and without padding.
		secrets.push(pair, Buffer.from(pair).toString('base64').replaceAll('=', ''));
	}
	secrets.push(...tokens.map(trimmed));
	const forms = secrets.flatMap((secret) => [secret, asInJson(secret), encodeURIComponent(secret)]);
	return [...new Set(forms)].filter(({ length }) => length >= SHORTEST_SECRET);
}

/** Replaces each secret in a text by `***`. Ignores case, because host names and some headers arrive in lower case. */
export function hideSecrets(text: string, secrets: string[]): string {
	// Longest first: a secret may be part of another secret.
	const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
	return longestFirst.reduce(hideSecret, text);
}

/** Replaces a secret. Without a regular expression, because a long secret would be too large for one. */
function hideSecret(text: string, secret: string): string {
	const lowerText = asciiLowerCase(text);
	const lowerSecret = asciiLowerCase(secret);
	let hidden = '';
	let start = 0;
	let found = lowerText.indexOf(lowerSecret);
	while (found !== -1) {
		hidden += text.slice(start, found) + HIDDEN;
		start = found + secret.length;
		found = lowerText.indexOf(lowerSecret, start);
	}
	return hidden + text.slice(start);
}

/** Lowers only ASCII letters, so that each letter stays at its place. */
function asciiLowerCase(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns a field of a credential without the blanks, invisible characters and quotes around it: `"key" ` → `key`. */
export function cleanPastedText(value: unknown): string {
	const text = trimmed(value);
	const [, inQuotes] = /^["'`“”„‘’](.*)["'`“”‘’]$/s.exec(text) ?? [];
	return inQuotes === undefined ? text : trimmed(inQuotes);
}

/** Returns the beginning of a text from the service, trimmed and without secrets. Any other value becomes an empty text. */
export function textFromService(text: unknown, secrets: string[]): string {
	const beginning = trimmed(text).slice(0, LONGEST_READ);
	return truncate(hideSecrets(beginning, secrets), LONGEST_SERVICE_TEXT);
}

/**
 * Returns a response as it is stored with an error: without secrets. A text stays text, and a large response becomes text.
 * Such text is truncated. Any other response is copied as JSON. If hiding a secret breaks the JSON, it becomes `{ text }`.
 */
export function dataForStorage(data: unknown, secrets: string[]): GenericValue | object {
	const isText = typeof data === 'string';
	const text = hideSecrets((isText ? data : toJsonText(data)).slice(0, LONGEST_READ), secrets);
	if (isText || text.length > LONGEST_STORED) return truncate(text, LONGEST_STORED);
	return jsonParse<object>(text, { fallbackValue: { text } });
}

/** Never throws, because an error of its own would replace the error that is being described. */
function toJsonText(data: unknown): string {
	try {
		return JSON.stringify(data);
	} catch {
		return 'A response nested too deeply to show';
	}
}

function asInJson(secret: string): string {
	return JSON.stringify(secret).slice(1, -1);
}
