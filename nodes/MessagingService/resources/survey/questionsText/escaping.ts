// Text in which a backslash makes the next character literal.

/**
 * The places of a token in a text, escaped ones left out.
 *
 * @param token source of a regular expression without groups
 */
export function placesOf(text: string, token: string): Array<{ start: number; end: number }> {
	const matches = text.matchAll(new RegExp(`\\\\[^]|(${token})`, 'g'));
	return [...matches].flatMap(({ index, 1: found }) =>
		found === undefined ? [] : [{ start: index, end: index + found.length }],
	);
}

/** The parts between separators, trimmed and still escaped; blank ones are dropped. */
export function split(text: string, separator: string): string[] {
	const parts: string[] = [];
	let from = 0;
	for (const { start, end } of [
		...placesOf(text, separator),
		{ start: text.length, end: text.length },
	]) {
		parts.push(text.slice(from, start).trim());
		from = end;
	}
	return parts.filter((part) => part !== '');
}

const ARROWS = '→⇒➔➜➝➞➡⟶⇨';

/** The arrows that keyboards and word processors make. */
export const ARROW = `[${ARROWS}]|[-=–—]{1,3}>`;

/** An option in quotes, from one separator to the next. */
const QUOTED = new RegExp(
	`(?<=^|[,;>${ARROWS}])(\\s*)(?:"((?:\\\\.|[^"\\\\])*)"|“((?:\\\\.|[^“”\\\\])*)”)(?=\\s*(?:$|[,;]|${ARROW}))`,
	'gu',
);

/** Turns quotes around an option into backslashes, so that everything in them is literal. */
export function withoutQuotes(text: string): string {
	return text.replace(
		QUOTED,
		(_, blank: string, straight?: string, curly?: string) =>
			blank + plain(straight ?? curly ?? '').replace(/[^\p{L}\s]/gu, '\\$&'),
	);
}

/** Trims and unescapes; before a letter or a blank a backslash is literal. */
export function plain(text: string): string {
	return text.replace(/\\([^\p{L}\s])/gu, '$1').trim();
}
