import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { LONGEST_SERVICE_TEXT, truncate } from '../truncate';
import { trimmed } from '../values';

const HIDDEN = '***';

/** Maximum characters of a text that are searched for secrets. */
const LONGEST_READ = 100_000;

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
	const inJson = (secret: string) => JSON.stringify(secret).slice(1, -1);
	const forms = secrets.flatMap((secret) => [secret, inJson(secret), encodeURIComponent(secret)]);
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
	let start = 0;
	const shown = asciiLowerCase(text)
		.split(asciiLowerCase(secret))
		.map(({ length }) => {
			const part = text.slice(start, start + length);
			start += length + secret.length;
			return part;
		});
	return shown.join(HIDDEN);
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
