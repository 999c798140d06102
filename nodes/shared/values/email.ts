import type { Field } from '../field';
import { INVISIBLE, isBlank, shown, tidy } from './any';
import { valueOrFail, readList, type ParseResult } from './list';

/** Matches one address whose words are made of `letters`. A host in an intranet needs no dot. */
function addressPattern(letters: string): RegExp {
	const word = `[${letters}!#$%&*+/=?^_{|}~-]+`;
	const label = `[${letters}]([${letters}-]*[${letters}])?`;
	return new RegExp(`^${word}([.']${word})*@${label}([.]${label})*$`, 'u');
}

/** Matches one email address. */
export const EMAIL = addressPattern('\\p{L}\\p{M}\\p{N}');

/**
 * Matches one address of ASCII letters, for Sync. Anything else could be read as the address of somebody else. Two addresses
 * are the same if they differ only in case.
 */
export const ASCII_EMAIL = addressPattern('A-Za-z0-9');

/** Matches a blank text and placeholders for an empty value. */
const NOTHING = /^(-+|n\/a|none)?$/i;

/**
 * Returns what remains of a text without invisible characters, outer blanks, `Name <…>`, `mailto:`, and one comma,
 * semicolon or full stop at the end: of "Anna <mailto:anna@example.com>;" `anna@example.com`.
 */
export function addressIn(text: string): string {
	const visible = tidy(text.replace(INVISIBLE, '')).replace(/[,;.]$/, '');
	const address = /^[^<>@]*<([^<>]*)>$/.exec(visible.trim())?.[1] ?? visible;
	return address
		.trim()
		.replace(/^mailto:/i, '')
		.trim();
}

/** Whether a text is blank, or stands for an empty value: "-", "n/a" or "none". */
export function isNothing(text: string): boolean {
	return NOTHING.test(tidy(text.replace(INVISIBLE, '')));
}

/**
 * Reads a list of addresses. A text may be a list that was pasted from a mail program: `Lovelace, Ada <ada@example.com>;
 * Hopper, Grace <grace@example.com>`.
 *
 * @param takesOthers whether the field takes IDs and user names, too. What has an "@" or a "<" is an address
 * @returns the addresses as they are first written. Two are equal if they differ only in case
 */
export function readAddresses(value: unknown, takesOthers = false): ParseResult<string[]> {
	const list = readList(value, splitAddresses);
	if (list.problem !== undefined) return list;
	const addresses = new Map<string, string>();
	const like = /[@<]/;
	for (const entry of list.value.flatMap((one) => (like.test(one) ? splitAddresses(one) : one))) {
		const isOther = takesOthers && !like.test(entry);
		const address = isOther ? entry : addressIn(entry);
		const key = isOther ? entry : address.toLowerCase();
		if (!isOther && !EMAIL.test(address)) {
			return {
				problem: `contains an invalid email address: ${shown(entry)}`,
				advice: 'Correct or remove it. Nothing was sent.',
			};
		}
		if (!addresses.has(key)) addresses.set(key, address);
	}
	return { value: [...addresses.values()] };
}

/** Matches what is no part of a person's name, but of an address that lacks its "@". */
const LIKE_HOST = /\p{L}\.\p{L}{2}/u;

/** Splits a pasted list. A comma belongs to a name if an address in angle brackets follows. */
function splitAddresses(text: string): string[] {
	const entries: string[] = [];
	for (const [line] of text.matchAll(/(?:"[^"\r\n]*"|[^;\r\n])+/g)) {
		const name: string[] = [];
		for (const [part] of line.matchAll(/(?:"[^"]*"|<[^>]*>|[^,])+/g)) {
			const isEntry = part.includes('@') || LIKE_HOST.test(part);
			if (part.includes('<')) entries.push([...name.splice(0), part].join(','));
			else if (isEntry) entries.push(...name.splice(0), part);
			else name.push(part);
		}
		entries.push(...name);
	}
	return entries.map(tidy).filter((entry) => entry !== '');
}

/** Converts to a list of email addresses, with `readAddresses`. @throws for the first invalid address */
export function toEmails(value: unknown, field: Field): string[] {
	return valueOrFail(readAddresses(value), field);
}

/** Converts to one email address, or a blank value to an empty text. @throws for anything else, even for several */
export function toEmail(value: unknown, field: Field): string {
	const [address = '', another] = isBlank(value) ? [] : toEmails(value, field);
	if (another === undefined) return address;
	throw field.fail(
		`${field.label} takes one email address, not several`,
		'Enter one address. Nothing was sent.',
	);
}
