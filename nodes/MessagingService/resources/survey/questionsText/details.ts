import type { IDataObject } from 'n8n-workflow';

import { trimmed } from '../../../../shared/values';
import { questionTypes, typesWith, type OwnField, type QuestionType } from '../questionTypes';
import { split, type Brackets } from './lines';
import { plain, Unclear, unquoted } from './literal';
import * as signs from './signs';

/** An option and the numbers of the questions that it leads to. */
export type Option = { value: string; leadsTo: number[] };

/**
 * Reads what brackets say: the options, and fields of the API.
 *
 * @param below the options in the lines below
 * @throws `Unclear` for what is not certain
 */
export function readDetails({ name, type, details }: Brackets, below: Option[]) {
	if (!type) {
		throw new Unclear(
			name === '' ? 'add an answer type in the brackets' : `"${name}" is not an answer type`,
			`Use one of ${questionTypes.map(({ name: label }) => label).join(', ')}. A rating goes from 0 to 10.`,
		);
	}
	const { value, fields: own = [] } = type;
	const { settings, parts } = readLineSettings(details, value);
	const has = (field: OwnField): boolean => own.includes(field);
	const isMatrix = has('matrixQuestions');
	// A matrix has two parts, rows and options. Any other type has one, or none.
	const surplus = parts[isMatrix ? 2 : Math.min(own.length, 1)];
	if (surplus !== undefined) {
		throw new Unclear(
			`"${plain(surplus)}" is not a setting`,
			`Write only settings after a semicolon: ${[...SETTINGS.keys()].join(', ')}. Separate options by commas. Write \\; for a semicolon that is part of the text.`,
		);
	}
	const [first = name === 'yes/no' ? 'Yes, No' : '', second = ''] = parts;
	const rows = isMatrix ? splitList(first).map(readOption) : [];
	const options = has('options') ? readOptions(isMatrix ? second : first, below) : [];
	if (has('options') && (options.length === 0 || (isMatrix && rows.length === 0))) {
		const missing = isMatrix ? 'rows, one semicolon, then options' : 'options';
		throw new Unclear(`add ${missing} after ${value}`);
	}
	// One box to tick is a consent.
	if (options.length === 1 && value !== 'multiselect') {
		throw new Unclear(`"${options[0]?.value}" is the only option`);
	}
	const fields: IDataObject = {
		...(isMatrix && { matrixQuestions: rows }),
		...(has('zeroLabel') && readLabels(first)),
		...(has('min') && readRange(first)),
		...settings,
	};
	return { fields, options };
}

/** The settings of a line, and the fields of the form for them. `checkQuestions` checks the values. */
const SETTINGS = new Map([
	['description', 'desc'],
	['placeholder', 'placeholder'],
	['layout', 'layout'],
	['decimals', 'decimal'],
]);

/** Reads the settings (`name: value`) among the parts of a line. */
function readLineSettings(details: string[], type: QuestionType) {
	const settings: IDataObject = {};
	const parts = details.filter((part) => {
		const [start = '', name = ''] = /^(\w+)\s*[:：]/.exec(part) ?? [];
		const field = SETTINGS.get(name.toLowerCase());
		if (field === undefined) return true;
		const types = typesWith(field);
		if (types.length > 0 && !types.includes(type)) {
			throw new Unclear(`the setting "${name}" is only for ${types.join(' and ')}`, 'Remove it.');
		}
		if (field in settings) throw new Unclear(`the setting "${name}" appears twice`, 'Remove one.');
		const value = readText(unquoted(trimmed(part.slice(start.length))));
		if (value !== '') settings[field] = value;
		return false;
	});
	return { settings, parts };
}

/** Reads a text that people see. Refuses signs that are hardly meant to be seen. */
export function readText(written: string, table = signs.TEXT_SIGNS): string {
	const text = trimmed(written);
	const found = table.find(({ sign }) => sign.test(text));
	if (!found) return plain(text);
	throw new Unclear(
		found.problem,
		'Write a question a line, then its type and options in brackets: Did you get a laptop? (radio: Yes, No → 4). Write a backslash before a sign that is part of the text, or put the option in quotes.',
	);
}

/** Reads an option, a row or a label. */
function readOption(written: string): string {
	return readText(unquoted(trimmed(written)), signs.OPTION_SIGNS);
}

/** A range of numbers, which stands for options. */
const NUMBERS = /^(\d{1,4})\s*(?:[-–—−~～〜…]|\.{2,3}|to|bis)\s*(\d{1,4})$/;

