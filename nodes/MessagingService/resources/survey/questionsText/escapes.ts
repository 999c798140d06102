// Text in which a backslash takes its special meaning from the character behind it.

/** Where a token stands in a text; what a backslash protects is passed over. */
export function placesOf(text: string, token: string): Array<{ start: number; end: number }> {
	const matches = text.matchAll(new RegExp(`\\\\[^]|(${token})`, 'g'));
	return [...matches].flatMap(({ index, 1: found }) =>
		found === undefined ? [] : [{ start: index, end: index + found.length }],
	);
}

/** The parts between separators: trimmed, blank ones left out, still escaped. */
export function split(text: string, separator: string): string[] {
	const parts: string[] = [];
	let from = 0;
	for (const { start, end } of placesOf(text, separator)) {
		parts.push(text.slice(from, start));
		from = end;
	}
	parts.push(text.slice(from));
	return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Trims, and takes away the backslashes that protect a character; before a letter or a blank a backslash is just one. */
export function plain(text: string): string {
	return text.replace(/\\([^\p{L}\s])/gu, '$1').trim();
}
