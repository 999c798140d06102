import type { IDataObject } from 'n8n-workflow';

import { trimmed } from '../../../../../shared/values';
import { QUESTION_TYPES, typesWith, type OwnField, type QuestionType } from '../questionTypes';
import { hasEqualBrackets, partsIn, type Brackets } from './lines';
import { LineError, decodeLiterals, removeQuotes } from './literal';
import * as signs from './signs';

/** An option and the numbers of the questions that it leads to. */
export type Option = { value: string; leadsTo: number[] };

type Details = { options: Option[]; otherFields: IDataObject };

/**
 * Reads what the brackets of a question say: the options, and other fields of the API.
 *
 * @param optionsBelow the options in the lines below. If there are any, the brackets contain only the type
 * @throws `LineError` for what is not certain
 */
export function readDetails({ name, type, details }: Brackets, optionsBelow: Option[]): Details {
	if (!type) {
		throw new LineError(
			name === '' ? 'add an answer type in the brackets' : `"${name}" is not an answer type`,
			`Use one of ${QUESTION_TYPES.join(', ')}. A rating goes from 0 to 10.`,
		);
	}
	const { value, fields: typeFields = [] } = type;
	const { settings, parts } = splitSettings(details, value);
	const has = (field: OwnField): boolean => typeFields.includes(field);
	const isMatrix = has('matrixQuestions');
	// A type with fields of its own takes one part: `radio: options`, `rating: labels`, `number: range`. A matrix takes two:
	// `matrix: rows; options`. Any other type takes none.
	const expectedParts = isMatrix ? 2 : Math.min(typeFields.length, 1);
	const surplus = parts[expectedParts];
	if (surplus !== undefined) {
		throw new LineError(
			`"${decodeLiterals(surplus)}" is not a setting`,
			`Write only settings after a semicolon: ${[...signs.SETTINGS.keys()].join(', ')}. Separate options by commas. Write \\; for a semicolon that is part of the text.`,
		);
	}
	const standardPart = name === 'yes/no' ? 'Yes, No' : '';
	const [firstPart = standardPart, secondPart = ''] = parts;
	const rows = isMatrix ? splitList(firstPart).map(readOptionText) : [];
	const optionsPart = isMatrix ? secondPart : firstPart;
	const options = has('options') ? readOptions(optionsPart, optionsBelow) : [];
	if (isMatrix && (rows.length === 0 || options.length === 0))
		throw new LineError(`add rows, one semicolon, then options after ${value}`);
	if (has('options') && options.length === 0) throw new LineError(`add options after ${value}`);
	// Only a multiple choice may have a single option, for example to give consent.
	if (options.length === 1 && value !== 'multiselect') {
		throw new LineError(`"${options[0]?.value}" is the only option`);
	}
	const otherFields: IDataObject = {
		...(isMatrix && { matrixQuestions: rows }),
		...(has('zeroLabel') && readRatingLabels(firstPart)),
		...(has('min') && readLimits(firstPart)),
		...settings,
	};
	return { options, otherFields };
}

/** Separates the settings (`name: value`) from the other parts in brackets. */
function splitSettings(details: string[], type: QuestionType) {
	const settings: IDataObject = {};
	const parts: string[] = [];
	for (const part of details) {
		const [start = '', name = ''] = /^(\w+)\s*[:：]/.exec(part) ?? [];
		const field = signs.SETTINGS.get(name.toLowerCase());
		if (field === undefined) {
			parts.push(part);
			continue;
		}
		const types = typesWith(field);
		if (types.length > 0 && !types.includes(type)) {
			throw new LineError(`the setting "${name}" is only for ${types.join(' and ')}`, 'Remove it.');
		}
		if (field in settings)
			throw new LineError(`the setting "${name}" appears twice`, 'Remove one.');
		const value = readText(removeQuotes(trimmed(part.slice(start.length))));
		if (value !== '') settings[field] = value;
	}
	return { settings, parts };
}

