import { trimmed } from '../../../../../shared/values';
import { questionTypes, type QuestionType, type QuestionTypeEntry } from '../questionTypes';
import { markLiterals } from './literal';
import * as signs from './signs';

/** A line of the text that is not blank. */
export type Line = {
	text: string;
	/** The number as an editor shows it: counted from 1, including blank lines. */
	line: number;
	/** The blanks before the text. */
	indent: number;
};

/** The parts of a line. Their texts have literal characters (`markLiterals`). */
export type LineParts = {
	/** The mark of a list or a heading at the beginning. */
	mark: string;
	/** The number or letter at the beginning: `1.`, `a)`. */
	label: string;
	/** The text and its brackets, without the flags at the end of the line. */
	rest: string;
	/** The brackets at the end of the line, and the text before them, without its flags. */
	brackets?: Brackets & { before: string };
	/** What the flags say: true for a star and (required), false for (optional). */
	requiredFlags: Set<boolean>;
};

/** What stands in the brackets of a question: `radio: Yes, No; layout: vertical`. */
export type Brackets = {
	/** The name of the type in lower case, with single blanks: `rating 0-10`. Empty if there is none. */
	name: string;
	/** The type, if there is one of this name. */
	type?: QuestionTypeEntry & { value: QuestionType };
	/** What follows the name: parts that semicolons separate. */
	details: string[];
};

/** Splits a text into its lines. Also reads the line breaks of word processors, of HTML and of JSON. */
export function linesOf(text: string): Line[] {
	// After a double backslash, the letter n is no line break.
	const unescaped = text.replace(/\\(?:r\\)?n|\\\\/g, (found) => (found === '\\\\' ? found : '\n'));
	// A text with written line breaks (\n) was copied from JSON, so its quotes and tabs are escaped, too.
	const isFromJson = unescaped !== text;
	const lines = isFromJson ? unescaped.replace(/\\"/g, '"').replace(/\\t/g, '\t') : text;
	const plain = lines
		// Line breaks, and the ends of HTML elements with the line break that may follow.
		.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]|<(?:br|\/p|\/li|\/div)\s?\/?>(?:\r?\n)?/gi, '\n')
		// The beginnings of these elements.
		.replace(/(?<=^|\n)<(?:p|li|div)(?:\s[^<>\\]*)?>/gi, '')
		// Entities.
		.replace(/&nbsp;/g, '\u00a0')
		.replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
		.replace(/&amp;/g, '&')
		// Only `markLiterals` may write private characters.
		.replace(/[\u{f0000}-\u{fffff}]/gu, '\ufffd');
	return plain
		.split('\n')
		.map((line, index) => ({ text: trimmed(line), line: index + 1, indent: line.search(/\S/) }))
		.filter((line) => line.text !== '');
}

const START = new RegExp(`^(${signs.MARK})(${signs.LABEL})`, 'u');

/** A lone star, (required) or (optional) at the end. */
const FLAG = new RegExp(
	`(?:(?<!\\*)\\*|[(（【［[]\\s?(?:(${signs.REQUIRED})|${signs.OPTIONAL})\\s?[)）】］\\]])$`,
	'i',
);

/** Splits a line into its parts. Flags may stand at the end of the line, and before the brackets. */
export function splitLine(line: string): LineParts {
	const text = markLiterals(line);
	const [start = '', mark = '', label = ''] = START.exec(text) ?? [];
	const { unflagged: rest, flags } = splitFlags(text.slice(start.length));
	const parts = { mark: trimmed(mark), label: trimmed(label), rest };
	const opening = lastOpening(rest);
	if (opening < 0) return { ...parts, requiredFlags: new Set(flags) };
	const { unflagged: before, flags: flagsBefore } = splitFlags(rest.slice(0, opening));
	const brackets = { before, ...readBrackets(rest.slice(opening + 1, -1)) };
	return { ...parts, brackets, requiredFlags: new Set([...flags, ...flagsBefore]) };
}

/** Splits a text into the flags at its end, and the rest. */
function splitFlags(text: string): { unflagged: string; flags: boolean[] } {
	const flags: boolean[] = [];
	for (let unflagged = trimmed(text); ;) {
		const [flag, word] = FLAG.exec(unflagged) ?? [];
		if (flag === undefined) return { unflagged, flags };
		flags.push(flag === '*' || word !== undefined);
		unflagged = trimmed(unflagged.slice(0, -flag.length));
	}
}

const OPENING = new RegExp(signs.OPENING);
const CLOSING = new RegExp(signs.CLOSING);

/** Returns the place of the bracket that belongs to the closing bracket at the end of a text, or -1 if there is none. */
function lastOpening(text: string): number {
	if (!CLOSING.test(text.charAt(text.length - 1))) return -1;
	let depth = 0;
	for (let at = text.length - 1; at >= 0; at -= 1) {
		const character = text.charAt(at);
		if (CLOSING.test(character)) depth += 1;
		else if (OPENING.test(character)) depth -= 1;
		if (depth === 0) return at;
	}
	return -1;
}

const DETAIL = new RegExp(`(?:(?!${signs.SEMICOLON})[^])+`, 'g');

/** Reads what stands in brackets: `Radio: Yes; layout: vertical` has the name `radio`, and two details. */
export function readBrackets(inside: string): Brackets {
	const [written = ''] = /^[^:：;；؛]*/.exec(inside) ?? [];
	const name = trimmed(written)
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.replace(/ ?\/ ?/g, '/');
	// `rating 0-10` is `rating`: every rating goes from 0 to 10.
	const nameOfType = name.replace(/^(rating|scale) 0 ?[-–] ?10$/, '$1');
	const type = questionTypes.find(({ name: label, value, alsoCalled = [] }) =>
		[label.toLowerCase(), value, ...alsoCalled].includes(nameOfType),
	);
	return { name, type, details: partsIn(inside.slice(written.length + 1), DETAIL) };
}

/** Returns the parts of a text that match a global pattern, trimmed, without blank ones. */
export function partsIn(text: string, pattern: RegExp): string[] {
	return (text.match(pattern) ?? []).map(trimmed).filter((part) => part !== '');
}

/** Whether a text has as many opening as closing brackets. */
export function hasEqualBrackets(text: string): boolean {
	return text.split(OPENING).length === text.split(CLOSING).length;
}
