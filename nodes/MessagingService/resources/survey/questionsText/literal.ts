import { trimmed } from '../../../../shared/values';
import * as signs from './signs';

/** A problem of a line. The message completes "Line 3: …". */
export class Unclear extends Error {
	/** @param advice what to write instead. By default, an example of the question's type */
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
	}
}

/** Literal text is written in private characters, which are no signs: one for each UTF-16 code unit. */
const FIRST = 0xf0000;
const PRIVATE = '[\\u{f0000}-\\u{fffff}]';
const LITERALS = new RegExp(PRIVATE, 'gu');

function literal(text: string): string {
	const code = (unit: string) => String.fromCodePoint(FIRST + unit.charCodeAt(0));
	return plain(text).replace(/[^]/g, code);
}

/** Trims a text, and makes its literal characters readable. */
export function plain(text: string): string {
	const unit = (one: string) => String.fromCharCode((one.codePointAt(0) ?? FIRST) - FIRST);
	return trimmed(text.replace(LITERALS, unit));
}

/** Each opening quote, followed by the quotes that close it. */
const QUOTES =
	'"" “”“ „“” ”” «» »« ‹› ›‹ ‘’ ‚‘ ’’ \'\' 「」 『』 《》 〈〉 〝〞〟 ＂＂ ❝❞ ‟”'.split(' ');

/** A quoted text. A quote between two letters is an apostrophe. */
const QUOTED = QUOTES.map(([open = '', ...close]) => {
	const closing = `[${close.join('')}]`;
	return `${open}(?:(?<=\\p{L})${closing}(?=\\p{L})|[^${open}${close.join('')}])*${closing}`;
}).join('|');

const EMPHASIS = '[*_`]{0,3}';
const OPENS = `(?=[${QUOTES.map(([open]) => open).join('')}])`;
const SEPARATES = `${signs.COMMA}|${signs.SEMICOLON}|${signs.DOTS}|${signs.ARROW}`;
const STARTS = `(?<=(?:^${signs.MARK}${signs.LABEL}|${signs.COLON}|${signs.OPENING}|${SEPARATES})\\s*${EMPHASIS})`;
const ENDS = `(?=${EMPHASIS}\\s*(?:$|${signs.CLOSING}|${signs.BACKWARD_ARROW}|${SEPARATES}))`;
const QUOTED_PART = new RegExp(`${OPENS}${STARTS}(?:${QUOTED})${ENDS}`, 'gu');
const ALL_QUOTED = new RegExp(`^[^](${PRIVATE}*)[${QUOTES.join('')}]$`, 'u');

const ESCAPED = /\\([-=–—]{1,3}>|[^\p{L}\s])/gu;
/** Markdown's emphasis around words. */
const EMPHASIZED =
	/(?<![\p{L}\p{N}?？*_`])(\*{1,3}|__?|`{1,3})(?!\s)([^*_`]+)(?<!\s)\1(?![\p{L}\p{N}])/gu;

/** Makes what follows a backslash literal, and what is in quotes. Keeps the quotes. Takes off emphasis. */
export function withLiterals(text: string): string {
	return text
		.replace(ESCAPED, (_, escaped: string) => literal(escaped))
		.replace(QUOTED_PART, (part) => part.charAt(0) + literal(part.slice(1, -1)) + part.slice(-1))
		.replace(EMPHASIZED, '$2');
}

/** Returns a text that is all in quotes without its quotes. */
export function unquoted(text: string): string {
	return ALL_QUOTED.exec(text)?.[1] ?? text;
}
