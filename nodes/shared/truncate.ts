/** Maximum length of an error's message and description, which the editor shows in full. */
export const LONGEST_MESSAGE = 500;
export const LONGEST_DESCRIPTION = 1000;

/** Maximum length of a text from the service, so that searching it stays fast. */
export const LONGEST_SERVICE_TEXT = 2000;

/** Truncates a longer text to at most `length` characters, with an ellipsis at its end. Splits no emoji in half. */
export function truncate(text: string, length: number): string {
	if (text.length <= length) return text;
	return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Lists at most `most` names: three names with `most` 2 → `a, b and 1 more`. No names → an empty text. */
export function nameSome(names: string[], most = 5): string {
	const more = names.length > most ? ` and ${names.length - most} more` : '';
	return `${names.slice(0, most).join(', ')}${more}`;
}
