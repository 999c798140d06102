import type { IDataObject } from 'n8n-workflow';

import {
	questionTypes,
	type OwnField,
	type QuestionType,
	type QuestionTypeEntry,
} from '../questionTypes';
import { placesOf, plain, split, trimEnds, withoutQuotes } from './escaping';
import { withoutEmphasis } from './lines';
import { readOptions, readText, splitList, type Line, type Option } from './options';
import { readLineSettings, SETTINGS } from './settings';
import { COLON, DOTS, NUMBERS, OPTION_SIGNS, SEMICOLON } from './signs';

/** The content of the brackets of a line: fields of the API, and the options, which may lead to other questions. */
type Details = { fields: IDataObject; options: Option[] };

const SCALE = /^(rating|scale) (?:of |from )?(\d+) ?(?:-|–|…|\.\.\.|to) ?(\d+)$/;

/** Returns the type that brackets name, its name as written, its scale if it has one, and what follows the name. */
export function typeIn(inside: string) {
	const end = placesOf(inside, `${COLON}|${SEMICOLON}`).at(0)?.start ?? inside.length;
	const written = withoutEmphasis(trimEnds(inside.slice(0, end))).toLowerCase();
	const name = written.replace(/\s+/g, ' ').replace(/ ?\/ ?/g, '/');
	const [, rating = name, ...scale] = SCALE.exec(name) ?? [];
	const type = questionTypes.find(({ name: label, value, alsoCalled = [] }) =>
		[label.toLowerCase(), value, ...alsoCalled].includes(rating),
	);
	return { name, type, scale, rest: trimEnds(inside.slice(end + 1)) };
}

/**
 * Reads the brackets at the end of a line: `radio: Yes, No → 4; layout: vertical`.
 *
 * @returns the question type with its fields and options. Reports an unknown type, and returns `undefined` for it
 */
export function readBrackets(
	inside: string,
	line: Line,
): (Details & { type: QuestionType; example: string }) | undefined {
	const { name, type: found, scale, rest } = typeIn(inside);
	if (!found) {
		const advice = `Use one of ${questionTypes.map(({ name: label }) => label).join(', ')}.`;
		if (name === '') line.report('add an answer type in the brackets, for example (text)', advice);
		else line.report(`"${name}" is not an answer type`, advice);
		return undefined;
	}
	const [from, to] = scale;
	if (from !== undefined && (from !== '0' || to !== '10')) reportScale(from, to, line);
	const { value: type, example, fields: ownFields = [] } = found;
	const all = split(withoutQuotes(rest), SEMICOLON);
	const { settings, parts } = readLineSettings(all, line, type);
	if (name === 'yes/no' && parts.length === 0) parts.push('Yes, No');
	const read = READERS.find(([field]) => ownFields.includes(field))?.[1] ?? readNothing;
	const { fields, options = [] } = read(parts, line, found);
	return { type, example, fields: { ...fields, ...settings }, options };
}

function reportScale(from: string | undefined, to: string | undefined, line: Line): void {
	line.report(
		`a rating goes from 0 to 10, not from ${from || 0} to ${to || 10}`,
		'For another scale use (radio: 1, 2, 3, 4, 5). In (rating: Bad … Great), the texts are only labels.',
	);
}

/** Reads the parts after the type, except settings. */
type Reader = (parts: string[], line: Line, type: QuestionTypeEntry) => Partial<Details>;

/** Fields and their readers. A question type uses the reader of the first listed field that it has. */
const READERS: Array<[OwnField, Reader]> = [
	['matrixQuestions', readMatrix],
	['options', readChoice],
	['zeroLabel', readLabels],
	['min', readRange],
];

function readNothing(
	[part]: string[],
	line: Line,
	{ value: type }: QuestionTypeEntry,
): Partial<Details> {
	if (part !== undefined) {
		line.report(
			`"${plain(part)}" is not allowed after ${type}`,
			`Remove it, or name the setting: (${type}; placeholder: …) or (${type}; description: …).`,
		);
	}
	return {};
}

function readChoice(
	parts: string[],
	line: Line,
	{ value, example }: QuestionTypeEntry,
): Partial<Details> {
	const options = readOptions(onlyPart(parts, line, 'list of options'), line);
	if (options.length === 0) {
		line.report(`add options after ${value}`, `For example: ${example}.`);
	}
	// One box to tick is a consent.
	if (value !== 'multiselect') reportSingle(options, line, example);
	return { options };
}

