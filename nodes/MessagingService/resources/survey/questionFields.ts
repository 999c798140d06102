import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isDataObject } from '../../../shared/guards';
import type { Field } from '../../../shared/field';
import { isBlank, toList, toText } from '../../../shared/values';
import type { QuestionType } from './checkQuestions';
import { failFor } from './checkQuestions';

type QuestionField = {
	property: INodeProperties;
	/** The question types it applies to; all of them when left out. */
	types?: QuestionType[];
	/** Whether it is sent even when it is as the service would assume. */
	always?: true;
	/** Gives what is sent; `undefined` leaves the field out. */
	convert: (value: unknown, field: Field) => unknown;
};

/** What recipients choose from, one or several of it: the types where an answer can lead to another question. */
const CHOICES: QuestionType[] = ['radio', 'dropdown', 'multiselect'];

/**
 * Every question field of the service (schema Question in emulator/openapi.yaml), in the order of the screen. The service says
 * for some fields which types they are for; for the others it follows from what the field means. The defaults are the
 * service's own, so a field left at its default is not sent.
 */
const fields: QuestionField[] = [
	{
		property: {
			displayName: 'Question Type',
			name: 'templateCode',
			type: 'options',
			required: true,
			options: [
				{ name: 'Date', value: 'date' },
				{ name: 'Dropdown', value: 'dropdown', description: 'Choose one from a list that opens' },
				{ name: 'Email', value: 'email', description: 'An email address' },
				{ name: 'Matrix', value: 'matrix', description: 'Several rows with the same options' },
				{ name: 'Multiple Choice', value: 'multiselect', description: 'Choose any number' },
				{ name: 'Number', value: 'number' },
				{ name: 'Ranking', value: 'rank', description: 'Put the options in order' },
				{ name: 'Rating', value: 'rating', description: 'A scale from 0 to 10' },
				{ name: 'Single Choice', value: 'radio', description: 'Choose one' },
				{ name: 'Text (Long)', value: 'textarea', description: 'Several lines of text' },
				{ name: 'Text (Short)', value: 'input', description: 'One line of text' },
				{ name: 'Time', value: 'time' },
			],
			default: 'input',
			description: 'How recipients answer; the fields below follow from it',
		},
		always: true,
		convert: toText,
	},
	{
		property: {
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. How was your first week?',
			description: 'What recipients are asked; answers come back under it',
		},
		always: true,
		convert: toText,
	},
	{
		property: {
			displayName: 'Required',
			name: 'required',
			type: 'boolean',
			default: true,
			description: 'Whether recipients must answer it',
		},
		always: true,
		convert: isOn,
	},
	{
		property: {
			displayName: 'Options',
			name: 'options',
			type: 'fixedCollection',
			typeOptions: {
				multipleValues: true,
				sortable: true,
				multipleValueButtonText: 'Add Option',
				showEvenWhenOptional: true,
				fixedCollection: { itemTitle: '={{ $collection.item.value.value }}' },
			},
			default: {},
			placeholder: 'Add Option',
			description: 'What recipients choose from; the columns of a matrix',
			options: [
				{
					displayName: 'Option',
					name: 'option',
					values: [
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder: 'e.g. Not at all',
							description: 'The option as recipients see it',
						},
						{
							displayName: 'Branch Questions',
							name: 'branchQuestions',
							type: 'string',
							default: '',
							placeholder: 'Only for a fork, e.g. what-went-wrong',
							description:
								'Question IDs of the questions to ask whoever chooses this option, separated by commas, or a list from an expression. Empty to go on as usual. Switch on Fork for the question.',
						},
					],
				},
			],
		},
		types: [...CHOICES, 'rank', 'matrix'],
		convert: toOptions,
	},
	{
		property: {
			displayName: 'Matrix Questions',
			name: 'matrixQuestions',
			type: 'string',
			typeOptions: { rows: 3, showEvenWhenOptional: true },
			default: '',
			placeholder: 'e.g. My team',
			description:
				'The rows of the matrix, one a line (or separated by commas when there is only one line), or a list from an expression',
		},
		types: ['matrix'],
		convert: toLines,
	},
	{
		property: {
			displayName: 'Description',
			name: 'desc',
			type: 'string',
			default: '',
			placeholder: 'e.g. Only your manager sees the answer',
			description: 'Explanation below the title',
		},
		convert: toText,
	},
	{
		property: {
			displayName: 'Placeholder',
			name: 'placeholder',
			type: 'string',
			default: '',
			placeholder: 'e.g. In your own words',
			description: 'Grey text in the box until something is entered',
		},
		types: ['input', 'textarea', 'email', 'number', 'date', 'time', 'dropdown'],
		convert: toText,
	},
	{
		property: {
			displayName: 'Layout',
			name: 'layout',
			type: 'options',
			options: [
				{ name: 'Horizontal', value: 'Horizontal', description: 'Options side by side' },
				{ name: 'Vertical', value: 'Vertical', description: 'Options below each other' },
			],
			default: 'Horizontal',
			description: 'How the options are arranged',
		},
		types: ['radio', 'multiselect'],
		convert: toText,
	},
	{
		property: {
			displayName: 'Hide Text',
			name: 'hideText',
			type: 'boolean',
			default: false,
			description: 'Whether to hide the text of the options',
		},
		types: ['radio', 'multiselect'],
		// The service documents it as text.
		convert: (value) => (isOn(value) ? 'true' : undefined),
	},
	{
		property: {
			displayName: 'Zero Label',
			name: 'zeroLabel',
			type: 'string',
			default: '',
			placeholder: 'e.g. Not at all',
			description: 'Label of the lower end of the scale',
		},
		types: ['rating'],
		convert: toText,
	},
	{
		property: {
			displayName: 'Ten Label',
			name: 'tenLabel',
			type: 'string',
			default: '',
			placeholder: 'e.g. Very much',
			description: 'Label of the upper end of the scale',
		},
		types: ['rating'],
		convert: toText,
	},
	{
		property: {
			displayName: 'Min',
			name: 'min',
			type: 'number',
			default: -9999999999,
			description: 'Smallest number that can be entered',
		},
		types: ['number'],
		convert: toNumber,
	},
	{
		property: {
			displayName: 'Max',
			name: 'max',
			type: 'number',
			default: 9999999999,
			description: 'Largest number that can be entered',
		},
		types: ['number'],
		convert: toNumber,
	},
	{
		property: {
			displayName: 'Decimal',
			name: 'decimal',
			type: 'number',
			default: 2,
			description: 'How many decimal places the number can have',
		},
		types: ['number'],
		convert: toNumber,
	},
	{
		property: {
			displayName: 'Fork',
			name: 'fork',
			type: 'boolean',
			default: false,
			description:
				'Whether the answer decides which questions follow. Give this question a Question ID, and its options the IDs of the questions they lead to.',
		},
		types: CHOICES,
		convert: (value) => isOn(value) || undefined,
	},
	{
		property: {
			displayName: 'Branch',
			name: 'branch',
			type: 'boolean',
			default: false,
			description:
				'Whether only those are asked whom an option of a fork leads here. Give this question a Question ID.',
		},
		convert: (value) => isOn(value) || undefined,
	},
	{
		property: {
			displayName: 'Question ID',
			name: 'questionId',
			type: 'string',
			default: '',
			placeholder: 'e.g. what-went-wrong',
			description: 'A name of your choice, by which forks and branches find each other',
			hint: 'Needed for forks and branches; each ID once in the survey',
		},
		convert: (value, field) => toText(value, field).trim(),
	},
];

