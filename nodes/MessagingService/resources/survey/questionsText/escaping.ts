// Functions for text in which a backslash makes the next character literal.

/**
 * Finds the unescaped occurrences of a token in a text.
 *
 * @param token source of a regular expression without groups
 */
export function placesOf(text: string, token: string): Array<{ start: number; end: number }> {
	const matches = text.matchAll(new RegExp(`\\\\[^]|(${token})`, 'g'));
	return [...matches].flatMap(({ index, 1: found }) =>
		found === undefined ? [] : [{ start: index, end: index + found.length }],
	);
}

/** Splits a text into non-blank parts, trimmed and still escaped. */
export function split(text: string, separator: string): string[] {
	const ends = placesOf(text, separator);
	const parts = [...ends, undefined].map((end, index) =>
		text.slice(ends[index - 1]?.end ?? 0, end?.start).trim(),
	);
	return parts.filter((part) => part !== '');
}

const ARROWS = '→⇒➔➜➝➞➡⟶⇨';

/** The arrows that keyboards and word processors produce. */
export const ARROW = `[${ARROWS}]|[-=–—]{1,3}>`;

/** An option in quotes, from one separator to the next. */
const QUOTED = new RegExp(
	`(?<=^|[,;>${ARROWS}])(\\s*)(?:"((?:\\\\.|[^"\\\\])*)"|“((?:\\\\.|[^“”\\\\])*)”)(?=\\s*(?:$|[,;]|${ARROW}))`,
	'gu',
);

/** Removes the quotes around each option, and escapes the text between them. */
export function withoutQuotes(text: string): string {
	return text.replace(
		QUOTED,
		(_, blank: string, straight?: string, curly?: string) =>
			blank + plain(straight ?? curly ?? '').replace(/[^\p{L}\s]/gu, '\\$&'),
	);
}

/** Trims and unescapes a text. A backslash before a letter or a blank is literal. */
export function plain(text: string): string {
	return text.replace(/\\([^\p{L}\s])/gu, '$1').trim();
}