function reportSingle([only, second]: Option[], line: Line, example: string): void {
	if (!only || second || line.hasProblem()) return;
	const message = `"${only.value}" is the only option`;
	line.report(message, `Write several options, with a comma between them: ${example}.`);
}

function readMatrix(
	[rows = '', columns = '', surplus]: string[],
	line: Line,
	{ example }: QuestionTypeEntry,
): Details {
	const matrixQuestions = splitList(rows, line).map((row) => readText(row, line, OPTION_SIGNS));
	const options = readOptions(columns, line);
	if (matrixQuestions.length === 0 || options.length === 0 || surplus !== undefined) {
		line.report(
			'a matrix needs rows and options',
			`Write the rows, one semicolon, then the options: ${example}.`,
		);
	}
	reportSingle(options, line, example);
	return { fields: { matrixQuestions }, options };
}

/** Reads the labels of a rating: `Bad … Great`. */
function readLabels(parts: string[], line: Line, { example }: QuestionTypeEntry): Partial<Details> {
	const part = onlyPart(parts, line, 'pair of labels');
	if (part === '') return {};
	const [dots, more] = placesOf(part, NUMBERS.test(part) ? '\\D+' : DOTS);
	if (!dots || more) {
		line.report(
			`"${plain(part)}" is not a pair of labels`,
			`Write the label of 0, three dots, then the label of 10: ${example}.`,
		);
		return {};
	}
	const written = [part.slice(0, dots.start), part.slice(dots.end)];
	const [from = '', to = ''] = written.map((label) => NUMBER_OF_LABEL.exec(label)?.[0] ?? '');
	const isBoth = from !== '' && to !== '' && from !== to;
	const isScale = isBoth || written.some((label) => SCALE_END.test(label));
	if (isScale && ((from !== '' && from !== '0') || (to !== '' && to !== '10'))) {
		reportScale(from, to, line);
	}
	const [zeroLabel, tenLabel] = written.map((label) => readText(label, line));
	return { fields: { ...(zeroLabel && { zeroLabel }), ...(tenLabel && { tenLabel }) } };
}

/** The number in a label, and a label whose number is an end of a scale: `5`, `5 = Great`, `Great (5)`. */
const NUMBER_OF_LABEL = /(?<![\\\p{Nd}])\p{Nd}+/u;
const SCALE_END = /^\s*\p{Nd}+\s*(?:$|[=:.)–—-])|[(（]\p{Nd}+[)）]\s*$/u;

const NUMBER = '[-+]?\\d+(?:\\.\\d+)?';

/** With dots, either number may be missing. With a dash, both are required, because the dash could be a minus sign. */
const RANGE = new RegExp(
	`^(?:(${NUMBER})?\\s*(?:${DOTS})\\s*(${NUMBER})?|(${NUMBER})\\s*(?:-|–|to)\\s*(${NUMBER}))$`,
	'i',
);

/** Reads the smallest and the largest number: `0 … 120`. */
function readRange(parts: string[], line: Line, { example }: QuestionTypeEntry): Partial<Details> {
	const part = onlyPart(parts, line, 'range');
	if (part === '') return {};
	const fields: IDataObject = {};
	const match = RANGE.exec(part);
	const [min, max] = [match?.[1] ?? match?.[3], match?.[2] ?? match?.[4]];
	if (min !== undefined) fields.min = Number(min);
	if (max !== undefined) fields.max = Number(max);
	if (!match || !Object.values(fields).every(Number.isFinite)) {
		line.report(
			`"${plain(part)}" is not a range`,
			`Write the smallest number, three dots, then the largest: ${example}. You can omit one of the numbers.`,
		);
	} else if ([min, max].some((number) => /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(number ?? ''))) {
		line.report(
			`"${plain(part)}" could mean thousands or decimals`,
			'Write 1000 for a thousand, or 1.0 for a decimal number.',
		);
	}
	return { fields };
}

function onlyPart([part = '', second]: string[], line: Line, what: string): string {
	if (second !== undefined) {
		line.report(
			`only one ${what} is allowed, but "${plain(second)}" follows`,
			`Write only settings after a semicolon: ${SETTINGS.map(({ names }) => names[0]).join(', ')}. Write \\; for a semicolon that is part of the text.`,
		);
	}
	return part;
}
