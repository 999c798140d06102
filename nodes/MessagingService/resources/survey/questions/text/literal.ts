import { trimmed } from '../../../../../shared/values';
import * as signs from './signs';

/** A problem in a line. The message completes "Line 3: …". */
export class LineError extends Error {
	/** @param advice what to write instead. By default, an example of the question's type */
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
	}
}

/**
 * A literal character is one that is no sign, because it is in quotes or follows a backslash. The parser replaces it with
 * a private character of Unicode, which no sign matches: "," (U+002C) becomes U+F002C.
 */
const FIRST_LITERAL = 0xf0000;
const LITERAL = '[\\u{f0000}-\\u{fffff}]';

/** Makes all characters of a text literal. */
function toLiteral(text: string): string {
	const encode = (unit: string) => String.fromCodePoint(FIRST_LITERAL + unit.charCodeAt(0));
	return decodeLiterals(text).replace(/[^]/g, encode);
}

/** Trims a text, and turns its literal characters back into what was written. */
export function decodeLiterals(text: string): string {
	const decode = (literal: string) =>
		String.fromCharCode((literal.codePointAt(0) ?? FIRST_LITERAL) - FIRST_LITERAL);
	return trimmed(text.replace(new RegExp(LITERAL, 'gu'), decode));
}

/** Each opening quote, followed by the quotes that close it. */
const QUOTES =
	'"" “”“ „“” ”” «» »« ‹› ›‹ ‘’ ‚‘ ’’ \'\' 「」 『』 《》 〈〉 〝〞〟 ＂＂ ❝❞ ‟”'.split(' ');

/** A text in quotes. Inside, a quote between two letters is an apostrophe. */
const QUOTED = QUOTES.map(([open = '', ...close]) => {
	const closing = `[${close.join('')}]`;
	return `${open}(?:(?<=\\p{L})${closing}(?=\\p{L})|[^${open}${close.join('')}])*${closing}`;
}).join('|');

const EMPHASIS = '[*_`]{0,3}';
const OPENING_QUOTE = `[${QUOTES.map(([open]) => open).join('')}]`;
const SEPARATOR = `${signs.COMMA}|${signs.SEMICOLON}|${signs.DOTS}|${signs.ARROW}`;
const AT_START = `(?<=(?:^${signs.MARK}${signs.LABEL}|${signs.COLON}|${signs.OPENING}|${SEPARATOR})\\s*${EMPHASIS})`;
const AT_END = `(?=${EMPHASIS}\\s*(?:$|${signs.CLOSING}|${signs.BACKWARD_ARROW}|${SEPARATOR}))`;
/** Quotes around a whole question, option, row or label. Other quotes are part of the text. */
const QUOTED_PART = new RegExp(`(?=${OPENING_QUOTE})${AT_START}(?:${QUOTED})${AT_END}`, 'gu');
/** A text that `markLiterals` found in quotes: everything inside is literal. */
const ALL_QUOTED = new RegExp(`^${OPENING_QUOTE}(${LITERAL}*)[${QUOTES.join('')}]$`, 'u');

/** A backslash before an arrow, or before any character that is no letter and no blank. */
const ESCAPED = /\\([-=–—]{1,3}>|[^\p{L}\s])/gu;
/** Emphasis of Markdown around words: `**now**`. */
const EMPHASIZED =
	/(?<![\p{L}\p{N}?？*_`])(\*{1,3}|__?|`{1,3})(?!\s)([^*_`]+)(?<!\s)\1(?![\p{L}\p{N}])/gu;

/**
 * Makes literal (`FIRST_LITERAL`) a sign behind a backslash, and what is in quotes around a whole question, option, row or
 * label. Keeps the quotes, and removes emphasis.
 */
export function markLiterals(text: string): string {
	return text
		.replace(ESCAPED, (_, escaped: string) => toLiteral(escaped))
		.replace(QUOTED_PART, (part) => part.charAt(0) + toLiteral(part.slice(1, -1)) + part.slice(-1))
		.replace(EMPHASIZED, '$2');
}

/** Removes the quotes of a text that is all in quotes. Its characters stay literal, and any other text stays as it is. */
export function removeQuotes(text: string): string {
	return ALL_QUOTED.exec(text)?.[1] ?? text;
}
