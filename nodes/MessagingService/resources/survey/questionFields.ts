import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isDataObject } from '../../../shared/typeGuards';
import { type Fail } from '../../../shared/failure';
import type { Field } from '../../../shared/field';
import { isBlank, toChoice, toList, toSwitch, toText } from '../../../shared/values';
import { valuesOf } from '../../operations/body';
import { failFor } from './checkQuestions';
import { leadSomewhere, options, optionVariants, toAnswerOptions } from './optionFields';
import {
	QUESTION_TYPES,
	questionTypeOptions,
	typesWith,
	WITH_OPTIONS,
	type QuestionType,
} from './questionTypes';

type QuestionField = {
	property: INodeProperties;
	/** What the screen shows in its place: of these, each question shows one. */
	variants?: INodeProperties[];
	/** The question types it applies to; all of them when left out. */
	types?: readonly QuestionType[];
	/** Whether it applies to a fork of any type, too. */
	ofForks?: true;
	/** Whether it is sent even when it is as the service would assume. */
	always?: true;
	/** Gives what is sent; `undefined` leaves the field out. */
	convert: (value: unknown, field: Field) => unknown;
};

const layouts: INodePropertyOptions[] = [
	{ name: 'Horizontal', value: 'Horizontal', description: 'Options side by side' },
	{ name: 'Vertical', value: 'Vertical', description: 'Options below each other' },
];

/**
 * Every question field of the service (schema SurveyQuestion in emulator/openapi.yaml), in the order of the screen. The service says
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
			options: questionTypeOptions,
			default: 'input',
			description: 'How recipients answer; the fields below follow from it',
		},
		always: true,
		convert: (value, field) => toChoice(value, QUESTION_TYPES, field),
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
		convert: toSwitch,
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
		convert: (value, field) => toSwitch(value, field) || undefined,
	},
	{
		property: {
			displayName: 'Rows',
			name: 'matrixQuestions',
			type: 'string',
			typeOptions: { rows: 3, showEvenWhenOptional: true },
			default: '',
			placeholder: 'e.g. My team\nMy tools',
			description:
				'What recipients are asked in the matrix, one row a line (or separated by commas when there is only one line), or a list from an expression',
		},
		types: typesWith('matrixQuestions'),
		convert: toLines,
	},
	{
		property: options,
		variants: optionVariants,
		types: WITH_OPTIONS,
		ofForks: true,
		convert: (value, field) => toAnswerOptions(entriesOf(value, 'option'), field),
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
		convert: toText,
	},
	{
		property: {
			displayName: 'Layout',
			name: 'layout',
			type: 'options',
			options: layouts,
			default: 'Horizontal',
			description: 'How the options are arranged',
		},
		types: typesWith('layout'),
		convert: (value, field) => toChoice(value, valuesOf(layouts), field),
	},
	{
		property: {
			displayName: 'Hide Text',
			name: 'hideText',
			type: 'boolean',
			default: false,
			description: 'Whether to hide the text of the options',
		},
		types: typesWith('hideText'),
		// The service documents it as text.
		convert: (value, field) => (toSwitch(value, field) ? 'true' : undefined),
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
		types: typesWith('zeroLabel'),
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
		types: typesWith('tenLabel'),
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
		types: typesWith('min'),
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
		types: typesWith('max'),
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
		types: typesWith('decimal'),
		convert: toNumber,
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
		convert: (value, field) => toSwitch(value, field) || undefined,
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
export const questionProperties: INodeProperties[] = fields.flatMap(
	({ property, variants, types, always }) =>
		variants ?? [
			{
				...property,
				...(types ? { displayOptions: { show: { templateCode: [...types] } } } : {}),
				...(always ? { typeOptions: { ...property.typeOptions, showEvenWhenOptional: true } } : {}),
			},
		],
);

/**
 * Turns the builder's form into the API's list of questions.
 *
 * @param form the fixed collection, or a list of such questions from an expression
 * @throws naming the question and the field that cannot be sent
 */
export function toQuestions(form: unknown, field: Field): IDataObject[] {
	return entriesOf(form, 'question').map((entry, index) => {
		const question = isDataObject(entry) ? entry : {};
		return toQuestion(question, field, (separator) =>
			failFor(index, question.title, field.fail, separator),
		);
	});
}

function toQuestion(
	form: IDataObject,
	{ timezone }: Field,
	failWith: (separator: string) => Fail,
): IDataObject {
	const question: IDataObject = {};
	for (const field of fields) {
		const { property, always, convert } = field;
		const value = form[property.name];
		// A question type given by an expression shows all fields at once.
		if (!(property.name in form) || !appliesTo(question, field)) continue;
		// What the service does without a switch or a choice may be the opposite of what was meant.
		const decides = property.type === 'boolean' || property.type === 'options';
		if (isBlank(value) && !decides) continue;
		if (value === property.default && !always) continue;
		const converted = convert(value, {
			label: property.displayName,
			timezone,
			fail: failWith(': '),
		});
		if (converted !== undefined) Object.assign(question, { [property.name]: converted });
	}
	// Without the switch the survey would ask everybody everything, and nobody would notice before it is sent.
	if (question.fork !== true && leadSomewhere(question.options)) {
		throw failWith(' ')(
			'has options with Branch Questions but is no fork',
			'Switch on Fork, which shows Branch Questions. To ask everybody everything, empty them there and switch Fork off again. Nothing was sent.',
		);
	}
	return question;
}

/** Whether a field applies to a question, of which the fields before it are there. */
function appliesTo(question: IDataObject, { types, ofForks }: QuestionField): boolean {
	if (types === undefined || (ofForks && question.fork === true)) return true;
	return types.some((type) => type === question.templateCode);
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
	throw fail(
		`${label} must be a number: it is ${JSON.stringify(value)}`,
		'Enter a number, or check the expression. Nothing was sent.',
	);
}

function entriesOf(form: unknown, name: string): unknown[] {
	const entries: unknown = isDataObject(form) ? form[name] : form;
	if (Array.isArray(entries)) return entries;
	return isBlank(entries) ? [] : [entries];
}