/**
 * Reads a text that people see.
 *
 * @param written with literal characters (`markLiterals`), which are no signs
 * @param refused the signs that are hardly meant to be seen
 * @returns the trimmed text, with the literal characters as the user wrote them
 * @throws `LineError` if a refused sign is in the text
 */
export function readText(written: string, refused = signs.TEXT_SIGNS): string {
	const text = trimmed(written);
	const found = refused.find(({ sign }) => sign.test(text));
	if (!found) return decodeLiterals(text);
	const sign = found.sign.exec(text)?.[0].trim();
	throw new LineError(
		`${found.problem}: ${sign ? `“${decodeLiterals(sign)}”` : 'a tab or several blanks'}`,
		'Write a question a line, then its type and options in brackets: Did you get a laptop? (radio: Yes, No → 4). Write a backslash before a sign that is part of the text, or put the option in quotes.',
	);
}

/** Reads the text of an option, a row or a label. */
function readOptionText(written: string): string {
	return readText(removeQuotes(trimmed(written)), signs.OPTION_SIGNS);
}

/** A range of options, such as `1-5`. */
const OPTION_RANGE = /^(\d{1,4})\s*(?:[-–—−~～〜…]|\.{2,3}|to|bis)\s*(\d{1,4})$/;

/** Reads options that commas separate: `Yes, No → 4`, or a range: `1-5`. */
function readOptions(part: string, optionsBelow: Option[]): Option[] {
	if (optionsBelow.length > 0) return optionsBelow;
	const [, from = '', to = ''] = OPTION_RANGE.exec(part) ?? [];
	const count = Number(to) - Number(from) + 1;
	if (count > 1 && count <= 100 && !/^0\d/.test(from)) {
		const values = Array.from({ length: count }, (_, index) => String(Number(from) + index));
		return values.map((value) => ({ value, leadsTo: [] }));
	}
	const options = splitList(part).map(readOption);
	const isNumber = ({ value }: Option): boolean => /^(?:q|question|#)?\s*\d+$/i.test(value);
	// `Yes, No → 4, 5`: 5 may be an option or a question.
	const isBehindArrow = (index: number): boolean => !!options[index - 1]?.leadsTo.length;
	const unclear = options.find((option, index) => isNumber(option) && isBehindArrow(index));
	if (unclear && !options.every(isNumber)) {
		throw new LineError(
			`"${unclear.value}" after an arrow could be an option or a question`,
			'If it is a question, write + before it: No → 4 + 5. If it is an option, put it before the option with the arrow.',
		);
	}
	return options;
}

/** What may separate options, but also be part of a single option. */
const OTHER_SEPARATOR = new RegExp(`[/|–—•·☐○]|${signs.DOTS}|\\s-\\s|\\sor\\s`);

/** Matches an option or row. A comma in brackets is part of it: `Berlin (HQ, 3rd floor)`. */
const LIST_ENTRY = new RegExp(`(?:${signs.IN_BRACKETS}|(?!${signs.COMMA})[^])+`, 'gu');

/** Splits options or rows at commas. Refuses other separators, and commas that could be part of a number. */
function splitList(part: string): string[] {
	const list = partsIn(part, LIST_ENTRY);
	const range = list.find((entry) => OPTION_RANGE.test(entry));
	const [, otherNumber] = list.filter((entry) => /\d/.test(entry));
	// `1-5, N/A`: are these two options or six? But `0, 1-3, 4+` are three.
	const isUnclearRange = list.length > 1 && !otherNumber && /^[01]\D/.test(range ?? '');
	const hasOtherSeparator = list.length === 1 && !range && OTHER_SEPARATOR.test(part);
	if (isUnclearRange || hasOtherSeparator || !list.every(hasEqualBrackets)) {
		throw new LineError(
			`"${decodeLiterals(isUnclearRange && range ? range : part)}" may be several options`,
			'Write a comma between the options: Yes, No. If an option is a range, or contains a character like /, | or (, put it in quotes.',
		);
	}
	// `1,5, 2,5` or `1,000, 2,000`. But `1,2,3` is a list.
	const hasDecimals = /\d,\d/.test(part) && /,(?!\d)|(?<!\d),/.test(part);
	const hasThousands = /\d,\d{3}(?!\d)/.test(part);
	if (hasDecimals || hasThousands) {
		throw new LineError(
			`a comma in "${decodeLiterals(part)}" could be part of a number`,
			'Put a number with a comma in quotes, for example "1,000". Write a space after a comma that separates options.',
		);
	}
	return list;
}

const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;

/** Matches one question number, `4`, or several: `4 + 5`, `4 and 5`. */
const NUMBERS = /^(?:(?:q|question|#)\s*)?\d+(?:\s*(?:\+|&|and)\s*(?:(?:q|question|#)\s*)?\d+)*$/i;

/**
 * Reads an option, which may lead to questions: `No → 4`.
 *
 * @param written with literal characters (`markLiterals`), so that an arrow in quotes or behind a backslash is no arrow
 * @throws `LineError` for what is not certain
 */
export function readOption(written: string): Option {
	const backward = RIGHT_TO_LEFT.test(decodeLiterals(written)) ? `|${signs.BACKWARD_ARROW}` : '';
	const [text = '', ...behind] = written.split(new RegExp(signs.ARROW + backward, 'u'));
	const value = readOptionText(text);
	if (behind.length === 0) return { value, leadsTo: [] };
	if (value === '') throw new LineError('add an option before the arrow', 'For example: No → 4.');
	const targets = trimmed(behind.join('→'));
	if (NUMBERS.test(targets)) {
		return { value, leadsTo: [...new Set(targets.match(/\d+/g)?.map(Number))] };
	}
	throw new LineError(
		`"${decodeLiterals(targets)}" after the arrow of "${value}" is not a question number`,
		'Write the number of the question, for example No → 4, or No → 4 + 5 for two questions. Write \\→ or \\-> for an arrow that is part of the option, or put the option in quotes.',
	);
}

/** Reads the labels of a rating: `Bad … Great`. */
function readRatingLabels(part: string): IDataObject {
	if (part === '') return {};
	const labels = part.split(new RegExp(signs.DOTS)).map(readOptionText);
	const numbers = (part.match(/\p{Nd}+/gu) ?? []).join();
	// "1 … 5" and "1-5" are other scales.
	if (numbers !== '' && numbers !== '0,10') {
		throw new LineError(
			'a rating goes from 0 to 10',
			'For another scale use (radio: 1, 2, 3, 4, 5).',
		);
	}
	if (labels.length !== 2) throw new LineError(`"${decodeLiterals(part)}" is not a pair of labels`);
	const [zeroLabel, tenLabel] = labels;
	return { ...(zeroLabel && { zeroLabel }), ...(tenLabel && { tenLabel }) };
}

/** Separates two limits: dots, or a dash behind a digit. Elsewhere, the dash could be a minus sign. */
const LIMIT_SEPARATOR = new RegExp(`${signs.DOTS}|(?<=\\d\\s{0,3})(?:-|–|to)`, 'i');

/** Reads the smallest and the largest number: `0 … 120`. Either may be missing. */
function readLimits(part: string): IDataObject {
	if (part === '') return {};
	const ends = part.split(LIMIT_SEPARATOR).map(trimmed);
	const isRange = ends.length === 2 && ends.every((end) => /^(?:[-+]?\d+(?:\.\d+)?)?$/.test(end));
	// `1.000` may be a thousand.
	const hasThousands = ends.some((end) => /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(end));
	if (!isRange || hasThousands) {
		throw new LineError(
			`"${decodeLiterals(part)}" is not a range`,
			'Write (number: 0 … 1000), 1000 for a thousand, and 1.0 for a decimal number.',
		);
	}
	const [min, max] = ends;
	return { ...(min && { min }), ...(max && { max }) };
}
