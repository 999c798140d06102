import { placesOf, trimEnds, withLiteralQuotes } from './escaping';
import * as signs from './signs';

/** A line, without what stands around the question. */
export type Parts = {
	/** The marks at the beginning: bullets and headings. */
	marks: string[];
	/** The number or letter at the beginning: `1.`, `a)`. */
	label?: string;
	/** The rest of the line, still escaped. */
	rest: string;
	/** The brackets at the end, and the text before them. */
	brackets?: { before: string; inside: string };
	/** What a star, (required) and (optional) say: true is required. */
	flags: Set<boolean>;
};

/** The named characters of HTML that occur in texts. */
const ENTITIES = new Map(
	'amp& lt< gt> quot" apos\' nbsp\u00a0 rarr→ larr← hellip… ndash– mdash— bull• lsquo‘ rsquo’ ldquo“ rdquo” bdquo„ laquo« raquo»'
		.split(' ')
		.map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/**
 * Splits a text into its lines that are not blank. Also reads the line breaks of word processors, of HTML and of JSON.
 *
 * @returns the lines, trimmed, with their numbers as an editor shows them, and the blanks before them
 */
export function linesOf(text: string): Array<{ text: string; line: number; indent: number }> {
	const unescaped = text.replace(/\\(?:r\\)?n|\\\\/g, (found) => (found === '\\\\' ? found : '\n'));
	// A text with such line breaks is the inside of a JSON text.
	const json = unescaped === text ? text : unescaped.replace(/\\"/g, '"').replace(/\\t/g, '\t');
	return json
		.replace(/\\&|&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, readEntity)
		.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]|<(?:br|\/p|\/li|\/div)\s?\/?>(?:\r?\n)?/gi, '\n')
		.replace(/(?<=^|\n)<(?:p|li|div)(?:\s[^<>\\]*)?>/gi, '')
		.replace(/<(?:p|li|div)(?:\s[^<>\\]*)?>/gi, '\n')
		.split('\n')
		.map((line, index) => ({
			...{ text: trimEnds(line), line: index + 1, indent: line.search(/\S/) },
		}))
		.filter((line) => line.text !== '');
}

function readEntity(found: string, decimal?: string, hex?: string, name?: string): string {
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	if (code <= 0x10ffff) return String.fromCodePoint(code);
	return ENTITIES.get(name ?? '') ?? found;
}

/** Takes off the marks, the emphasis and the flags of a line, and finds its last brackets. */
export function partsOf(text: string): Parts {
	const parts: Parts = { marks: [], rest: '', flags: new Set() };
	parts.rest = peeled(withLiteralQuotes(text), parts);
	parts.brackets = lastBrackets(parts.rest);
	return parts;
}

const MARK = new RegExp(`^(?:${signs.LIST_MARK}|(${signs.NUMBER_MARK}|${signs.LETTER_MARK}))`, 'u');
const FLAG = new RegExp(
	`[*_]{0,3}[(（【［[]\\s?(?:(${signs.REQUIRED})|${signs.OPTIONAL})\\s?[)）】］\\]][*_]{0,3}$`,
	'i',
);

/** A mark may be inside of emphasis, and emphasis behind a mark. More than a few of them are not meant. */
const LAYERS = 6;

/** Takes off marks at the beginning of a text, flags at its end, and emphasis around it. */
export function peeled(text: string, parts: Parts): string {
	let rest = trimEnds(text);
	for (let layer = 0; layer < LAYERS; layer += 1) {
		const [mark = '', label] = (parts.label === undefined && MARK.exec(rest)) || [];
		if (label !== undefined) parts.label = trimEnds(label);
		else if (mark !== '') parts.marks.push(trimEnds(mark));
		rest = withoutEmphasis(trimEnds(withoutFlag(rest.slice(mark.length), parts.flags)));
	}
	return rest;
}

function withoutFlag(text: string, flags: Set<boolean>): string {
	const [flag = '', required] = FLAG.exec(text) ?? [];
	if (flag !== '') flags.add(required !== undefined);
	else if (endsWithStar(text)) flags.add(true);
	else return text;
	return trimEnds(text.slice(0, -(flag.length || 1)));
}

/** Whether a text ends with a star that closes no emphasis. */
function endsWithStar(text: string): boolean {
	if (!text.endsWith('*')) return false;
	const stars = placesOf(text, '\\*');
	const { start = 0, end } = stars.at(-1) ?? {};
	return end === text.length && (stars.length % 2 === 1 || /\s/.test(text.charAt(start - 1)));
}

/** Removes Markdown's emphasis around a whole text. `__name__` is a name. */
export function withoutEmphasis(text: string): string {
	const [mark = ''] = /^(?:\*{1,3}|_{1,3}|`+)/.exec(text) ?? [];
	const inside = text.slice(mark.length, -mark.length || undefined);
	const isPair = mark !== '' && text.endsWith(mark) && !inside.includes(mark);
	const isName = mark.startsWith('_') && /^\w+$/.test(inside);
	const isAround = isPair && !isName && /^[^\s](?:.*[^\s\\])?$/.test(inside);
	return isAround ? trimEnds(inside) : text;
}

/** Returns the content of the brackets at the very end of a text, and the text before them. */
function lastBrackets(text: string): Parts['brackets'] {
	const [emphasis = ''] = /[*_`]{0,3}$/.exec(text) ?? [];
	const end = text.length - emphasis.length;
	const open: number[] = [];
	for (const { start, end: to } of placesOf(text, `${signs.OPENING}|${signs.CLOSING}`)) {
		if ('(（【［〔'.includes(text.charAt(start))) {
			open.push(start);
			continue;
		}
		const opened = open.pop();
		if (opened === undefined || to !== end) continue;
		const before = text.slice(0, opened);
		if (!before.endsWith(emphasis)) return undefined;
		const inside = text.slice(opened + 1, end - 1);
		return { before: before.slice(0, before.length - emphasis.length), inside };
	}
	return undefined;
}
