import { trimmed } from '../../../../shared/values';
import { questionTypes, type QuestionType, type QuestionTypeEntry } from '../questionTypes';
import { withLiterals } from './literal';
import * as signs from './signs';

/** A line of the text that is not blank. */
export type Line = {
	text: string;
	/** The number as an editor shows it: counted from 1, including blank lines. */
	line: number;
	/** The blanks before the text. */
	indent: number;
};

/** A line, without what stands around the question. The texts have literals. */
export type LineParts = {
	/** The mark of a list or a heading at the beginning. */
	mark: string;
	/** The number or letter at the beginning: `1.`, `a)`. */
	label: string;
	/** The rest of the line. */
	rest: string;
	/** The brackets at the end of the line, and the text before them. */
	brackets?: Brackets & { before: string };
	/** What stars, (required) and (optional) say: true for required. */
	saysRequired: Set<boolean>;
};

/** `radio: Yes, No; layout: vertical` */
export type Brackets = {
	/** The name of the type as written. */
	name: string;
	/** The type, if there is one of this name. */
	type?: QuestionTypeEntry & { value: QuestionType };
	/** What follows the name: parts that semicolons separate. */
	details: string[];
};

/** Splits a text into its lines. Also reads the line breaks of word processors, of HTML and of JSON. */
export function linesOf(text: string): Line[] {
	const unescaped = text.replace(/\\(?:r\\)?n|\\\\/g, (found) => (found === '\\\\' ? found : '\n'));
	// A text with such line breaks is the inside of a JSON text.
	const json = unescaped === text ? text : unescaped.replace(/\\"/g, '"').replace(/\\t/g, '\t');
	return json
		.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]|<(?:br|\/p|\/li|\/div)\s?\/?>(?:\r?\n)?/gi, '\n')
		.replace(/(?<=^|\n)<(?:p|li|div)(?:\s[^<>\\]*)?>/gi, '')
		.replace(/&nbsp;/g, '&#160;')
		.replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
		.replace(/&amp;/g, '&')
		.replace(/[\u{f0000}-\u{fffff}]/gu, '\ufffd')
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

/** Takes a line apart. */
export function partsOf(line: string): LineParts {
	const text = withLiterals(line);
	const [start = '', mark = '', label = ''] = START.exec(text) ?? [];
	const saysRequired = new Set<boolean>();
	const rest = withoutFlags(text.slice(start.length), saysRequired);
	const brackets = lastBrackets(rest, saysRequired);
	return { mark: trimmed(mark), label: trimmed(label), rest, brackets, saysRequired };
}

/** Takes the flags off the end of a text. Adds what they say to `saysRequired`. */
function withoutFlags(text: string, saysRequired: Set<boolean>): string {
	const rest = trimmed(text);
	const [flag, word] = FLAG.exec(rest) ?? [];
	if (flag === undefined) return rest;
	saysRequired.add(flag === '*' || word !== undefined);
	return withoutFlags(rest.slice(0, -flag.length), saysRequired);
}

const OPENING = new RegExp(signs.OPENING);
const CLOSING = new RegExp(signs.CLOSING);

function lastBrackets(text: string, saysRequired: Set<boolean>): LineParts['brackets'] {
	let depth = 0;
	for (let at = text.length - 1; at >= 0; at -= 1) {
		const character = text.charAt(at);
		if (CLOSING.test(character)) depth += 1;
		else if (OPENING.test(character)) depth -= 1;
		if (depth > 0) continue;
		if (at === text.length - 1) return undefined;
		const before = withoutFlags(text.slice(0, at), saysRequired);
		return { before, ...bracketsOf(text.slice(at + 1, -1)) };
	}
	return undefined;
}

/** Reads what stands in brackets. */
export function bracketsOf(inside: string): Brackets {
	const [written = ''] = /^[^:：;；؛]*/.exec(inside) ?? [];
	const name = trimmed(written)
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.replace(/ ?\/ ?/g, '/');
	// Every rating goes from 0 to 10.
	const known = name.replace(/^(rating|scale) 0 ?[-–] ?10$/, '$1');
	const type = questionTypes.find(({ name: label, value, alsoCalled = [] }) =>
		[label.toLowerCase(), value, ...alsoCalled].includes(known),
	);
	return { name, type, details: split(inside.slice(written.length + 1), signs.SEMICOLON) };
}

/** Splits a text into parts that are not blank. */
export function split(text: string, separator: string): string[] {
	const parts = text.split(new RegExp(separator)).map(trimmed);
	return parts.filter((part) => part !== '');
}

/** Whether a text has as many opening as closing brackets. */
export function hasEqualBrackets(text: string): boolean {
	return text.split(OPENING).length === text.split(CLOSING).length;
}