/** Reads options that commas separate: `Yes, No → 4`, or a range: `1-5`. */
function readOptions(part: string, below: Option[]): Option[] {
	if (below.length > 0) return below;
	const [, from = '', to = ''] = NUMBERS.exec(part) ?? [];
	const count = Number(to) - Number(from) + 1;
	if (count > 1 && count <= 100 && !/^0\d/.test(from)) {
		const values = Array.from({ length: count }, (_, index) => String(Number(from) + index));
		return values.map((value) => ({ value, leadsTo: [] }));
	}
	const options = splitList(part).map(readBranching);
	const isNumber = ({ value }: Option): boolean => /^(?:q|question|#)?\s*\d+$/i.test(value);
	for (const [index, option] of options.entries()) {
		if (!options[index - 1]?.leadsTo.length || !isNumber(option) || options.every(isNumber))
			continue;
		throw new Unclear(
			`"${option.value}" after an arrow could be an option or a question`,
			'If it is a question, write + before it: No → 4 + 5. If it is an option, put it before the option with the arrow.',
		);
	}
	return options;
}

/** What may separate options, but also be part of a single option. */
const OTHER_SEPARATOR = new RegExp(`[/|–—•·☐○]|${signs.DOTS}|\\s-\\s|\\sor\\s`);

/** Splits options or rows at commas. Refuses other separators, and commas that could be part of a number. */
function splitList(part: string): string[] {
	const list = split(part, signs.COMMA);
	if (list.length === 1 && OTHER_SEPARATOR.test(part) && !NUMBERS.test(part)) {
		throw new Unclear(
			`"${plain(part)}" is not separated by commas`,
			'Write a comma between the options: Yes, No. If an option contains a character like / or |, put the option in quotes.',
		);
	}
	const isMixed = /\d,\d/.test(part) && /,(?!\d)|(?<!\d),/.test(part);
	if (isMixed || /\d,\d{3}(?!\d)/.test(part)) {
		throw new Unclear(
			`a comma in "${plain(part)}" could be part of a number`,
			'Put a number with a comma in quotes, for example "1,000". Write a blank after a comma that separates options.',
		);
	}
	return list;
}

const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;

/** Matches one question number, `4`, or several: `4 + 5`, `4 and 5`. */
const TARGETS = /^(?:(?:q|question|#)\s*)?\d+(?:\s*(?:\+|&|and)\s*(?:(?:q|question|#)\s*)?\d+)*$/i;

/** Reads an option that may lead to questions: `No → 4`. */
export function readBranching(text: string): Option {
	const backward = RIGHT_TO_LEFT.test(plain(text)) ? `|${signs.BACKWARD_ARROW}` : '';
	const [written = '', ...behind] = text.split(new RegExp(signs.ARROW + backward, 'u'));
	const value = readOption(written);
	if (behind.length === 0) return { value, leadsTo: [] };
	if (value === '') throw new Unclear('add an option before the arrow', 'For example: No → 4.');
	const targets = trimmed(behind.join('→'));
	if (TARGETS.test(targets)) {
		return { value, leadsTo: [...new Set(targets.match(/\d+/g)?.map(Number))] };
	}
	throw new Unclear(
		`"${plain(targets)}" after the arrow of "${value}" is not a question number`,
		'Write the number of the question, for example No → 4, or No → 4 + 5 for two questions. Write \\→ or \\-> for an arrow that is part of the option, or put the option in quotes.',
	);
}

/** Reads the labels of a rating: `Bad … Great`. */
function readLabels(part: string): IDataObject {
	if (part === '') return {};
	const labels = part.split(new RegExp(signs.DOTS)).map(readOption);
	const numbers = (part.match(/\p{Nd}+/gu) ?? []).join();
	// "1 … 5" and "1-5" are other scales.
	if (numbers !== '' && numbers !== '0,10') {
		throw new Unclear(
			'a rating goes from 0 to 10',
			'For another scale use (radio: 1, 2, 3, 4, 5).',
		);
	}
	const [zeroLabel, tenLabel, another] = labels;
	if (tenLabel === undefined || another !== undefined) {
		throw new Unclear(`"${plain(part)}" is not a pair of labels`);
	}
	return { ...(zeroLabel && { zeroLabel }), ...(tenLabel && { tenLabel }) };
}

/** Separates the ends of a range: dots, or a dash behind a digit. Elsewhere, the dash could be a minus sign. */
const BETWEEN = new RegExp(`${signs.DOTS}|(?<=\\d\\s{0,3})(?:-|–|to)`, 'i');

/** Reads the smallest and the largest number: `0 … 120`. Either may be missing. */
function readRange(part: string): IDataObject {
	const ends = part.split(BETWEEN).map(trimmed);
	const isRange = ends.length === 2 && ends.every((end) => /^(?:[-+]?\d+(?:\.\d+)?)?$/.test(end));
	const hasThousands = ends.some((end) => /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(end));
	if (part !== '' && (!isRange || hasThousands)) {
		throw new Unclear(
			`"${plain(part)}" is not a range`,
			'Write (number: 0 … 1000), 1000 for a thousand, and 1.0 for a decimal number.',
		);
	}
	const [min, max] = ends;
	return { ...(min && { min }), ...(max && { max }) };
}
