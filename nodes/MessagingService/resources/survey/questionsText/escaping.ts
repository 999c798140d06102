// Functions for text in which a backslash makes the next character literal.
import { ARROW, ARROWS, BACKWARD_ARROW, COMMA, DOTS, SEMICOLON } from './signs';

/**
 * Finds the unescaped occurrences of a token in a text.
 *
 * @param token source of a regular expression without groups
 */
export function placesOf(text: string, token: string): Array<{ start: number; end: number }> {
	const matches = text.matchAll(new RegExp(`\\\\[^]|(${token})`, 'gu'));
	return [...matches].flatMap(({ index, 1: found }) =>
		found === undefined ? [] : [{ start: index, end: index + found.length }],
	);
}

/** Splits a text into non-blank parts, trimmed and still escaped. */
export function split(text: string, separator: string): string[] {
	const ends = placesOf(text, separator);
	const parts = [...ends, undefined].map((end, index) =>
		trimEnds(text.slice(ends[index - 1]?.end ?? 0, end?.start)),
	);
	return parts.filter((part) => part !== '');
}

/** Each opening quote, followed by the quotes that close it. */
const QUOTES =
	'"" “”“ „“” ”” «» »« ‹› ›‹ ‘’ ‚‘’ ’’ \'\' 「」 『』 《》 〈〉 〝〞〟 ＂＂ ❝❞ ‟”'.split(' ');

/** A quoted text. A quote between two letters is an apostrophe. */
const QUOTED = QUOTES.map(([open = '', ...close]) => {
	const closing = `[${close.join('')}]`;
	return `${open}(?:\\\\.|(?<=\\p{L})${closing}(?=\\p{L})|[^\\\\${open}${close.join('')}])*${closing}`;
}).join('|');

const NEXT = `(?=\\s*(?:$|${COMMA}|${SEMICOLON}|[)）】］〕]|${DOTS}|${ARROW}|${BACKWARD_ARROW}))`;
const OPENS = `(?=[${QUOTES.map(([open]) => open).join('')}])`;
const OPTION_START = `${OPENS}(?<=(?:^|${COMMA}|${SEMICOLON}|[>${ARROWS}←⇐⟵⟸]|${DOTS})\\s*)`;
const ANY_START = `${OPENS}(?<=(?:^|${COMMA}|${SEMICOLON}|[:：(（【［〔>${ARROWS}←⇐⟵⟸]|${DOTS})\\s*)`;
const QUOTED_OPTION = new RegExp(`${OPTION_START}(?:${QUOTED})${NEXT}`, 'gu');
const QUOTED_PART = new RegExp(`${ANY_START}(?:${QUOTED})${NEXT}`, 'gu');

/** Escapes the text between the quotes of options, so that brackets and commas in it are literal. Keeps the quotes. */
export function withLiteralQuotes(text: string): string {
	return text.replace(
		QUOTED_PART,
		(quoted) => quoted.charAt(0) + literal(quoted.slice(1, -1)) + quoted.slice(-1),
	);
}

/** Removes the quotes around each option, and escapes the text between them. */
export function withoutQuotes(text: string): string {
	return text.replace(QUOTED_OPTION, (quoted) => literal(quoted.slice(1, -1)));
}

function literal(text: string): string {
	return plain(text).replace(/[^\p{L}\s]/gu, '\\$&');
}

/** Whether an option has a quote that is not closed. Inside an option, apostrophes and inches are no quotes. */
export function hasUnclosedQuote(text: string): boolean {
	const [, closing = ''] = QUOTES.find(([open]) => open === text.charAt(0)) ?? [];
	const quotes = closing === '' ? '“”„«»‹›「」『』' : QUOTES.join('');
	const found = [...text.replace(/\\[^]|(?<=\p{L})['’](?=\p{L})/gu, '')].filter((character) =>
		quotes.includes(character),
	);
	return found.length % 2 === 1;
}

/** Trims and unescapes a text. A backslash before a letter or a blank is literal. */
export function plain(text: string): string {
	return trimEnds(text.replace(/\\([^\p{L}\s])/gu, '$1'));
}

/** Blanks, and marks that have no width: of a direction, of an encoding, of a possible line break, joiners. */
const INVISIBLE = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

/** Removes blanks and invisible marks at both ends of a text. */
export function trimEnds(text: string): string {
	let start = 0;
	let end = text.length;
	while (INVISIBLE.test(text.charAt(start))) start += 1;
	while (end > start && INVISIBLE.test(text.charAt(end - 1))) end -= 1;
	return text.slice(start, end);
}
