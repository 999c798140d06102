import type { FieldInfo } from './field';
import { describeValue, INVISIBLE, toList, trimmed } from './values';

/** Matches one address whose words are made of `letters`. A host in an intranet needs no dot. */
function addressPattern(letters: string): RegExp {
	const word = `[${letters}!#$%&*+/=?^_{|}~-]+`;
	const label = `[${letters}]([${letters}-]*[${letters}])?`;
	return new RegExp(`^${word}([.']${word})*@${label}([.]${label})*$`, 'u');
}

/** Matches one email address with letters of any language. */
export const EMAIL = addressPattern('\\p{L}\\p{M}\\p{N}');

/**
 * Matches one address of ASCII letters, for Sync: an address with other letters could be read as the address of somebody
 * else.
 */
export const ASCII_EMAIL = addressPattern('A-Za-z0-9');

/**
 * Returns the address in a text: `Anna <mailto:anna@example.com>;` → `anna@example.com`. Removes invisible characters,
 * outer blanks, the name, `mailto:`, and one comma, semicolon or full stop at the end. Does not check the address.
 */
export function addressIn(text: string): string {
	const visible = trimmed(trimmed(text.replace(INVISIBLE, '')).replace(/[,;.]$/, ''));
	const [, name = '', inBrackets = visible] = /^([^<>]*)<([^<>]*)>$/.exec(visible) ?? [];
	const address = isNameOf(inBrackets, name) ? inBrackets : visible;
	return trimmed(trimmed(address).replace(/^mailto:/i, ''));
}

/**
 * Whether a text before an address is certainly its name, or blank. A name has at most one comma outside quotes and brackets
 * ("Lovelace, Ada"): before more commas, there could be other people. Before the comma, it has no quotes, digit, "_" or
 * backslash, and is not one word in lower case: that could be a person or an ID. Some mail programs write the address itself
 * as its name.
 */
function isNameOf(address: string, text: string): boolean {
	if (text.includes('@')) return text.replace(/['"\s]/g, '') === address.replace(/^mailto:/i, '');
	const outside = text.replace(/\([^()]*\)/g, '').replace(/"[^"]*"/g, '"');
	const [last = '', ...first] = outside.split(',');
	return first.length === 0 || (first.length === 1 && !/["\d_\\]|^[a-z]+$/.test(last.trim()));
}

/** Whether an entry is meant as an address, not as an ID or user name. */
const isLikeAddress = (entry: string) => /[@<]/.test(entry);

/**
 * Converts to a list of email addresses. A text may be a list that was pasted from a mail program: `Lovelace, Ada
 * <ada@example.com>; Hopper, Grace <grace@example.com>`. A blank value has none.
 *
 * @returns each address once, as it is first written. Two addresses are equal if they differ only in case
 * @throws for the first invalid address, and the errors of `toList`
 */
export function toEmails(value: unknown, field: FieldInfo): string[] {
	return toPeople(value, field, () => true);
}

/**
 * Converts to a list of people: addresses as in `toEmails`, IDs and user names. An entry with "@" or "<" is an address.
 *
 * @param isAddress whether an entry must be an address. All other entries stay as they are
 */
export function toPeople(
	value: unknown,
	field: FieldInfo,
	isAddress: typeof isLikeAddress = isLikeAddress,
): string[] {
	const list = toList(value, field, splitAddresses);
	const found = new Map<string, string>();
	// Each entry of an array may be a pasted list, too.
	const entries = list.flatMap((one) => (isLikeAddress(one) ? splitAddresses(one) : one));
	for (const entry of entries) {
		const isEmail = isAddress(entry);
		const person = isEmail ? addressIn(entry) : entry;
		if (isEmail && !EMAIL.test(person)) {
			throw field.fail(
				`${field.label} contains an invalid email address: ${describeValue(entry)}`,
				'Correct or remove it. Nothing was sent.',
			);
		}
		const key = isEmail ? person.toLowerCase() : person;
		if (!found.has(key)) found.set(key, person);
	}
	return [...found.values()];
}

/** Matches part of a host name, such as "example.com". So an address without its "@" is not read as a name. */
const LIKE_HOST = /\p{L}\.\p{L}{2}/u;

/** Splits a pasted list: `Lovelace, Ada <ada@x.io>, bob@x.io` → `['Lovelace, Ada <ada@x.io>', 'bob@x.io']`. */
function splitAddresses(text: string): string[] {
	const entries: string[] = [];
	for (const [line] of text.matchAll(/(?:"[^"\r\n]*"|[^;\r\n])+/g)) {
		// The parts since the last entry. They belong to a name if an address in angle brackets follows.
		let parts: string[] = [];
		for (const [part] of line.matchAll(/(?:"[^"]*"|<[^>]*>|[^,])+/g)) {
			parts.push(part);
			const endsName = part.includes('<');
			if (!endsName && !part.includes('@') && !LIKE_HOST.test(part)) continue;
			entries.push(...(endsName ? [parts.join(',')] : parts));
			parts = [];
		}
		entries.push(...parts);
	}
	return entries.map(trimmed).filter((entry) => entry !== '');
}

/** Converts to one email address, or a blank value to an empty text. @throws for anything else, also for several addresses */
export function toEmail(value: unknown, field: FieldInfo): string {
	const [address = '', another] = toEmails(value, field);
	if (another === undefined) return address;
	throw field.fail(
		`${field.label} takes one email address, not several`,
		'Enter one address. Nothing was sent.',
	);
}
