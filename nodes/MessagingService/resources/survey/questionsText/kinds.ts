import type { IDataObject } from 'n8n-workflow';

import type { QuestionType } from '../questionTypes';
import { placesOf, plain, split } from './escapes';
import type { Line } from './line';
import type { Option } from './options';
import { optionsIn, reportRepeats } from './options';
import { SETTINGS } from './settings';

/** Reads what stands behind the type, without its settings. */
type ReadBody = (parts: string[], line: Line, type: QuestionType) => Body;

type Body = { fields?: IDataObject; options?: Option[] };

export type Kind = {
	type: QuestionType;
	/** What it is called on the screen and in everyday words. */
	alsoCalled?: string[];
	body: ReadBody;
	/** A whole question of this type, for advice. */
	example: string;
};

/** How each question type is written as text. */
export const KINDS: Kind[] = [
	{
		type: 'input',
		alsoCalled: ['short text', 'text'],
		body: noBody,
		example: 'What is your name? (input)',
	},
	{
		type: 'textarea',
		alsoCalled: ['long text'],
		body: noBody,
		example: 'What could be better? (textarea)',
	},
	{
		type: 'radio',
		alsoCalled: ['single choice'],
		body: choice,
		example: 'Did you get a laptop? (radio: Yes, No)',
	},
	{ type: 'dropdown', body: choice, example: 'Which team? (dropdown: Sales, Engineering)' },
	{
		type: 'multiselect',
		alsoCalled: ['multiple choice'],
		body: choice,
		example: 'What do you use? (multiselect: Chat, Email, Phone)',
	},
	{
		type: 'matrix',
		body: matrix,
		example: 'How content are you? (matrix: Pay, Tools; Bad, Good)',
	},
	{
		type: 'rank',
		alsoCalled: ['ranking'],
		body: choice,
		example: 'What matters most? (rank: Pay, Team, Tools)',
	},
	{ type: 'rating', body: scale, example: 'How was your week? (rating: Bad … Great)' },
	{ type: 'date', body: noBody, example: 'When did you start? (date)' },
	{ type: 'time', body: noBody, example: 'When do you start work? (time)' },
	{ type: 'email', body: noBody, example: 'Where can we reach you? (email)' },
	{ type: 'number', body: range, example: 'How many days off? (number: 0 … 30)' },
];

function noBody(parts: string[], line: Line, type: QuestionType): Body {
	if (parts.length > 0) {
		line.report(
			`has "${plain(parts[0] ?? '')}" behind ${type}, which takes no options`,
			`Take it out, or say what it is: (${type}; placeholder: …) or (${type}; description: …).`,
		);
	}
	return {};
}

function choice(parts: string[], line: Line, type: QuestionType): Body {
	const options = optionsIn(onlyPart(parts, line, 'list of options'), line);
	if (options.length === 0) {
		line.report(`is a ${type} without options`, `Write them behind a colon: ${exampleOf(type)}.`);
	}
	return { options };
}

function matrix(parts: string[], line: Line, type: QuestionType): Body {
	const [rowsPart = '', columnsPart = '', surplus] = parts;
	const matrixQuestions = split(rowsPart, ',').map(plain);
	const options = optionsIn(columnsPart, line);
	reportRepeats(matrixQuestions, 'row', line);
	if (matrixQuestions.length === 0 || options.length === 0 || surplus !== undefined) {
		line.report(
			'is a matrix, which needs its rows and its options',
			`Write the rows, one semicolon and the options: ${exampleOf(type)}.`,
		);
	}
	return { fields: { matrixQuestions }, options };
}

/** The labels of a rating: `Bad … Great`. */
function scale(parts: string[], line: Line, type: QuestionType): Body {
	const part = onlyPart(parts, line, 'pair of labels');
	if (part === '') return {};
	const places = placesOf(part, '…|\\.\\.\\.');
	const [gap] = places;
	if (gap === undefined || places.length > 1) {
		line.report(
			`has the labels "${plain(part)}"`,
			`Write the label of 0, three dots and the label of 10: ${exampleOf(type)}.`,
		);
		return {};
	}
	const zeroLabel = plain(part.slice(0, gap.start));
	const tenLabel = plain(part.slice(gap.end));
	const isOtherScale = [
		[zeroLabel, 0],
		[tenLabel, 10],
	].some(([label, end]) => /^\d+$/.test(String(label)) && Number(label) !== end);
	if (isOtherScale) {
		line.report(
			`has a rating from ${zeroLabel || 0} to ${tenLabel || 10}`,
			'A rating always goes from 0 to 10, and what you write are only its labels. For another scale use (radio: 1, 2, 3, 4, 5).',
		);
	}
	return {
		fields: {
			...(zeroLabel === '' ? {} : { zeroLabel }),
			...(tenLabel === '' ? {} : { tenLabel }),
		},
	};
}

const NUMBER = '[-+]?\\d+(?:\\.\\d+)?';

/** From and to need no number where the dots show which is missing; a dash could also be a minus. */
const RANGE = new RegExp(
	`^(?:(${NUMBER})?\\s*(?:…|\\.\\.\\.)\\s*(${NUMBER})?|(${NUMBER})\\s*(?:-|–|to)\\s*(${NUMBER}))$`,
	'i',
);

/** The smallest and the largest number: `0 … 120`. */
function range(parts: string[], line: Line, type: QuestionType): Body {
	const part = onlyPart(parts, line, 'range');
	if (part === '') return {};
	const match = RANGE.exec(part);
	const [from, to] = [match?.[1] ?? match?.[3], match?.[2] ?? match?.[4]];
	const fields: IDataObject = {};
	if (from !== undefined) fields.min = Number(from);
	if (to !== undefined) fields.max = Number(to);
	const numbers = [from, to].filter((number) => number !== undefined).map(Number);
	if (!match || !numbers.every(Number.isFinite)) {
		line.report(
			`has the range "${plain(part)}"`,
			`Write the smallest number, three dots and the largest, or one of them: ${exampleOf(type)}.`,
		);
	} else if (Number(from) > Number(to)) {
		line.report(`goes from ${from} to ${to}`, 'Write the smaller number first.');
	}
	return { fields };
}

/** Whatever stands behind the type, when only one thing may. */
function onlyPart(parts: string[], line: Line, what: string): string {
	const [part = '', second] = parts;
	if (second !== undefined) {
		line.report(
			`has more than one ${what}: "${plain(second)}"`,
			`Behind a semicolon stand settings, which are ${SETTINGS.map(({ names }) => names[0]).join(', ')}. Write \\; for a semicolon that belongs to the text.`,
		);
	}
	return part;
}

function exampleOf(type: QuestionType): string {
	return KINDS.find((kind) => kind.type === type)?.example ?? '';
}
