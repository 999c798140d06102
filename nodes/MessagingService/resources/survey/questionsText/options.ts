import { hasUnclosedQuote, placesOf, plain, split, trimEnds, withoutQuotes } from './escaping';
import { withoutEmphasis } from './lines';
import * as signs from './signs';

/** A line that is being parsed. */
export type Line = {
	/** The number of the line's question, counted from 1. Arrows refer to this number. */
	number: number;
	/** How many questions the text has. */
	count: number;
	/** The options in the lines below. */
	below: Array<Pick<Line, 'report'> & { text: string; mark: string; indent: number }>;
	/** Adds a problem: `message` completes "Line 3: …", and `advice` tells what to write instead. */
	report: (message: string, advice: string) => void;
	/** Whether the line has a problem already. */
	hasProblem: () => boolean;
};

/** An option and the numbers of the questions that it leads to. */
export type Option = { value: string; leadsTo: number[] };

/** Reads a text that people see. Takes off emphasis, and reports signs that are hardly meant to be seen. */
export function readText(written: string, { report }: Line, table = signs.TEXT_SIGNS): string {
	const text = withoutEmphasis(trimEnds(written));
	for (const { sign, problem } of table) {
		if (placesOf(text.toLowerCase(), sign).length > 0) report(problem, CERTAIN);
	}
	return plain(text);
}

const CERTAIN =
	'Write a question a line, then its type and options in brackets: Did you get a laptop? (radio: Yes, No → 4). Write a backslash before a sign that is part of the text, or put the option in quotes.';

/** The most options that a range may stand for. */
const MOST_NUMBERS = 100;

/** Reads options that are separated by commas: `Yes, No → 4`, or a range: `1-5`. The caller refuses an empty list. */
export function readOptions(part: string, line: Line): Option[] {
	if (line.below.length > 0) {
		return line.below.map(({ text, report }) =>
			readOption(withoutQuotes(text), { ...line, report }),
		);
	}
	const list = splitList(part, line);
	const [only = '', second] = list;
	const [, from, to] = (second === undefined && signs.NUMBERS.exec(only)) || [];
	const count = Number(to) - Number(from) + 1;
	if (count > 1 && count <= MOST_NUMBERS && !/^0\d/.test(from ?? '')) {
		const values = Array.from({ length: count }, (_, index) => String(Number(from) + index));
		return values.map((value) => ({ value, leadsTo: [] }));
	}
	const options = list.map((text) => readOption(text, line));
	reportAmbiguousNumber(options, line);
	return options;
}

/**
 * Splits options or rows at commas, and keeps backslashes. Reports other separators, commas that could be part of a number,
 * and unclosed quotes.
 */
export function splitList(part: string, { report }: Line): string[] {
	const list = split(part, signs.COMMA);
	const [only = ''] = list;
	const isOther = list.length === 1 && !signs.NUMBERS.test(only);
	if (placesOf(part, isOther ? `\\||${signs.OTHER_SEPARATOR}` : '\\|').length > 0) {
		report(
			`"${plain(part)}" is not separated by commas`,
			'Write a comma between the options: Yes, No. If an option contains a character like / or |, put the option in quotes.',
		);
	}
	const commas = placesOf(part, ',');
	const isTight = ({ start, end }: { start: number; end: number }): boolean =>
		/\d/.test(part.charAt(start - 1)) && /\d/.test(part.charAt(end));
	const tight = commas.filter(isTight);
	const hasThousands = tight.some(({ end }) => /^\d{3}(?!\d)/.test(part.slice(end, end + 4)));
	if (tight.length > 0 && (tight.length < commas.length || hasThousands)) {
		report(
			`a comma in "${plain(part)}" could be part of a number`,
			'Put a number with a comma in quotes, for example "1,000". Write a blank after a comma that separates options.',
		);
	}
	const unclosed = list.find(hasUnclosedQuote);
	if (unclosed !== undefined) {
		report(
			`${plain(unclosed)} has an unclosed quote`,
			'Put quotes around the whole option, or write a backslash before a quote that is part of the option.',
		);
	}
	return list;
}

/** Matches one question number, `4`, or several: `4 + 5`, `4 and 5`. */
const TARGETS = /^(?:(?:q|question|#)\s*)?\d+(?:\s*(?:\+|&|and)\s*(?:(?:q|question|#)\s*)?\d+)*$/i;

/** Reads an option: `No → 4`. Reports an arrow that leads to no number. */
function readOption(written: string, line: Line): Option {
	const text = withoutEmphasis(written);
	const backward = signs.RIGHT_TO_LEFT.test(text) ? `|${signs.BACKWARD_ARROW}` : '';
	const [arrow] = placesOf(text, signs.ARROW + backward);
	const value = readText(text.slice(0, arrow?.start), line, signs.OPTION_SIGNS);
	if (!arrow) return { value, leadsTo: [] };
	const targets = text.slice(arrow.end).trim();
	if (value === '') line.report('add an option before the arrow', 'For example: No → 4.');
	if (!TARGETS.test(targets)) {
		line.report(
			`"${plain(targets)}" after the arrow of "${value}" is not a question number`,
			'Write the number of the question, for example No → 4, or No → 4 + 5 for two questions. Write \\→ or \\-> for an arrow that is part of the option, or put the option in quotes.',
		);
		return { value, leadsTo: [] };
	}
	return { value, leadsTo: [...new Set(targets.match(/\d+/g)?.map(Number))] };
}

/**
 * Reports a number that could be an option or a question. "No → 4, 5" may mean two questions, or a second option "5".
 */
function reportAmbiguousNumber(options: Option[], { number, count, report }: Line): void {
	const isNumber = ({ value }: Option): boolean => /^\d+$/.test(value);
	if (options.every(isNumber)) return;
	for (const [index, option] of options.entries()) {
		const before = options[index - 1];
		const isTarget = Number(option.value) > number && Number(option.value) <= count;
		if (!before || before.leadsTo.length === 0 || !isNumber(option) || !isTarget) continue;
		const both = [...before.leadsTo, option.value].join(' + ');
		report(
			`"${option.value}" after an arrow could be an option or a question`,
			`If it is a question, write ${before.value} → ${both}. If it is an option, put it before "${before.value}".`,
		);
	}
}
