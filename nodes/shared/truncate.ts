/** The longest message and description of an error: the editor shows them whole. */
export const LONGEST_MESSAGE = 500;
export const LONGEST_DESCRIPTION = 1000;

/** The most that is read of a text of the service's: what searches it must not hold the process up. */
export const LONGEST_FOREIGN_TEXT = 2000;

/** A text of at most `length` characters; one that goes on ends with an ellipsis, and with no half of a character. */
export function truncate(text: string, length: number): string {
	if (text.length <= length) return text;
	return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
