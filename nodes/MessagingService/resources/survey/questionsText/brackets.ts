import type { IDataObject } from 'n8n-workflow';

import { valuesOf } from '../../../engine/declaration';
import {
	layouts,
	questionTypes,
	typesWith,
	type OwnField,
	type QuestionType,
	type QuestionTypeEntry,
} from '../questionTypes';
import { placesOf, plain, split, withoutQuotes } from './escaping';
import { readOptions, splitList, type Line, type Option } from './options';

/** The content of the brackets of a line: fields of the API, and the options, which may lead to other questions. */
type Details = { fields: IDataObject; options: Option[] };

type Setting = {
	/** The names that the text may use for the setting. Errors use the first name. */
	names: string[];
	/** The API's field for the setting. The setting applies only to question types that have this field. */
	field: string;
	/** Converts the text of the value, or returns `undefined` if it is invalid. Without `read`, the value stays text. */
	read?: (value: string) => string | number | undefined;
	example: string;
};

const SETTINGS: Setting[] = [
	{
		names: ['description', 'desc'],
		field: 'desc',
		example: 'description: Only your manager sees it',
	},
	{ names: ['placeholder'], field: 'placeholder', example: 'placeholder: In your own words' },
	{
		names: ['layout'],
		field: 'layout',
		read: (value) =>
			valuesOf(layouts).find((layout) => layout.toLowerCase() === value.toLowerCase()),
		example: 'layout: vertical',
	},
	{
		names: ['decimals', 'decimal'],
		field: 'decimal',
		read: (value) => (/^\d{1,2}$/.test(value) ? Number(value) : undefined),
		example: 'decimals: 0',
	},
];

/**
 * Reads the brackets at the end of a line: `radio: Yes, No → 4; layout: vertical`.
 *
 * @returns the question type with its fields and options. Reports an unknown type, and returns `undefined` for it
 */
export function readBrackets(
	inside: string,
	line: Line,
): (Details & { type: QuestionType; example: string }) | undefined {
	const end = placesOf(inside, '[:;]').at(0)?.start ?? inside.length;
	const written = inside
		.slice(0, end)
		.trim()
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.replace(/ ?\/ ?/g, '/');
	const name = withoutScale(written, line);
	const found = questionTypes.find(({ name: label, value, alsoCalled = [] }) =>
		[label.toLowerCase(), value, ...alsoCalled].includes(name),
	);
	if (!found) {
		const advice = `Use one of ${questionTypes.map(({ name: label }) => label).join(', ')}.`;
		if (name === '') line.report('add an answer type in the brackets, for example (text)', advice);
		else line.report(`"${name}" is not an answer type`, advice);
		return undefined;
	}
	const { value: type, example, fields: ownFields = [] } = found;
	const all = split(withoutQuotes(inside.slice(end + 1)), ';');
	const { settings, parts } = readSettings(all, line, type);
	if (name === 'yes/no' && parts.length === 0) parts.push('Yes, No');
	const read = READERS.find(([field]) => ownFields.includes(field))?.[1] ?? readNothing;
	const { fields, options = [] } = read(parts, line, found);
	return { type, example, fields: { ...fields, ...settings }, options };
}

/** Removes the scale of a rating: `rating 0-10` becomes `rating`. Reports any other scale. */
function withoutScale(written: string, line: Line): string {
	const [, name, from, to] =
		/^(rating|scale) (?:of |from )?(\d+) ?(?:-|–|…|\.\.\.|to) ?(\d+)$/.exec(written) ?? [];
	if (name === undefined) return written;
	if (from !== '0' || to !== '10') reportScale(from, to, line);
	return name;
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

/** Reads the settings (`name: value`) of a line, and returns all other parts unchanged. */
function readSettings(
	all: string[],
	line: Line,
	type: QuestionType,
): { settings: IDataObject; parts: string[] } {
	const settings: IDataObject = {};
	const parts: string[] = [];
	const seen = new Set<Setting>();
	for (const part of all) {
		const [start = '', name = ''] = /^(\w+)\s*:/.exec(part) ?? [];
		const setting = SETTINGS.find(({ names }) => names.includes(name.toLowerCase()));
		if (!setting) {
			parts.push(part);
			continue;
		}
		const { names, field, read, example } = setting;
		const [shown = ''] = names;
		const types = typesWith(field);
		if (types.length > 0 && !types.includes(type)) {
			line.report(
				`the setting "${shown}" does not apply to ${type}`,
				`It is only for ${types.join(' and ')}.`,
			);
		}
		if (seen.has(setting)) line.report(`the setting "${shown}" appears twice`, 'Remove one.');
		seen.add(setting);
		const value = plain(part.slice(start.length));
		if (value === '') continue;
		settings[field] = read ? read(value) : value;
		if (settings[field] === undefined) {
			line.report(`"${value}" is not valid for ${shown}`, `For example: ${example}.`);
		}
	}
	return { settings, parts };
}

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
	return { options };
}

function readMatrix(
	[rows = '', columns = '', surplus]: string[],
	line: Line,
	{ example }: QuestionTypeEntry,
): Details {
	const matrixQuestions = splitList(rows, line).map(plain);
	const options = readOptions(columns, line);
	if (matrixQuestions.length === 0 || options.length === 0 || surplus !== undefined) {
		line.report(
			'a matrix needs rows and options',
			`Write the rows, one semicolon, then the options: ${example}.`,
		);
	}
	return { fields: { matrixQuestions }, options };
}

const DOTS = '…|\\.\\.\\.';

/** Reads the labels of a rating: `Bad … Great`. */
function readLabels(parts: string[], line: Line, { example }: QuestionTypeEntry): Partial<Details> {
	const part = onlyPart(parts, line, 'pair of labels');
	if (part === '') return {};
	const [dots, more] = placesOf(part, DOTS);
	if (!dots || more) {
		line.report(
			`"${plain(part)}" is not a pair of labels`,
			`Write the label of 0, three dots, then the label of 10: ${example}.`,
		);
		return {};
	}
	const zeroLabel = plain(part.slice(0, dots.start));
	const tenLabel = plain(part.slice(dots.end));
	const isOther = (label: string, end: number): boolean =>
		/^\d+$/.test(label) && Number(label) !== end;
	if (isOther(zeroLabel, 0) || isOther(tenLabel, 10)) reportScale(zeroLabel, tenLabel, line);
	return { fields: { ...(zeroLabel && { zeroLabel }), ...(tenLabel && { tenLabel }) } };
}

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