/** The form of one question: each field shown only for the question types it applies to. */
export const questionProperties: INodeProperties[] = fields.map(({ property, types, always }) => ({
	...property,
	...(types ? { displayOptions: { show: { templateCode: types } } } : {}),
	...(always ? { typeOptions: { ...property.typeOptions, showEvenWhenOptional: true } } : {}),
}));

/**
 * Turns the builder's form into the API's list of questions.
 *
 * @param form the fixed collection, or a list of such questions from an expression
 * @throws naming the question and the field that cannot be sent
 */
export function toQuestions(form: unknown, field: Field): IDataObject[] {
	return entriesOf(form, 'question').map((entry, index) => {
		const question = isDataObject(entry) ? entry : {};
		return toQuestion(question, { ...field, fail: failFor(index, question.title, field.fail) });
	});
}

function toQuestion(form: IDataObject, { timezone, fail }: Field): IDataObject {
	const question: IDataObject = {};
	for (const { property, types, always, convert } of fields) {
		const value = form[property.name];
		// A question type given by an expression shows all fields at once.
		if (types && !types.some((type) => type === form.templateCode)) continue;
		if (isBlank(value) || (value === property.default && !always)) continue;
		const converted = convert(value, { label: property.displayName, timezone, fail });
		if (converted !== undefined) Object.assign(question, { [property.name]: converted });
	}
	// Without the switch the survey would ask everybody everything, and nobody would notice before it is sent.
	if (question.fork !== true && hasBranches(question.options)) {
		throw fail(
			'has options with Branch Questions but is no fork',
			'Switch on Fork (for single choice, dropdown and multiple choice), or empty Branch Questions.',
		);
	}
	return question;
}

/**
 * The API takes a list of texts, of numbers or of objects, one kind at a time. Typed text stays text, so that "007" is
 * not turned into 7; numbers that an expression gives stay numbers when all are.
 */
function toOptions(form: unknown, field: Field): unknown[] | undefined {
	const options = entriesOf(form, 'option')
		.map((entry) => (isDataObject(entry) ? entry : { value: entry, branchQuestions: undefined }))
		.map(({ value, branchQuestions }) => ({
			value: typeof value === 'number' ? value : toText(value, field),
			branchQuestions: toList(branchQuestions, { ...field, label: 'Branch Questions' }),
		}))
		.filter(({ value, branchQuestions }) => !isBlank(value) || branchQuestions.length > 0);
	if (options.length === 0) return undefined;
	const numbers = options.every(({ value }) => typeof value === 'number');
	const values = options.map(({ value }) => (numbers ? value : String(value)));
	if (options.every(({ branchQuestions }) => branchQuestions.length === 0)) return values;
	return options.map(({ branchQuestions }, index) => ({
		value: values[index],
		...(branchQuestions.length > 0 ? { branchQuestions } : {}),
	}));
}

function hasBranches(options: unknown): boolean {
	return Array.isArray(options) && options.some(isDataObject);
}

/** Labels may hold commas: where there are lines, lines separate them. */
function toLines(value: unknown, field: Field): string[] | undefined {
	const lines =
		typeof value === 'string' && value.trim().includes('\n') ? value.split('\n') : value;
	const list = toList(lines, field);
	return list.length > 0 ? list : undefined;
}

function toNumber(value: unknown, { label, fail }: Field): number {
	const number = typeof value === 'boolean' || typeof value === 'object' ? NaN : Number(value);
	if (Number.isFinite(number)) return number;
	throw fail(`has a ${label} that is no number: ${JSON.stringify(value)}`);
}

function isOn(value: unknown): boolean {
	return value === true || value === 'true';
}

function entriesOf(form: unknown, name: string): unknown[] {
	const entries: unknown = isDataObject(form) ? form[name] : form;
	if (Array.isArray(entries)) return entries;
	return isBlank(entries) ? [] : [entries];
}
